package judge

import (
	"regexp"
	"strings"
)

// labelNumber is how much the number on the label of a slab counts, which has no total.
const labelNumber = 0.7

// labelled matches the number of the card as PSA prints it.
var labelled = regexp.MustCompile(`#([0-9A-Za-z]{1,8})\b`)

// onLabel returns how certainly a label has the number of a card.
func onLabel(number string, label []string) float64 {
	for _, line := range label {
		for _, match := range labelled.FindAllStringSubmatch(line, -1) {
			if number != "" && strings.EqualFold(strings.TrimLeft(match[1], "0"), strings.TrimLeft(number, "0")) {
				return labelNumber
			}
		}
	}
	return 0
}
