package csvfile

import (
	"strings"
	"unicode"
)

// conditions are the conditions by the names of the scales in use, as headerKey makes them: TCGplayer's
// and eBay's five, Deckbox's, and Cardmarket's seven (mint to poor) as far as the names go. "Played"
// alone is between lightly and heavily played on every scale that has all three.
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

// noCondition are the words for a card whose condition is not known or does not matter.
var noCondition = map[string]bool{"unknown": true, "none": true, "ungraded": true, "na": true}

// ungraded are the words for a card without a grade.
var ungraded = map[string]bool{"": true, "ungraded": true, "raw": true, "none": true, "no": true, "na": true}

// maxCondition is more bytes than any condition with its finish and language has.
const maxCondition = 200

// conditionOf reads a condition with what some exports put behind it: "Near Mint Foil",
// "Lightly Played Reverse Holofoil - Japanese". ok is false if it does not begin with a condition.
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

// plain are the words for a card that is printed like most.
var plain = map[string]bool{
	"": true, "normal": true, "regular": true, "nonfoil": true, "none": true, "no": true, "false": true, "0": true, "n": true,
}

// marked are the words that a column "foil" says yes with.
var marked = map[string]bool{"yes": true, "true": true, "1": true, "y": true, "x": true}

// finishOf returns the variant that a finish or printing stands for: "reverse holo" for "Reverse
// Holofoil", "foil" for a "yes", "" for "Normal".
func finishOf(text string) string {
	switch key := headerKey(text); {
	case plain[key]:
		return ""
	case marked[key]:
		return "foil"
	}
	return strings.ReplaceAll(strings.ToLower(text), "holofoil", "holo")
}

// languages are the BCP 47 tags of the languages that cards are printed in, by their names and by
// what sellers write instead of a tag, as headerKey makes them.
var languages = map[string]string{
	"english": "en", "eng": "en", "us": "en", "japanese": "ja", "jp": "ja", "jpn": "ja", "german": "de", "deutsch": "de", "ger": "de",
	"french": "fr", "francais": "fr", "français": "fr", "fre": "fr", "italian": "it", "italiano": "it", "ita": "it",
	"spanish": "es", "español": "es", "espanol": "es", "spa": "es", "sp": "es", "portuguese": "pt", "português": "pt", "por": "pt",
	"portuguesebrazil": "pt-BR", "korean": "ko", "kr": "ko", "kor": "ko", "russian": "ru", "rus": "ru", "dutch": "nl", "polish": "pl",
	"chinese": "zh", "cn": "zh", "chinesesimplified": "zh-Hans", "simplifiedchinese": "zh-Hans", "schinese": "zh-Hans", "zhs": "zh-Hans",
	"chinesetraditional": "zh-Hant", "traditionalchinese": "zh-Hant", "tchinese": "zh-Hant", "zht": "zh-Hant", "tw": "zh-Hant",
	"indonesian": "id", "thai": "th",
}

// languageOf returns the tag of a language's name; anything else as it stands, two letters in lower
// case, which is how tags are written.
func languageOf(text string) string {
	if tag, ok := languages[headerKey(text)]; ok {
		return tag
	}
	if len(text) == 2 {
		return strings.ToLower(text)
	}
	return text
}
