package match

import (
	"regexp"
	"slices"
	"strings"
)

// setCode matches a text that may be a set code such as LOB-EN045 or OP01-001: the set, and after the hyphen up to
// three letters and the number.
var setCode = regexp.MustCompile(`(?:^|[^0-9A-Z])([0-9A-Z|]{1,5})\s?-\s?([0-9A-Z|]{3,6})(?:$|[^0-9A-Z])`)

// hyphens replaces the other dashes that text recognition reads for a hyphen.
var hyphens = strings.NewReplacer("–", "-", "—", "-", "‐", "-", "−", "-", "－", "-", "／", "/")

// Characters that text recognition confuses, in a place where only letters or only digits stand.
var (
	asLetters = strings.NewReplacer("0", "O", "1", "I", "|", "I", "5", "S", "8", "B", "2", "Z")
	asDigits  = strings.NewReplacer(
		"O", "0", "Q", "0", "D", "0", "I", "1", "|", "1", "L", "1", "S", "5", "B", "8", "Z", "2")
)

// languageLetters are the letters of languages in Yu-Gi-Oh set codes. They stand before the number.
var languageLetters = []string{"EN", "DE", "FR", "IT", "PT", "SP", "JP", "KR", "AE", "SC", "TC"}

// onePieceSets match the sets of the One Piece card game, as letters.
var onePieceSets = []string{"OP", "ST", "EB", "PRB", "P"}

// setCodes returns the set codes that a line in capitals may contain: as read, and with the characters that are
// confused replaced according to their place. The most probable comes first.
func setCodes(line string) (codes []string) {
	for _, m := range setCode.FindAllStringSubmatch(hyphens.Replace(line), -1) {
		for _, number := range codeNumbers(m[2]) {
			for _, set := range codeSets(m[1], number) {
				if code := set + "-" + number; !slices.Contains(codes, code) {
					codes = append(codes, code)
				}
			}
		}
	}
	return codes
}

// codeNumbers returns the readings of the part after the hyphen: EN045 for ENO45, and both EN501 and ENS01 for ENS01,
// because either may be printed. It returns none for a word, such as TEAM.
func codeNumbers(read string) (numbers []string) {
	if !strings.ContainsAny(read, "0123456789") {
		return nil
	}
	letters, rest := "", read
	if i := slices.Index(languageLetters, asLetters.Replace(read[:2])); i >= 0 && len(read) > 3 {
		letters, rest = languageLetters[i], read[2:]
	} else if isLetter(read[0]) && len(read) == 4 && asDigits.Replace(read[:1]) == read[:1] {
		letters, rest = read[:1], read[1:] // one letter: E045
	}
	if digits := asDigits.Replace(rest); isDigits(digits) {
		numbers = append(numbers, letters+digits)
	}
	// Some numbers begin with letters after the letters of the language: ENSE2, ENS01.
	special := strings.TrimRight(rest, "0123456789")
	if len(letters) == 2 && special != "" && special != rest && len(special) <= 2 {
		if number := letters + rest; !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// codeSets returns the readings of the part before the hyphen. The sets of One Piece are letters and two digits. The
// sets of Yu-Gi-Oh are letters, seldom with a digit.
func codeSets(read, number string) (sets []string) {
	add := func(set string) {
		if !slices.Contains(sets, set) {
			sets = append(sets, set)
		}
	}
	for _, letters := range onePieceSets {
		n := len(letters)
		if len(read) != n+2 || asLetters.Replace(read[:n]) != letters || !isDigits(number) {
			continue
		}
		if digits := asDigits.Replace(read[n:]); isDigits(digits) {
			add(letters + digits)
		}
	}
	if isDigits(read) && len(sets) == 0 { // a range of years or of other numbers
		return nil
	}
	if len(read) >= 3 || read == "P" {
		add(strings.ReplaceAll(read, "|", "I"))
	}
	if len(read) >= 3 && len(sets) < 2 {
		add(asLetters.Replace(read))
	}
	return sets
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func isLetter(b byte) bool { return 'A' <= b && b <= 'Z' }
