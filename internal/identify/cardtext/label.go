package cardtext

import (
	"regexp"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/slab"
)

// labelShare is the share of the text's height, from the top, in which the label of a slab is.
const labelShare = 0.5

// labelNoise matches additions of labels to the name of a card: CINDERWYRM-HOLO, FA/CINDERWYRM.
var labelNoise = regexp.MustCompile(`(?i)^FA/|[-\s](?:REV(?:ERSE)?\.?\s?)?(?:HOLO(?:FOIL)?|FOIL)(?:\sR)?$`)

// splitLabel separates the label of a slab from the lines of the card below it. Without a label, content is nil.
func splitLabel(lines []ppocr.Line) (label []string, content *slab.Label, card []ppocr.Line) {
	shares := heightShares(lines)
	var texts []string // "" for a line that is not read
	for i, line := range lines {
		if shares[i] > labelShare {
			break
		}
		texts = append(texts, line.Text)
	}
	l, ok := slab.Parse(texts)
	if !ok {
		return nil, nil, lines
	}
	for _, text := range texts[:l.Last+1] {
		label = append(label, labelNoise.ReplaceAllString(text, ""))
	}
	return label, &l, lines[l.Last+1:]
}
