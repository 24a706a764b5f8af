// Package cardtext holds the text that was read on a card, by the part of the card that it is in. Both built-in
// providers weigh it. The package neither reads pictures nor knows the catalogue's cards.
package cardtext

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/language"
	"github.com/cardvault/cardvault/internal/identify/match"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/slab"
)

// Text is the text of a card that was read so far. A line may occur several times, in several readings.
type Text struct {
	// Head are the lines in which the name and the health points are.
	Head []string
	// Foot are the lines in which the collector number, the code of the set and the illustrator are.
	Foot []string
	// Printed are the lines of the foot that were read with certainty.
	Printed []string
	// Body are the distinct words of the whole face, in the form of catalog.Words, sorted.
	Body []string
	// Lines are all lines of the card, from which the language is detected.
	Lines []string
	// Label are the lines of the label of a slab, and Slab is its content, or nil if the card is not in a slab. The
	// words of the label are in Body too.
	Label []string
	Slab  *slab.Label
	// Partial means that some lines were not read, so that a text that is missing here may be on the card.
	Partial bool
}

const (
	// headShare is the share of the text's height, from the top, in which the name is.
	headShare = 0.25
	// footShare is the share after which the collector number and the illustrator are.
	footShare = 0.6
	// maxNumberGap is the space between the code of a set and its number, in heights of the line.
	maxNumberGap = 4
	// printedConfidence is the confidence from which a line is as it is printed.
	printedConfidence = 0.85
)

var (
	number = regexp.MustCompile(`^\d{1,3}$`)
	ratio  = regexp.MustCompile(`\d\s?/\s?[A-Z]{0,4}\d{2,}`)
	// hitPoints matches the health points of a card, before or after "HP".
	hitPoints = regexp.MustCompile(`(?i)\bHP\s*(\d{2,3})\b|\b(\d{2,3})\s*HP\b`)
	// loneHP and lonePoints match the health points where "HP" and the number are lines of their own.
	loneHP     = regexp.MustCompile(`^(?i)hp$`)
	lonePoints = regexp.MustCompile(`^\d{2,3}$`)
)

// FromLines assigns the lines of a whole photo to the parts of the card by their position among the other lines. Some
// lines may not have been read.
func FromLines(lines []ppocr.Line) Text {
	t := Text{Partial: slices.ContainsFunc(lines, func(l ppocr.Line) bool { return !l.IsRead })}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l ppocr.Line) bool { return l.IsRead && !l.IsText() })
	if len(lines) == 0 {
		return t
	}
	t.Label, t.Slab, lines = splitLabel(lines)
	shares := heightShares(lines)
	for i, line := range lines {
		if !line.IsRead {
			continue
		}
		t.Lines = append(t.Lines, line.Text)
		if name := match.WithoutOrigin(line.Text); shares[i] <= headShare && name != "" {
			t.Head = append(t.Head, name)
		}
		if shares[i] >= footShare || ratio.MatchString(line.Text) {
			line = withNumber(line, lines)
			t.Foot = append(t.Foot, line.Text)
			if line.Confidence >= printedConfidence {
				t.Printed = append(t.Printed, line.Text)
			}
		}
	}
	t.Head = withPoints(t.Head)
	t.Body = catalog.Words(strings.Join(slices.Concat(t.Label, t.Lines), " "))
	return t
}

// withNumber returns a line that ends with the code of a set together with the number beside it, which often is a line
// of its own: "SVP EN" and "159".
func withNumber(line ppocr.Line, lines []ppocr.Line) ppocr.Line {
	if !match.EndsInSet(line.Text) {
		return line
	}
	height := line.Box.Dy()
	for _, other := range lines {
		gap := other.Box.Min.X - line.Box.Max.X
		drop := abs(other.Box.Min.Y - line.Box.Min.Y) // of a tilted card
		isBeside := isParallel(line, other) && -height < gap && gap < maxNumberGap*height && drop < height*4/5
		if isBeside && other.IsRead && number.MatchString(other.Text) {
			line.Text += " " + other.Text
			line.Confidence = min(line.Confidence, other.Confidence)
			break
		}
	}
	return line
}

func abs(n int) int { return max(n, -n) }

// With returns the text of two readings.
func (t Text) With(other Text) Text {
	body := slices.Concat(t.Body, other.Body)
	slices.Sort(body)
	return Text{
		Head: slices.Concat(t.Head, other.Head), Foot: slices.Concat(t.Foot, other.Foot),
		Printed: slices.Concat(t.Printed, other.Printed), Lines: slices.Concat(t.Lines, other.Lines),
		Label: slices.Concat(t.Label, other.Label), Slab: cmp.Or(t.Slab, other.Slab), Body: slices.Compact(body),
		Partial: t.isPartial(other),
	}
}

// isPartial reports whether two readings together are partial. One that found nothing does not complete the other.
func (t Text) isPartial(other Text) bool {
	switch {
	case len(t.Lines) == 0:
		return other.Partial
	case len(other.Lines) == 0:
		return t.Partial
	}
	return t.Partial && other.Partial
}

// Language returns the language of the card.
func (t Text) Language() language.Guess { return language.Detect(t.Lines) }

// HitPoints returns the health points in a line of the head.
func HitPoints(line string) (points []string) {
	for _, match := range hitPoints.FindAllStringSubmatch(line, -1) {
		points = append(points, cmp.Or(match[1], match[2]))
	}
	return points
}

// withPoints joins the lines "HP" and "70" of a head.
func withPoints(head []string) []string {
	if !slices.ContainsFunc(head, loneHP.MatchString) {
		return head
	}
	for i, line := range head {
		if lonePoints.MatchString(line) {
			head[i] = "HP " + line
		}
	}
	return head
}
