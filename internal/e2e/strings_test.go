package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

// strange are strings that the contract allows and that programs often change.
var strange = map[string]string{
	"200 emoji":                    strings.Repeat(fox, 200),
	"200 of a family":              strings.Repeat("👩‍👩‍👧‍👦", 28) + "👩‍👩‍",
	"right to left":                "שלום עליכם \u202e\u2066العربية\u2069\u202c",
	"combining marks":              "Cafe\u0301 Z\u0351\u036b\u0343\u036aalgo",
	"composed":                     "Caf\u00e9",
	"zero width":                   "a\u200bb\u200c\u200d\u2060\ufeffc",
	"C1 controls":                  "a\u0080\u009f",
	"noncharacters":                "\ufffe\uffff\U0001ffff\U0010ffff",
	"private use and replacement":  "\ue000\uf8ff\ufffd",
	"spaces at both ends":          "  Ember  Fox \u00a0",
	"Turkish i and sharp s":        "İıSsß ẞ ﬁ",
	"full width":                   "ＵＳＤ　１２",
	"CJK beyond the basic plane":   "𠮷野家 한국어 ひらがな",
	"markup":                       `<script>alert("x")</script>&amp;&#0;<!--`,
	"SQL":                          `'; DROP TABLE cards; --`,
	"LIKE and escapes":             `100% _ \ \\ \' \u0000 %00 %s %d ${x} {{x}}`,
	"JSON":                         `{"a":"\ud800"}`,
	"quotation marks":              `"'` + "`" + `“”„«»`,
	"a number":                     "1e400",
	"null":                         "null",
	"a formula":                    `=HYPERLINK("http://x")`,
	"not normalised Hangul":        "\u1112\u1161\u11ab",
	"flags and skin and variation": "🇩🇪👋🏿✈️✈︎",
}

// TestStrings_RoundTrip checks that the service returns every string unchanged in writes, reads, lists and events, and
// that filters find it.
func TestStrings_RoundTrip(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	for name, text := range strange {
		t.Run(name, func(t *testing.T) { c.in(t).checkRoundTrip(text) })
	}
	var identified listOf[received]
	c.do("GET", "/events?event=card.identified&limit=200", nil).want(t, http.StatusOK, &identified)
	titles := map[string]bool{}
	for _, e := range identified.Data {
		titles[e.Data["title"].(string)] = true
	}
	for name, text := range strange {
		if !titles[text] {
			t.Errorf("%s: no event has this title", name)
		}
	}
}

// checkRoundTrip creates a card with a text in all of its fields, reads, changes and finds it.
func (c *client) checkRoundTrip(text string) {
	c.t.Helper()
	short := text
	if runes := []rune(text); len(runes) > 20 {
		short = string(runes[:20])
	}
	draft, err := json.Marshal(map[string]any{
		"notes":          text,
		"sku":            short,
		"identify":       false,
		"identification": map[string]string{"title": text, "number": short, "set": short},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	var created listOf[described]
	c.do("POST", "/cards", `{"cards":[`+string(draft)+`]}`).want(c.t, http.StatusCreated, &created)
	got := created.Data[0]
	want := described{ID: got.ID, Title: text, Set: short, Number: short, Notes: text, Sku: short}
	want.Identification.Title, want.Identification.Set, want.Identification.Number = text, short, short
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("the created card differs (-want +got):\n%s", diff)
	}
	var read, patched described
	c.do("GET", "/cards/"+got.ID, nil).want(c.t, http.StatusOK, &read)
	if diff := cmp.Diff(want, read); diff != "" {
		c.t.Errorf("the read card differs (-want +got):\n%s", diff)
	}
	patch, err := json.Marshal(map[string]string{"notes": text})
	if err != nil {
		c.t.Fatal(err)
	}
	c.do("PATCH", "/cards/"+got.ID, string(patch)).want(c.t, http.StatusOK, &patched)
	if diff := cmp.Diff(want, patched); diff != "" {
		c.t.Errorf("the patched card differs (-want +got):\n%s", diff)
	}
	for _, filter := range []string{"set", "number", "sku"} {
		c.checkFound(filter, short, want)
	}
	if words := strings.Fields(text); len(words) > 0 && len([]rune(words[0])) <= 100 {
		c.checkFound("q", words[0], want)
	}
}

// described holds the fields of a card that its owner writes.
type described struct {
	ID, Title, Set, Number, Notes, Sku string
	Identification                     struct{ Title, Set, Number string }
}

// checkFound reports an error unless a filter with a value finds the card.
func (c *client) checkFound(filter, value string, want described) {
	c.t.Helper()
	var found listOf[described]
	c.do("GET", "/cards?limit=200&"+filter+"="+url.QueryEscape(value), nil).want(c.t, http.StatusOK, &found)
	if !slices.Contains(found.Data, want) {
		c.t.Errorf("%s=%q finds %d cards without this one", filter, value, len(found.Data))
	}
}

// TestStrings_Equivalent checks that a filter finds a text in its composed and in its decomposed form, because some
// programs write the one and some the other, and that it distinguishes texts that only look alike. Each card keeps the
// text that was sent.
func TestStrings_Equivalent(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	skus := []string{"é", "e\u0301", "E\u0301", "ss", "ß", "K", "\u212a", "A", "Α", "a\u200b", "a", "a ", " a"}
	for _, sku := range skus {
		quoted, err := json.Marshal(sku)
		if err != nil {
			t.Fatal(err)
		}
		c.create(`{"sku":` + string(quoted) + `}`)
	}
	for _, sku := range skus {
		t.Run(strconv.QuoteToASCII(sku), func(t *testing.T) {
			var got listOf[described]
			c.in(t).do("GET", "/cards?sku="+url.QueryEscape(sku), nil).want(t, http.StatusOK, &got)
			var found, want []string
			for _, card := range got.Data {
				found = append(found, card.Sku)
			}
			for _, other := range skus {
				if slices.Contains([]string{sku, norm.NFC.String(sku), norm.NFD.String(sku)}, other) {
					want = append(want, other)
				}
			}
			slices.Sort(found)
			slices.Sort(want)
			if diff := cmp.Diff(want, found); diff != "" {
				t.Errorf("the SKUs of the cards (-want +got):\n%s", diff)
			}
		})
	}
}

// TestStrings_MaxLength sends the longest values that the contract allows. The bounds are inclusive and count
// characters, not bytes and not UTF-16 code units.
func TestStrings_MaxLength(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	long := func(n int) string { return strings.Repeat(fox, n) }
	made := c.create(`{
		"identify": false,
		"notes": "` + long(4000) + `",
		"sku": "` + long(80) + `",
		"location": "` + strings.Repeat(long(39)+"/", 4) + long(40) + `",
		"identification": {
			"title": "` + long(200) + `",
			"set": "` + long(120) + `",
			"number": "` + long(20) + `",
			"variant": "` + long(60) + `",
			"catalog_id": "` + long(64) + `",
			"year": 2200,
			"language": "en-` + strings.Repeat("abcdefgh-", 3) + `abcde",
			"grade": {"company": "` + long(20) + `", "value": "` + long(10) + `", "cert_number": "` + long(30) + `"}
		},
		"pricing": {
			"cost": {"amount": 99999999999, "currency": "JPY"},
			"asking_price": {"amount": 0, "currency": "KWD"}
		}
	}`)
	c.do("GET", "/cards/"+made.ID, nil).want(t, http.StatusOK, nil)
	filter := "max_price=0&min_price=0&location=" + url.QueryEscape(long(39))
	c.do("GET", "/cards?"+filter, nil).want(t, http.StatusOK, nil)
	batch := `{"name":"` + long(120) + `","description":"` + long(1000) + `"}`
	c.do("POST", "/batches", batch).want(t, http.StatusCreated, nil)
	drafts := strings.Repeat(`{"notes":"`+strings.Repeat("x", 4000)+`"},`, 500)
	var many listOf[card]
	c.do("POST", "/cards", `{"cards":[`+strings.TrimSuffix(drafts, ",")+`]}`).want(t, http.StatusCreated, &many)
	if len(many.Data) != 500 {
		t.Errorf("created %d cards, want 500", len(many.Data))
	}
}
