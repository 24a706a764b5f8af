package catalog

import (
	"slices"
	"strings"

	"github.com/lib/pq"
)

// Hints are facts about a card that are known before it is identified. Empty values are unknown.
type Hints struct {
	// Game is one of the contract's games. Cards of other games are not found.
	Game string `json:"game,omitempty"`
	// Games are the games of the owner, including Game if it is set. A search finds no cards of other games. None means
	// all games.
	Games []string `json:"-"`
	// Set is the name or the code of a set, and Language a BCP 47 tag. Cards that have them come first among cards that
	// match equally well. If no card has them, they have no effect.
	Set      string `json:"set,omitempty"`
	Language string `json:"language,omitempty"`
}

// IsZero reports whether nothing is known.
func (h Hints) IsZero() bool {
	return h.Game == "" && len(h.Games) == 0 && h.Set == "" && h.Language == ""
}

// Allows reports whether a card of a game can be the one. "" is an unknown game, which is allowed.
func (h Hints) Allows(game string) bool {
	games := h.games()
	return len(games) == 0 || game == "" || slices.Contains(games, game)
}

// games returns the games of the cards that are found; none means all.
func (h Hints) games() []string {
	if h.Game != "" {
		return []string{h.Game}
	}
	return h.Games
}

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

// The first three parameters of a search with hints come from params. allowed is the condition of Allows, and agreement
// is Agreement, for the table catalog_cards with the alias c.
const (
	allowed   = `(cardinality($1::text[]) = 0 OR c.game = ANY($1::text[]))`
	agreement = `(
		($2::text <> '' AND (c.set_key = $2::text OR c.set_code_key = $2::text))::int +
		($3::text <> '' AND c.language <> '' AND (starts_with(lower(c.language) || '-', $3::text || '-')
			OR starts_with($3::text || '-', lower(c.language) || '-')))::int)`
)

// params returns the parameters of a search: the hints, then more.
func (h Hints) params(more ...any) []any {
	return append([]any{append(pq.StringArray{}, h.games()...), h.setKey(), strings.ToLower(h.Language)}, more...)
}
