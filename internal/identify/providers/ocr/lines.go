package ocr

import (
	"cmp"
	"context"
	"image"
	"regexp"
	"slices"
	"strings"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify/match"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// LineReader finds and reads the lines of text on a picture. It finds them at any angle and turned upside down, so it
// needs no outline of the card. *textreader.Pool implements it.
type LineReader interface {
	Lines(ctx context.Context, picture *image.RGBA) ([]ppocr.Line, error)
}

const (
	// headLinesShare is the share of the text's height, from the top, in which the name is.
	headLinesShare = 0.25
	// footLinesShare is the share after which the collector number and the illustrator are.
	footLinesShare = 0.6
	// printedConfidence is the confidence from which a line is as it is printed.
	printedConfidence = 0.85
	// footCut is the part of a rectified card in which Foot reads.
	footCut = 0.87
)

var (
	ratio = regexp.MustCompile(`\d\s?/\s?[A-Z]{0,4}\d{2,}`)
	// loneHP and lonePoints match the health points where "HP" and the number are lines of their own.
	loneHP     = regexp.MustCompile(`^(?i)hp$`)
	lonePoints = regexp.MustCompile(`^\d{2,3}$`)
)

// readLines reads the whole photo at once.
func (p *Provider) readLines(ctx context.Context, found *search, picture *image.RGBA) error {
	lines, err := p.lines.Lines(ctx, picture)
	if err != nil {
		return err
	}
	return found.add(ctx, textOf(lines))
}

// footLines reads the lines at the bottom of a rectified card.
func (p *Provider) footLines(ctx context.Context, card *image.RGBA) ([]string, error) {
	cut := card.Rect
	cut.Min.Y += int(footCut * float64(cut.Dy()))
	lines, err := p.lines.Lines(ctx, vision.Part(card, cut))
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Text
	}
	return texts, nil
}

// textOf assigns lines to the head and the foot by their position among the others.
func textOf(lines []ppocr.Line) text {
	if len(lines) == 0 {
		return text{}
	}
	top, bottom := extent(lines)
	var t text
	var all []string
	for _, line := range lines {
		all = append(all, line.Text)
		share := float64(line.Box.Min.Y+line.Box.Max.Y-2*top) / 2 / float64(max(1, bottom-top))
		if name := match.WithoutOrigin(line.Text); share <= headLinesShare && name != "" {
			t.head = append(t.head, name)
		}
		if share >= footLinesShare || ratio.MatchString(line.Text) {
			t.foot = append(t.foot, line.Text)
			if line.Confidence >= printedConfidence {
				t.printed = append(t.printed, line.Text)
			}
		}
	}
	t.head = withPoints(t.head)
	t.body = catalog.Words(strings.Join(all, " "))
	return t
}

// extent returns the upper and the lower end of the lines.
func extent(lines []ppocr.Line) (top, bottom int) {
	first := slices.MinFunc(lines, func(a, b ppocr.Line) int { return cmp.Compare(a.Box.Min.Y, b.Box.Min.Y) })
	last := slices.MaxFunc(lines, func(a, b ppocr.Line) int { return cmp.Compare(a.Box.Max.Y, b.Box.Max.Y) })
	return first.Box.Min.Y, last.Box.Max.Y
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
