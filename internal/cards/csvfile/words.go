package csvfile

import (
	"strings"
	"unicode"
)

// conditions maps the names of the common scales, normalized by headerKey, to conditions: TCGplayer's and
// eBay's five, Deckbox's, and Cardmarket's seven (mint to poor) where the names do not conflict. "Played"
// is between lightly and heavily played on every scale that has all three.
var conditions = map[string]string{
	"nm": "NM", "nearmint": "NM", "mint": "NM", "m": "NM", "mt": "NM", "nmm": "NM", "nmmt": "NM", "gemmint": "NM",
	"nearmintormint": "NM", "nearmintorbetter": "NM",
	"lp": "LP", "lightlyplayed": "LP", "lightplayed": "LP", "slightlyplayed": "LP", "sp": "LP", "excellent": "LP",
	"ex": "LP", "goodlightlyplayed": "LP", "lightlyplayedexcellent": "LP",
	"mp": "MP", "moderatelyplayed": "MP", "moderateplayed": "MP", "played": "MP", "pl": "MP", "good": "MP", "gd": "MP",
	"verygood": "MP", "vg": "MP", "moderatelyplayedverygood": "MP",
	"hp": "HP", "heavilyplayed": "HP", "heavyplayed": "HP", "heavilyplayedpoor": "HP",
	"dmg": "DMG", "damaged": "DMG", "d": "DMG", "poor": "DMG", "po": "DMG",
}

// noCondition are the words for an unknown or irrelevant condition.
var noCondition = map[string]bool{"unknown": true, "none": true, "ungraded": true, "na": true}

// ungraded are the words for a card without a grade.
var ungraded = map[string]bool{"": true, "ungraded": true, "raw": true, "none": true, "no": true, "na": true}

// maxCondition is an upper limit for a condition with finish and language, in bytes.
const maxCondition = 200

// conditionOf parses a condition with the suffixes of some exports: "Near Mint Foil", "Lightly Played
// Reverse Holofoil - Japanese". ok is false if text does not begin with a condition.
func conditionOf(text string) (code, finish, language string, ok bool) {
	if noCondition[headerKey(text)] {
		return "", "", "", true
	}
	if before, after, found := strings.Cut(text, " - "); found && languages[headerKey(after)] != "" {
		text, language = before, languages[headerKey(after)]
	}
	if len(text) > maxCondition {
		return "", "", "", false
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for n := len(words); n > 0; n-- {
		code, ok := conditions[strings.ToLower(strings.Join(words[:n], ""))]
		if !ok {
			continue
		}
		rest := words[n:]
		if len(rest) > 0 && conditions[strings.ToLower(rest[0])] == code { // "Near Mint (NM)"
			rest = rest[1:]
		}
		return code, finishOf(strings.Join(rest, " ")), language, true
	}
	return "", "", "", false
}

// plain are the words for a regular printing.
var plain = map[string]bool{
	"": true, "normal": true, "regular": true, "nonfoil": true, "none": true, "no": true, "false": true, "0": true,
	"n": true,
}

// marked are the words for "yes" in a column foil.
var marked = map[string]bool{"yes": true, "true": true, "1": true, "y": true, "x": true}

// finishOf returns the variant of a finish or printing: "reverse holo" for "Reverse Holofoil", "foil" for
// "yes", "" for "Normal".
func finishOf(text string) string {
	switch key := headerKey(text); {
	case plain[key]:
		return ""
	case marked[key]:
		return "foil"
	}
	return strings.ReplaceAll(strings.ToLower(text), "holofoil", "holo")
}

// languages maps language names and the abbreviations that sellers use, normalized by headerKey, to BCP 47
// tags.
var languages = map[string]string{
	"english": "en", "eng": "en", "us": "en",
	"japanese": "ja", "jp": "ja", "jpn": "ja",
	"german": "de", "deutsch": "de", "ger": "de",
	"french": "fr", "francais": "fr", "français": "fr", "fre": "fr",
	"italian": "it", "italiano": "it", "ita": "it",
	"spanish": "es", "español": "es", "espanol": "es", "spa": "es", "sp": "es",
	"portuguese": "pt", "português": "pt", "por": "pt", "portuguesebrazil": "pt-BR",
	"korean": "ko", "kr": "ko", "kor": "ko",
	"russian": "ru", "rus": "ru",
	"dutch": "nl", "polish": "pl", "indonesian": "id", "thai": "th",
	"chinese": "zh", "cn": "zh",
	"chinesesimplified": "zh-Hans", "simplifiedchinese": "zh-Hans", "schinese": "zh-Hans", "zhs": "zh-Hans",
	"chinesetraditional": "zh-Hant", "traditionalchinese": "zh-Hant", "tchinese": "zh-Hant", "zht": "zh-Hant",
	"tw": "zh-Hant",
}

// languageOf returns the tag of a language name. It returns other texts unchanged, except that it converts
// two letters to lower case.
func languageOf(text string) string {
	if tag, ok := languages[headerKey(text)]; ok {
		return tag
	}
	if len(text) == 2 {
		return strings.ToLower(text)
	}
	return text
}
