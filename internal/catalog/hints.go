package catalog

import "strings"

// Hints are what is known about a card before it is identified. Empty values are not known.
type Hints struct {
	// Game is one of the contract's games. Cards of other games are not found.
	Game string `json:"game,omitempty"`
	// Set is the name or the code of a set, and Language a BCP 47 tag. Cards that have them come first among cards that
	// match equally well. If no card has them, they have no effect.
	Set      string `json:"set,omitempty"`
	Language string `json:"language,omitempty"`
}

// IsZero reports whether nothing is known.
func (h Hints) IsZero() bool { return h == Hints{} }

// Allows reports whether a card of a game can be the one. "" is an unknown game, which is allowed.
func (h Hints) Allows(game string) bool { return h.Game == "" || game == "" || game == h.Game }

// Agreement returns how many of Set and Language a card has, from 0 to 2.
func (h Hints) Agreement(c Card) (n int) {
	if key := h.setKey(); key != "" && (key == textKey(c.Set) || key == textKey(c.SetCode)) {
		n++
	}
	if sameLanguage(h.Language, c.Language) {
		n++
	}
	return n
}

func (h Hints) setKey() string { return textKey(clean(h.Set)) }

// sameLanguage reports whether two tags are equal or one is a more exact form of the other, as pt-BR is of pt.
func sameLanguage(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	a, b = strings.ToLower(a)+"-", strings.ToLower(b)+"-"
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// The first three parameters of a search with hints are those of params. allowed is the condition of Allows, and
// agreement is Agreement, for the table catalog_cards with the alias c.
const (
	allowed   = `($1::text = '' OR c.game = $1::text)`
	agreement = `(
		($2::text <> '' AND (c.set_key = $2::text OR c.set_code_key = $2::text))::int +
		($3::text <> '' AND c.language <> '' AND (starts_with(lower(c.language) || '-', $3::text || '-')
			OR starts_with($3::text || '-', lower(c.language) || '-')))::int)`
)

// params returns the parameters of a search: those of the hints, and then more.
func (h Hints) params(more ...any) []any {
	return append([]any{h.Game, h.setKey(), strings.ToLower(h.Language)}, more...)
}
