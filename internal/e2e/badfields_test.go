package e2e

import (
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/config"
)

const fox = "🦊" // one character, two units of UTF-16, four bytes

// TestBodies_ValuesOutOfBounds sends values of the right type that the contract does not allow.
func TestBodies_ValuesOutOfBounds(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		patch := func(field, body string) {
			table = append(table, invalid("PATCH", "/cards/{card}", body, field))
		}
		for _, amount := range []string{
			"12.5", "-1", "-0.5", "1e20", "1e11", "100000000000", "0.1e0", "9007199254740993.5", "1e-1", "1e400",
			"-1e400", `"5"`, "null", "true",
		} {
			money := `{"currency":"USD","amount":` + amount + `}`
			patch("pricing.asking_price.amount", `{"pricing":{"asking_price":`+money+`}}`)
			table = append(table,
				invalid("POST", "/cards", `{"cards":[{"pricing":{"cost":`+money+`}}]}`, "cards.0.pricing.cost.amount"),
				invalid("POST", "/listings/{card}/publish", `{"price":`+money+`}`, "price.amount"))
		}
		for _, currency := range []string{
			"usd", "ZZZ", "XXX", "US", "USDT", "", " USD", "$", "840", "Usd", "ＵＳＤ", "DEM",
		} {
			patch("pricing.cost.currency", `{"pricing":{"cost":{"amount":1,"currency":"`+currency+`"}}}`)
		}
		patch("pricing.cost.currency", `{"pricing":{"cost":{"amount":1}}}`)
		patch("pricing.cost.amount", `{"pricing":{"cost":{"currency":"USD"}}}`)
		patch("pricing.cost", `{"pricing":{"cost":"12.50 USD"}}`)
		patch("pricing.cost.minor", `{"pricing":{"cost":{"amount":1,"currency":"USD","minor":2}}}`)
		for _, location := range []string{
			"A/B/C/D/E/F", "A//B", "/A", "A/", "/", "A/B/", "a\\u0009b", "a\\nb", "\\u007f", strings.Repeat("x", 201),
		} {
			patch("location", `{"location":"`+location+`"}`)
		}
		for _, year := range []string{
			"1799", "2201", "0", "-1", "2026.5", "1e10", "2147483648", "9223372036854775808",
		} {
			patch("identification.year", `{"identification":{"year":`+year+`}}`)
		}
		for _, language := range []string{
			"e", "english", "en_US", "en-", "-en", "日本", "12", "en-" + strings.Repeat("a", 33),
		} {
			patch("identification.language", `{"identification":{"language":"`+language+`"}}`)
		}
		for field, longest := range map[string]int{
			"title": 200, "set": 120, "number": 20, "variant": 60, "catalog_id": 64,
		} {
			for _, character := range []string{"x", fox, "é", "e\u0301"[1:], "\u200b", "م"} {
				text := strings.Repeat(character, longest+1)
				patch("identification."+field, `{"identification":{"`+field+`":"`+text+`"}}`)
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
		patch("identification.grade.value",
			`{"identification":{"grade":{"company":"PSA","value":9.5,"cert_number":null}}}`)
		company := strings.Repeat("P", 21)
		patch("identification.grade.company",
			`{"identification":{"grade":{"company":"`+company+`","value":"9","cert_number":null}}}`)
		return table
	})
}

// TestBodies_UnknownFields sends fields that the contract does not define, those that only responses have, and those
// that differ in case.
func TestBodies_UnknownFields(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, field := range []string{
			"Notes", "NOTES", "notes ", "nötes", "id", "title", "set", "number", "version", "workflow_status", "status",
			"account_id", "created_at", "updated_at", "listing_id", "batchId", "batch", "price", "photos", "identify",
			"__proto__", "constructor", "$where", "notes.x", "", strings.Repeat("x", 250),
		} {
			name := field
			if field == "" {
				name = `""`
			}
			table = append(table, invalid("PATCH", "/cards/{card}", `{"notes":"mine","`+field+`":null}`, name))
		}
		return append(table,
			invalid("POST", "/cards", `{"cards":[{"notes":"x"}],"Name":1}`, "Name"),
			invalid("POST", "/batches", `{"name":"x","Name":1}`, "Name"),
			invalid("POST", "/listings/{card}/publish", `{"Name":1}`, "Name"),
			invalid("POST", "/price-lookup", `{"Name":1}`, "Name"),
			invalid("POST", "/cards", `{"cards":[{"notes":"x"},{"archived":true}]}`, "cards.1.archived"),
			invalid("POST", "/cards", `{"cards":[{"identification":{"status":"identified"}}]}`,
				"cards.0.identification.status"),
			invalid("PATCH", "/cards/{card}", `{"identification":{"Title":"x"}}`, "identification.Title"),
			invalid("PATCH", "/cards/{card}", `{"identification":{"source":"ai"}}`, "identification.source"),
			invalid("PATCH", "/cards/{card}", `{"pricing":{"priced_at":"2026-05-11T15:32:01Z"}}`, "pricing.priced_at"))
	})
}

// TestRequests_BrokenRules breaks rules over several fields and names things that do not exist.
func TestRequests_BrokenRules(t *testing.T) {
	refusals(t, func(c *client, _ possessions) []bad {
		bare := c.create(`{"identify":false}`)
		many := func(n int) string { return `{"cards":[` + strings.TrimSuffix(strings.Repeat(`{},`, n), ",") + `]}` }
		fronts := func(n int) string {
			front := `{"url":"https://photos.example/x.jpg","role":"front"},`
			return `{"photos":[` + strings.TrimSuffix(strings.Repeat(front, n), ",") + `]}`
		}
		const publish = "/listings/{card}/publish"
		jpeg := []string{"Content-Type: image/jpeg"}
		return []bad{
			invalid("POST", "/cards", many(0), "cards"),
			invalid("POST", "/cards", many(501), "cards"),
			invalid("POST", "/cards", many(100_000), "cards"),
			invalid("POST", "/cards", `{}`, "cards"),
			invalid("POST", "/cards", `{"cards":[{},`+fronts(2)+`]}`, "cards.1.photos"),
			invalid("POST", "/cards", `{"cards":[`+fronts(4)+`]}`, "cards.0.photos"),
			invalid("POST", "/cards", `{"cards":[{"photos":[{"url":"https://photos.example/x.jpg"}]}]}`,
				"cards.0.photos.0.role"),
			{"POST", "/cards", `{"cards":[{"batch_id":"bat_01k5w0q2m7t9c3r5v8x0z1b4d6"}]}`, "batch_not_found", "", nil},
			invalid("POST", "/cards", `{"cards":[{"batch_id":"{card}"}]}`, "cards.0.batch_id"),
			{"PATCH", "/cards/{card}", `{"notes":"x","batch_id":"bat_01k5w0q2m7t9c3r5v8x0z1b4d6"}`,
				"batch_not_found", "", nil},
			invalid("PATCH", "/cards/{card}", `{"identification":{"title":null},"notes":"x"}`, "identification.title"),
			invalid("POST", "/identify", `{}`, "body"),
			invalid("POST", "/identify", `{"card_id":"{card}","photo_url":"https://photos.example/x.jpg"}`, "body"),
			invalid("POST", "/identify", `{"hints":{"game":"magic"}}`, "body"),
			{"POST", "/identify", `{"card_id":"` + bare.ID + `"}`, "card_has_no_photo", "", nil},
			invalid("POST", "/price-lookup", `{"card_id":"{card}","card":{"title":"x"}}`, "body"),
			invalid("POST", "/price-lookup", `{"card":{"set":"x"}}`, "card.title"),
			invalid("POST", "/price-lookup", `{"card_id":"{card}","card_ids":["{card}"]}`, "body"),
			invalid("POST", "/price-lookup", `{"card_ids":["{card}"],"card":{"title":"x"}}`, "body"),
			invalid("POST", "/price-lookup", `{"card_id":"{card}","card_ids":["{card}"],"card":{"title":"x"}}`, "body"),
			invalid("POST", "/price-lookup", `{"card_ids":[]}`, "card_ids"),
			invalid("POST", "/price-lookup", `{"card_ids":null}`, "card_ids"),
			invalid("POST", "/price-lookup", `{"card_ids":"{card}"}`, "card_ids"),
			invalid("POST", "/price-lookup", `{"card_ids":["{card}","x"]}`, "card_ids.1"),
			invalid("POST", "/price-lookup", `{"card_ids":["{card}","{card}"]}`, "card_ids.1"),
			invalid("POST", "/price-lookup", `{"card_ids":[`+strings.Repeat(`"{card}",`, 50)+`"{card}"]}`, "card_ids"),
			invalid("POST", "/price-lookup", `{"card_ids":["{card}"],"hints":{}}`, "hints"),
			{"POST", "/price-lookup", `{"card":{"title":"No such card"}}`, "no_price_found", "", nil},
			{"POST", "/price-lookup", `{"card_id":"` + bare.ID + `"}`, "card_not_identified", "", nil},
			{"POST", "/listings/" + bare.ID + "/publish", `{}`, "card_not_identified", "", nil},
			invalid("POST", publish, `{"title":"`+strings.Repeat(fox, 81)+`"}`, "title"),
			invalid("POST", publish, `{"marketplace":"amazon"}`, "marketplace"),
			{"POST", "/listings/{listing}/publish", `{}`, "card_not_found", "", nil},
			{"POST", "/listings/{card}/end", nil, "listing_not_found", "", nil},
			invalid("POST", "/listings/{listing}/end", `{"reason":"x"}`, "body"),
			invalid("POST", "/batches/{batch}/complete", `[]`, "body"),
			invalid("POST", "/batches", `{"name":" "}`, "name"),
			invalid("POST", "/batches", `{"name":"x","description":"`+strings.Repeat(fox, 1001)+`"}`, "description"),
			{"GET", "/batches/{card}", nil, "batch_not_found", "", nil},
			{"GET", "/cards/{batch}", nil, "card_not_found", "", nil},
			{"GET", "/events/{listing}", nil, "event_not_found", "", nil},
			{"DELETE", "/cards/{card}/photos/front", nil, "photo_not_found", "", nil},
			{"PUT", "/cards/{card}/photos/{photo}", blank(t), "route_not_found", "", jpeg},
			{"PUT", "/cards/{card}/photos/FRONT", blank(t), "route_not_found", "", jpeg},
		}
	})
}

// TestPhotoURLs_Invalid sends what the contract does not accept as the URL of a photo.
func TestPhotoURLs_Invalid(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, url := range []string{
			"", "x", "photos.example/x.jpg", "//photos.example/x", "ftp://photos.example/x", "file:///etc/passwd",
			"https:photos.example", "https://", "https:///x", "https://[",
			"https://photos.example/ x", "https://photos.example/\\u0007",
			"https://photos.example:port/x", "javascript:alert(1)", "data:image/png;base64,AA==",
			"https://" + strings.Repeat("x", 2048),
		} {
			table = append(table,
				invalid("POST", "/identify", `{"photo_url":"`+url+`"}`, "photo_url"),
				invalid("POST", "/cards", `{"cards":[{"photos":[{"role":"front","url":"`+url+`"}]}]}`,
					"cards.0.photos.0.url"))
		}
		return table
	})
}

// TestPhotoURLs_PrivateNetworks checks that the service refuses private addresses in every spelling, and plain HTTP,
// unless it is configured for development.
func TestPhotoURLs_PrivateNetworks(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *config.Config) { c.AllowPrivateNetworks, c.SecretKey = false, strings.Repeat("A", 43)+"=" })
	c := s.client(t, false)
	before := s.snapshot(t)
	for _, url := range []string{
		"http://photos.example/x.jpg", "https://127.0.0.1/x", "https://127.1/x", "https://2130706433/x",
		"https://0x7f000001/x", "https://0/x", "https://[::1]/x", "https://[::ffff:127.0.0.1]/x", "https://10.0.0.1/x",
		"https://192.168.1.1/x", "https://169.254.169.254/latest/meta-data", "https://[fe80::1]/x",
		"https://[fd00::1]/x", "https://0.0.0.0/x", "https://224.0.0.1/x", "https://100.64.0.1/x",
		"https://localhost/x", "https://user:password@127.0.0.1/x",
	} {
		t.Run(url, func(t *testing.T) {
			request := bad{"POST", "/identify", `{"photo_url":"` + url + `"}`, "photo_forbidden", "", nil}
			c.in(t).refuse(possessions{}, request)
		})
	}
	s.unchanged(t, before)
}
