package e2e

import (
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/config"
)

const fox = "🦊" // one character, two units of UTF-16, four bytes

// TestValuesOutOfBounds: values of the right type that the contract does not allow.
func TestValuesOutOfBounds(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		patch := func(field, body string) {
			table = append(table, bad{"PATCH", "/cards/{card}", body, "invalid_request", field, nil})
		}
		for _, amount := range []string{"12.5", "-1", "-0.5", "1e20", "1e11", "100000000000", "0.1e0", "9007199254740993.5", "1e-1", "1e400", "-1e400", `"5"`, "null", "true"} {
			patch("pricing.asking_price.amount", `{"pricing":{"asking_price":{"currency":"USD","amount":`+amount+`}}}`)
			table = append(table,
				bad{"POST", "/cards", `{"cards":[{"pricing":{"cost":{"currency":"USD","amount":` + amount + `}}}]}`, "invalid_request", "cards.0.pricing.cost.amount", nil},
				bad{"POST", "/listings/{card}/publish", `{"price":{"currency":"USD","amount":` + amount + `}}`, "invalid_request", "price.amount", nil})
		}
		for _, currency := range []string{"usd", "ZZZ", "XXX", "US", "USDT", "", " USD", "$", "840", "Usd", "ＵＳＤ", "DEM"} {
			patch("pricing.cost.currency", `{"pricing":{"cost":{"amount":1,"currency":"`+currency+`"}}}`)
		}
		patch("pricing.cost.currency", `{"pricing":{"cost":{"amount":1}}}`)
		patch("pricing.cost.amount", `{"pricing":{"cost":{"currency":"USD"}}}`)
		patch("pricing.cost", `{"pricing":{"cost":"12.50 USD"}}`)
		patch("pricing.cost.minor", `{"pricing":{"cost":{"amount":1,"currency":"USD","minor":2}}}`)
		for _, path := range []string{"A/B/C/D/E/F", "A//B", "/A", "A/", "/", "A/B/", "a\\u0009b", "a\\nb", "\\u007f", strings.Repeat("x", 201)} {
			patch("location", `{"location":"`+path+`"}`)
		}
		for _, year := range []string{"1799", "2201", "0", "-1", "2026.5", "1e10", "2147483648", "9223372036854775808"} {
			patch("identification.year", `{"identification":{"year":`+year+`}}`)
		}
		for _, language := range []string{"e", "english", "en_US", "en-", "-en", "日本", "12", "en-" + strings.Repeat("a", 33)} {
			patch("identification.language", `{"identification":{"language":"`+language+`"}}`)
		}
		for field, most := range map[string]int{"title": 200, "set": 120, "number": 20, "variant": 60, "catalog_id": 64} {
			for _, character := range []string{"x", fox, "é", "e\u0301"[1:], "\u200b", "م"} {
				patch("identification."+field, `{"identification":{"`+field+`":"`+strings.Repeat(character, most+1)+`"}}`)
			}
			for _, text := range []string{"", "\\t", "a\\nb", "a\\u0001b", "\\u007f", "a\\rb"} {
				patch("identification."+field, `{"identification":{"`+field+`":"`+text+`"}}`)
			}
		}
		patch("identification.title", `{"identification":{"title":"   "}}`)
		patch("sku", `{"sku":"`+strings.Repeat(fox, 81)+`"}`)
		patch("notes", `{"notes":"`+strings.Repeat(fox, 4001)+`"}`)
		for _, condition := range []string{"nm", "Mint", "NM ", "M", ""} {
			patch("identification.condition", `{"identification":{"condition":"`+condition+`"}}`)
		}
		patch("identification.game", `{"identification":{"game":"Pokemon"}}`)
		patch("identification.grade.cert_number", `{"identification":{"grade":{"company":"PSA","value":"9"}}}`)
		patch("identification.grade.value", `{"identification":{"grade":{"company":"PSA","value":9.5,"cert_number":null}}}`)
		patch("identification.grade.company", `{"identification":{"grade":{"company":"`+strings.Repeat("P", 21)+`","value":"9","cert_number":null}}}`)
		return table
	})
}

// TestFieldsThatAreNotTaken: unknown fields, those of answers, and those spelt in another case.
func TestFieldsThatAreNotTaken(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, field := range []string{
			"Notes", "NOTES", "notes ", "nötes", "id", "title", "set", "number", "version", "workflow_status", "status", "account_id", "created_at", "updated_at",
			"listing_id", "batchId", "batch", "price", "photos", "identify", "__proto__", "constructor", "$where", "notes.x", "", strings.Repeat("x", 250),
		} {
			name := field
			if field == "" {
				name = `""`
			}
			table = append(table, bad{"PATCH", "/cards/{card}", `{"notes":"mine","` + field + `":null}`, "invalid_request", name, nil})
		}
		for path, body := range map[string]string{
			"/cards": `{"cards":[{"notes":"x"}],"FIELD":1}`, "/batches": `{"name":"x","FIELD":1}`,
			"/listings/{card}/publish": `{"FIELD":1}`, "/price-lookup": `{"FIELD":1}`,
		} {
			table = append(table, bad{"POST", path, strings.ReplaceAll(body, "FIELD", "Name"), "invalid_request", "Name", nil})
		}
		return append(table,
			bad{"POST", "/cards", `{"cards":[{"notes":"x"},{"archived":true}]}`, "invalid_request", "cards.1.archived", nil},
			bad{"POST", "/cards", `{"cards":[{"identification":{"status":"identified"}}]}`, "invalid_request", "cards.0.identification.status", nil},
			bad{"PATCH", "/cards/{card}", `{"identification":{"Title":"x"}}`, "invalid_request", "identification.Title", nil},
			bad{"PATCH", "/cards/{card}", `{"identification":{"source":"ai"}}`, "invalid_request", "identification.source", nil},
			bad{"PATCH", "/cards/{card}", `{"pricing":{"priced_at":"2026-05-11T15:32:01Z"}}`, "invalid_request", "pricing.priced_at", nil})
	})
}

// TestImportsAndLookUpsThatAreRefused: rules over several fields, and things that are not there.
func TestImportsAndLookUpsThatAreRefused(t *testing.T) {
	refusals(t, func(c *client, _ possessions) []bad {
		bare := c.create(`{"identify":false}`)
		many := func(n int) string { return `{"cards":[` + strings.TrimSuffix(strings.Repeat(`{},`, n), ",") + `]}` }
		front := `{"url":"https://photos.example/x.jpg","role":"front"}`
		return []bad{
			{"POST", "/cards", many(0), "invalid_request", "cards", nil},
			{"POST", "/cards", many(501), "invalid_request", "cards", nil},
			{"POST", "/cards", many(100_000), "invalid_request", "cards", nil},
			{"POST", "/cards", `{}`, "invalid_request", "cards", nil},
			{"POST", "/cards", `{"cards":[{},{"photos":[` + front + `,` + front + `]}]}`, "invalid_request", "cards.1.photos", nil},
			{"POST", "/cards", `{"cards":[{"photos":[` + front + `,` + front + `,` + front + `,` + front + `]}]}`, "invalid_request", "cards.0.photos", nil},
			{"POST", "/cards", `{"cards":[{"photos":[{"url":"https://photos.example/x.jpg"}]}]}`, "invalid_request", "cards.0.photos.0.role", nil},
			{"POST", "/cards", `{"cards":[{"batch_id":"bat_01k5w0q2m7t9c3r5v8x0z1b4d6"}]}`, "batch_not_found", "", nil},
			{"POST", "/cards", `{"cards":[{"batch_id":"{card}"}]}`, "invalid_request", "cards.0.batch_id", nil},
			{"PATCH", "/cards/{card}", `{"notes":"x","batch_id":"bat_01k5w0q2m7t9c3r5v8x0z1b4d6"}`, "batch_not_found", "", nil},
			{"PATCH", "/cards/{card}", `{"identification":{"title":null},"notes":"x"}`, "invalid_request", "identification.title", nil},
			{"POST", "/identify", `{}`, "invalid_request", "body", nil},
			{"POST", "/identify", `{"card_id":"{card}","photo_url":"https://photos.example/x.jpg"}`, "invalid_request", "body", nil},
			{"POST", "/identify", `{"card_id":"` + bare.ID + `"}`, "card_has_no_photo", "", nil},
			{"POST", "/price-lookup", `{"card_id":"{card}","card":{"title":"x"}}`, "invalid_request", "body", nil},
			{"POST", "/price-lookup", `{"card":{"set":"x"}}`, "invalid_request", "card.title", nil},
			{"POST", "/price-lookup", `{"card":{"title":"No such card"}}`, "no_price_found", "", nil},
			{"POST", "/price-lookup", `{"card_id":"` + bare.ID + `"}`, "card_not_identified", "", nil},
			{"POST", "/listings/" + bare.ID + "/publish", `{}`, "card_not_identified", "", nil},
			{"POST", "/listings/{card}/publish", `{"title":"` + strings.Repeat(fox, 81) + `"}`, "invalid_request", "title", nil},
			{"POST", "/listings/{card}/publish", `{"marketplace":"amazon"}`, "invalid_request", "marketplace", nil},
			{"POST", "/listings/{listing}/publish", `{}`, "card_not_found", "", nil},
			{"POST", "/listings/{card}/end", nil, "listing_not_found", "", nil},
			{"POST", "/listings/{listing}/end", `{"reason":"x"}`, "invalid_request", "body", nil},
			{"POST", "/batches/{batch}/complete", `[]`, "invalid_request", "body", nil},
			{"POST", "/batches", `{"name":" "}`, "invalid_request", "name", nil},
			{"POST", "/batches", `{"name":"x","description":"` + strings.Repeat(fox, 1001) + `"}`, "invalid_request", "description", nil},
			{"GET", "/batches/{card}", nil, "batch_not_found", "", nil},
			{"GET", "/cards/{batch}", nil, "card_not_found", "", nil},
			{"GET", "/events/{listing}", nil, "event_not_found", "", nil},
			{"DELETE", "/cards/{card}/photos/front", nil, "photo_not_found", "", nil},
			{"PUT", "/cards/{card}/photos/{photo}", blank(t), "route_not_found", "", []string{"Content-Type: image/jpeg"}},
			{"PUT", "/cards/{card}/photos/FRONT", blank(t), "route_not_found", "", []string{"Content-Type: image/jpeg"}},
		}
	})
}

// TestAddressesThatAreNotFetched: what is no web address.
func TestAddressesThatAreNotFetched(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	before := s.snapshot(t)
	for _, address := range []string{
		"", "x", "photos.example/x.jpg", "//photos.example/x", "ftp://photos.example/x", "file:///etc/passwd", "HTTPS://photos.example/x", "https:photos.example",
		"https://", "https:///x", "https://[", "https://photos.example/ x", "https://photos.example/\\u0007", "https://фото.example/x", "https://photos.example:port/x",
		"javascript:alert(1)", "data:image/png;base64,AA==", "https://" + strings.Repeat("x", 2048),
	} {
		c.refuse(possessions{}, bad{"POST", "/identify", `{"photo_url":"` + address + `"}`, "invalid_request", "photo_url", nil})
		c.refuse(possessions{}, bad{"POST", "/cards", `{"cards":[{"photos":[{"role":"front","url":"` + address + `"}]}]}`, "invalid_request", "cards.0.photos.0.url", nil})
	}
	s.unchanged(t, before)
}

// Outside development private addresses are refused, in every spelling.
func TestPrivateAddressesAreForbidden(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.AllowPrivateNetworks, c.SecretKey = false, strings.Repeat("A", 43)+"=" })
	c := s.client(t, false)
	before := s.snapshot(t)
	for _, address := range []string{
		"http://photos.example/x.jpg", "https://127.0.0.1/x", "https://127.1/x", "https://2130706433/x", "https://0x7f000001/x", "https://0/x", "https://[::1]/x",
		"https://[::ffff:127.0.0.1]/x", "https://10.0.0.1/x", "https://192.168.1.1/x", "https://169.254.169.254/latest/meta-data", "https://[fe80::1]/x",
		"https://[fd00::1]/x", "https://0.0.0.0/x", "https://224.0.0.1/x", "https://100.64.0.1/x", "https://localhost/x", "https://user:password@127.0.0.1/x",
	} {
		c.refuse(possessions{}, bad{"POST", "/identify", `{"photo_url":"` + address + `"}`, "photo_forbidden", "", nil})
	}
	s.unchanged(t, before)
}
