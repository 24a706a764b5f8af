package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// sportsCard completes a card of a row with a player. Its set begins with the brand, its variant ends with the number
// of copies, and its name, unless the row has one, is composed as sellers write it: "2018 Topps Chrome Ana Example #150
// Gold Refractor /50 RC Auto".
func (r csvRow) sportsCard(c *Card) error {
	player, team, brand := r.get("player"), r.get("team"), r.get("brand")
	if r.get("game") == "" {
		c.Game = "sports"
	}
	copies, err := copiesOf(r.get("numbered_to"))
	if err != nil {
		return err
	}
	if !strings.Contains(textKey(c.Set)+" ", textKey(brand)+" ") {
		c.Set = strings.TrimSpace(brand + " " + c.Set)
	}
	c.Variant = strings.TrimSpace(c.Variant + " " + copies)
	if c.Name == "" {
		c.Name = r.sportsName(*c)
	}
	texts := []string{c.Text, player, team, brand}
	c.Text = strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
	return nil
}

// sportsName composes the name of a card.
func (r csvRow) sportsName(c Card) string {
	parts := []string{c.Set, r.get("player")}
	if year := strconv.Itoa(c.Year); c.Year != 0 && !strings.HasPrefix(c.Set, year) {
		parts = slices.Insert(parts, 0, year)
	}
	if c.Number != "" {
		parts = append(parts, "#"+strings.TrimPrefix(c.Number, "#"))
	}
	parts = append(parts, c.Variant)
	for _, flag := range []struct{ column, mark string }{{"rookie", "RC"}, {"autograph", "Auto"}, {"relic", "Relic"}} {
		if isYes(r.get(flag.column)) {
			parts = append(parts, flag.mark)
		}
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// copiesOf returns the number of copies of a numbered card as sellers write it, such as /50. It is given as 50, /50,
// 12/50 or 1 of 50.
func copiesOf(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	number := text
	for _, before := range []string{"/", " of "} {
		if _, after, found := strings.Cut(text, before); found {
			number = after
		}
	}
	copies, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || copies < 1 {
		return "", fmt.Errorf("numbered_to %q is not a number of copies such as 50 or 12/50", text)
	}
	return "/" + strconv.Itoa(copies), nil
}

// isYes reports whether a cell means yes.
func isYes(cell string) bool {
	return slices.Contains([]string{"1", "true", "yes", "y", "x", "rc", "auto", "relic"}, strings.ToLower(cell))
}
