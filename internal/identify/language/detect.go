package language

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Guess is the language of a card.
type Guess struct {
	// Script is Unknown if too little text was read.
	Script Script
	// Tag is a BCP 47 tag, or "" if the language is not clear.
	Tag string
}

const (
	// termWeight and accentWeight are how many words a game's term, and a typical accent, count as.
	termWeight, accentWeight = 3, 2
	// leastScore is the least score, in words, of a language in Latin letters, and leastRatio that to the next
	// language.
	leastScore, leastRatio = 4, 1.7
	// markScore is the score of a printed language mark, which decides unless the text is clearly in another language.
	markScore = 8
)

// mark matches the code of a set, a separator and the code of a language.
var mark = regexp.MustCompile(`\b[A-Z0-9]{3,5}\s?[•·.*+\-:]\s?([A-Z]{2})\b`)

// Detect returns the language of the lines that were read on a card.
func Detect(lines []string) Guess {
	all := strings.Join(lines, "\n")
	switch script := ScriptOf(all); script {
	case Kana:
		return Guess{script, "ja"}
	case Hangul:
		return Guess{script, "ko"}
	case Thai:
		return Guess{script, "th"}
	case Cyrillic:
		return Guess{script, "ru"}
	case Han:
		return Guess{script, chinese(all)}
	case Latin:
		return Guess{script, latinLanguage(all)}
	}
	return Guess{}
}

// latinLanguage returns the language with the most signs, or "" unless it has clearly the most.
func latinLanguage(text string) string {
	scores := map[string]float64{}
	words := wordsOf(text)
	for tag, s := range latin {
		scores[tag] = score(s, words, text)
	}
	for abbreviation, tags := range points {
		for _, tag := range tags {
			if words[abbreviation] {
				scores[tag] += termWeight
			}
		}
	}
	for _, match := range mark.FindAllStringSubmatch(text, -1) {
		if tag, ok := marks[match[1]]; ok {
			scores[tag] += markScore
			break
		}
	}
	best, second := "", 0.0
	for tag, s := range scores {
		switch {
		case best == "" || s > scores[best] || (s == scores[best] && tag < best):
			if best != "" {
				second = max(second, scores[best])
			}
			best = tag
		default:
			second = max(second, s)
		}
	}
	if scores[best] < leastScore || scores[best] < leastRatio*second {
		return ""
	}
	return best
}

// score returns the score of a language for the words of a text.
func score(s signs, words map[string]bool, text string) (sum float64) {
	for _, w := range s.words {
		if words[w] {
			sum++
		}
	}
	for _, t := range s.terms {
		if words[t] {
			sum += termWeight
		}
	}
	if s.accents != "" && strings.ContainsAny(strings.ToLower(text), s.accents) {
		sum += accentWeight
	}
	return sum
}

// wordsOf returns the words of a text in lower case without accents and apostrophes.
func wordsOf(text string) map[string]bool {
	lower := strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' || unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.ReplaceAll(text, "ß", "ss")))
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(lower, func(r rune) bool { return !unicode.IsLetter(r) }) {
		words[w] = true
	}
	return words
}

// Same reports whether two tags are equal or one is a more exact form of the other, as pt-BR is of pt.
func Same(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	a, b = strings.ToLower(a)+"-", strings.ToLower(b)+"-"
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// Contradicts reports whether a card on which text in the language guess was read cannot be a printing in the language
// of a tag. Text in an unknown language contradicts the languages of the other kind of script: Han characters
// contradict all languages but Japanese and Chinese, and Latin letters contradict these two.
func (g Guess) Contradicts(tag string) bool {
	switch {
	case tag == "":
		return false
	case g.Tag != "":
		return !Same(g.Tag, tag)
	case g.Script == Unknown:
		return false
	}
	return g.Script == Han != hasHan(tag)
}

// hasHan reports whether a language is written in Han characters.
func hasHan(tag string) bool { return Same(tag, "ja") || Same(tag, "zh") }

// names are the languages' names in English.
var names = map[string]string{
	"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
	"ja": "Japanese", "ko": "Korean", "ru": "Russian", "th": "Thai", "zh": "Chinese", "nl": "Dutch", "pl": "Polish",
	"id": "Indonesian",
}

// Name returns the English name of a language, or the tag if it is not known.
func Name(tag string) string {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	if name, ok := names[primary]; ok {
		return name
	}
	return tag
}

// IsFunctionWord reports whether a word, in lower case and without accents, is one that most texts of a language have.
func IsFunctionWord(word string) bool { return functionWords[word] }

var functionWords = func() map[string]bool {
	all := map[string]bool{}
	for _, s := range latin {
		for _, w := range s.words {
			all[w] = true
		}
	}
	return all
}()
