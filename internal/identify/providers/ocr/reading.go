package ocr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/cardtext"
	"github.com/cardvault/cardvault/internal/identify/match"
)

// readingOf returns the text of the card for people. Without the models, each line was read several times, with
// different preprocessing: the text that was read most often is probably right.
func readingOf(t cardtext.Text) identify.Reading {
	var names, points, numbers []string
	for _, line := range t.Head {
		if name := nameIn(line); name != "" {
			names = append(names, name)
		}
		points = append(points, cardtext.HitPoints(line)...)
	}
	for _, line := range t.Foot {
		for _, c := range match.Collectors([]string{line}) {
			number := c.Number
			if c.Total > 0 {
				number = fmt.Sprintf("%s/%d", number, c.Total)
			}
			numbers = append(numbers, number)
		}
	}
	read := identify.Reading{Name: mostRead(names), HP: mostRead(points), Number: mostRead(numbers)}
	if t.Slab != nil {
		read.Grade = &t.Slab.Grade
	}
	return read
}

// nameIn returns the words of a line of the head that may be a name, in their spelling, or "".
func nameIn(line string) string {
	text := strings.Join(match.NameQueries([]string{line}, 1), " ")
	words := slices.DeleteFunc(strings.Fields(line), func(word string) bool {
		parts := strings.Fields(match.Fold(word))
		return len(parts) == 0 || slices.ContainsFunc(parts, func(part string) bool {
			return !slices.Contains(strings.Fields(text), part)
		})
	})
	return printable(strings.Join(words, " "))
}

// mostRead returns the most frequent of the texts, of equally frequent ones the longest, and "" for none.
func mostRead(texts []string) (best string) {
	count := map[string]int{}
	for _, text := range texts {
		count[text]++
	}
	for _, text := range texts {
		order := cmp.Or(count[text]-count[best], utf8.RuneCountInString(text)-utf8.RuneCountInString(best))
		if order > 0 {
			best = text
		}
	}
	return best
}

// printable returns the beginning of a text without characters that cannot be shown.
func printable(text string) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return -1
	}, text))
	return string(runes[:min(len(runes), identify.MaxReading)])
}
