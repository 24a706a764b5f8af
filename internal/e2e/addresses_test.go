package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/users"
)

// addressed are texts with what has a meaning in addresses, spaces around them, and letters in several forms.
var addressed = []string{
	"a%2Fb", "50% off?", "A & B = C", "#1", "1+1", "a+b c", "..", ".", "%", "'\"<>", "Box 1 ", " x", "é", "e\u0301",
	"A;B", "a,b", "\\", "日本語", "🦊", "%00", "null", "none", "true", "~", "\u200bx",
}

// What a list shows can be read by its address: the filter of a text finds its card, in the API and the dashboard.
func TestFilters_FindEveryText(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, true)
	b := s.browser(t, c.account, users.Owner)
	for i, text := range addressed {
		draft, err := json.Marshal(map[string]any{
			"identification": map[string]any{"title": "Card", "set": text, "number": text},
			"location":       "Room/" + text, "sku": text, "external_id": text + strings.Repeat("x", i),
		})
		if err != nil {
			t.Fatal(err)
		}
		made := c.create(string(draft))
		for name, value := range map[string]string{
			"set": text, "number": text, "location": "Room/" + text, "sku": text, "q": text,
			"external_id": text + strings.Repeat("x", i),
		} {
			query := "?" + url.Values{name: {value}}.Encode()
			var found listOf[card]
			c.do(http.MethodGet, "/cards"+query, nil).want(t, http.StatusOK, &found)
			if !hasCard(found.Data, made.ID) {
				t.Errorf("GET /cards%s does not find the card", query)
			}
			if p := b.get("/cards" + query); !strings.Contains(p.body, made.ID) {
				t.Errorf("the page /cards%s does not show the card", query)
			}
		}
	}
}

// hasCard reports whether a list has a card.
func hasCard(list []card, id string) bool {
	for _, c := range list {
		if c.ID == id {
			return true
		}
	}
	return false
}
