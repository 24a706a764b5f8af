package e2e

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// strange are strings that the contract allows and that programs like to mangle.
var strange = map[string]string{
	"200 emoji":                    strings.Repeat(fox, 200),
	"200 of a family":              strings.Repeat("👩‍👩‍👧‍👦", 28) + "👩‍👩‍",
	"right to left":                "שלום עליכם \u202e\u2066العربية\u2069\u202c",
	"combining marks":              "Cafe\u0301 Z\u0351\u036b\u0343\u036aalgo",
	"composed":                     "Caf\u00e9",
	"zero width":                   "a\u200bb\u200c\u200d\u2060\ufeffc",
	"nothing but a zero width":     "\u200b",
	"line separators":              "a\u2028b\u2029c\u0085d",
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

// Every string that is taken comes back as it was sent: from the write, from a read, from a list, by
// every filter, and in the event.
func TestStrangeStringsComeBackUnchanged(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	for name, text := range strange {
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		short := text
		if runes := []rune(text); len(runes) > 20 {
			short = string(runes[:20])
		}
		number, _ := json.Marshal(short)
		var made listOf[described]
		c.do("POST", "/cards", `{"cards":[{"notes":`+string(quoted)+`,"sku":`+string(number)+`,"identify":false,"identification":{"title":`+string(quoted)+
			`,"number":`+string(number)+`,"set":`+string(number)+`}}]}`).want(t, http.StatusCreated, &made)
		want := made.Data[0]
		if want.Title != text || want.Identification.Title != text || want.Notes != text || want.Number != short || want.Set != short || want.Sku != short {
			t.Errorf("%s: %+v, want %q", name, want, text)
		}
		var read, patched described
		c.do("GET", "/cards/"+want.ID, nil).want(t, http.StatusOK, &read)
		c.do("PATCH", "/cards/"+want.ID, `{"notes":`+string(quoted)+`}`).want(t, http.StatusOK, &patched)
		if read != want || patched != want {
			t.Errorf("%s: read %+v, patched %+v, want %+v", name, read, patched, want)
		}
		for _, filter := range []string{"set", "number", "sku"} {
			c.finds(name, filter, short, want)
		}
		if words := strings.Fields(text); len(words) > 0 && len([]rune(words[0])) <= 100 {
			c.finds(name, "q", words[0], want)
		}
	}
	var happened listOf[received]
	c.do("GET", "/events?event=card.identified&limit=200", nil).want(t, http.StatusOK, &happened)
	told := map[string]bool{}
	for _, e := range happened.Data {
		told[e.Data["title"].(string)] = true
	}
	for name, text := range strange {
		if !told[text] {
			t.Errorf("%s: no event has this title", name)
		}
	}
}

// described is what a card's owner writes about it. Its fields are comparable.
type described struct {
	ID, Title, Set, Number, Notes, Sku string
	Identification                     struct{ Title, Set, Number string }
}

// finds fails the test unless a filter by the value finds the card.
func (c *client) finds(name, filter, value string, want described) {
	c.t.Helper()
	var found listOf[described]
	c.do("GET", "/cards?limit=200&"+filter+"="+url.QueryEscape(value), nil).want(c.t, http.StatusOK, &found)
	for _, card := range found.Data {
		if card == want {
			return
		}
	}
	c.t.Errorf("%s: not among the %d cards found by %s=%q", name, len(found.Data), filter, value)
}

// What only looks alike is not the same: filters do not normalise.
func TestLookAlikesAreApart(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	for _, sku := range []string{"é", "e\u0301", "E\u0301", "ss", "ß", "K", "\u212a", "A", "Α", "a\u200b", "a", "a ", " a"} {
		quoted, err := json.Marshal(sku)
		if err != nil {
			t.Fatal(err)
		}
		c.create(`{"sku":` + string(quoted) + `}`)
		var found listOf[described]
		c.do("GET", "/cards?sku="+url.QueryEscape(sku), nil).want(t, http.StatusOK, &found)
		if len(found.Data) != 1 || found.Data[0].Sku != sku {
			t.Errorf("%q: %+v", sku, found.Data)
		}
	}
}

// Bounds count characters, neither bytes nor units of UTF-16, and are inclusive.
func TestLongestValuesAreTaken(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	long := func(n int) string { return strings.Repeat(fox, n) }
	made := c.create(`{"identify":false,"notes":"` + long(4000) + `","sku":"` + long(80) + `","location":"` + strings.Repeat(long(39)+"/", 4) + long(40) + `",
		"identification":{"title":"` + long(200) + `","set":"` + long(120) + `","number":"` + long(20) + `","variant":"` + long(60) + `","catalog_id":"` + long(64) + `",
		"year":2200,"language":"en-` + strings.Repeat("abcdefgh-", 3) + `abcde","grade":{"company":"` + long(20) + `","value":"` + long(10) + `","cert_number":"` + long(30) + `"}},
		"pricing":{"cost":{"amount":99999999999,"currency":"JPY"},"asking_price":{"amount":0,"currency":"KWD"}}}`)
	c.do("GET", "/cards/"+made.ID, nil).want(t, http.StatusOK, nil)
	c.do("GET", "/cards?max_price=0&min_price=0&location="+url.QueryEscape(long(39)), nil).want(t, http.StatusOK, nil)
	c.do("POST", "/batches", `{"name":"`+long(120)+`","description":"`+long(1000)+`"}`).want(t, http.StatusCreated, nil)
	body := `{"cards":[` + strings.TrimSuffix(strings.Repeat(`{"notes":"`+strings.Repeat("x", 4000)+`"},`, 500), ",") + `]}`
	var many listOf[card]
	c.do("POST", "/cards", body).want(t, http.StatusCreated, &many)
	if len(many.Data) != 500 {
		t.Errorf("%d cards", len(many.Data))
	}
}
