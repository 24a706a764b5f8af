package e2e

import (
	"net/url"
	"testing"
)

// beyondPatterns shows nothing and is not in the patterns of the contract, which are of the Basic Multilingual Plane.
const beyondPatterns = "\U000e0100"

// blanks are texts that show nothing.
var blanks = []string{
	" ", "   ", "\u00a0", "\u3000", " \u2003\u00a0", "\u200b", "\ufeff\u2060", "\u2800", beyondPatterns,
}

// textFilters are the filters of cards that take a text.
var textFilters = []string{"q", "set", "number", "sku", "external_id", "catalog_id", "grade", "location"}

// TestQueries_BlankFilters sends filters that show nothing. Without the refusal, each would list all cards, as if the
// filter were not there, or none.
func TestQueries_BlankFilters(t *testing.T) {
	refusals(t, func(*client, possessions) []bad {
		var table badQueries
		for _, text := range blanks {
			value := "=" + url.QueryEscape(text)
			for _, name := range textFilters {
				for _, list := range []string{"/cards", "/batches/{batch}/cards", "/cards/summary"} {
					query := name + value
					if list == "/cards/summary" {
						query += "&group_by=status"
					}
					table.add(list, name, query)
				}
			}
			for _, name := range []string{"q", "set", "number"} {
				if text != beyondPatterns {
					table.add("/catalog/cards", name, name+value)
				}
			}
		}
		table.add("/cards", "location", "location=+/+", "location=%C2%A0/%E3%80%80")
		return table
	})
}

// TestBodies_BlankFilters has requests that change the cards of a filter, which shows nothing. Each once changed all
// cards of the account.
func TestBodies_BlankFilters(t *testing.T) {
	refusals(t, func(c *client, _ possessions) (table []bad) {
		c.ready(t)
		for _, text := range blanks {
			for _, name := range textFilters {
				filter := `"filter":{"` + name + `":"` + text + `"}`
				for _, job := range []string{
					`"kind":"delete"`, `"kind":"update","patch":{"location":"Box 1"}`, `"kind":"archive"`,
					`"kind":"publish"`, `"kind":"end"`, `"kind":"identify"`,
				} {
					table = append(table, invalid("POST", "/jobs", `{`+job+`,`+filter+`}`, "filter."+name))
				}
				table = append(table, invalid("POST", "/listings/publish", `{`+filter+`}`, "filter."+name))
			}
		}
		return append(table, invalid("POST", "/jobs", `{"kind":"delete","filter":{"status":[]}}`, "filter.status"))
	})
}

// TestBodies_LineBreaks sends line breaks of Unicode in texts of one line.
func TestBodies_LineBreaks(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, text := range []string{"a\u0085b", "a\u2028b", "\u2029b", `a\nb`, `a\u000bb`, `a\fb`} {
			table = append(table,
				invalid("PATCH", "/cards/{card}", `{"identification":{"title":"`+text+`"}}`, "identification.title"),
				invalid("PATCH", "/cards/{card}", `{"identification":{"set":"`+text+`"}}`, "identification.set"),
				invalid("PATCH", "/cards/{card}", `{"location":"Box 1/`+text+`"}`, "location"),
				invalid("PATCH", "/cards/{card}", `{"sku":"`+text+`"}`, "sku"),
				invalid("PATCH", "/cards/{card}", `{"metadata":{"`+text+`":"x"}}`, "metadata"),
				invalid("POST", "/batches", `{"name":"`+text+`"}`, "name"),
				invalid("PATCH", "/listings/{listing}", `{"title":"`+text+`"}`, "title"))
		}
		return table
	})
}

// TestBodies_BlankTexts sends texts of cards that show nothing. A filter could not find them.
func TestBodies_BlankTexts(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, text := range blanks {
			table = append(table,
				invalid("PATCH", "/cards/{card}", `{"identification":{"set":"`+text+`"}}`, "identification.set"),
				invalid("PATCH", "/cards/{card}", `{"identification":{"number":"`+text+`"}}`, "identification.number"),
				invalid("PATCH", "/cards/{card}", `{"sku":"`+text+`"}`, "sku"),
				invalid("PATCH", "/cards/{card}", `{"external_id":"`+text+`"}`, "external_id"),
				invalid("PATCH", "/cards/{card}", `{"location":"Box 1/`+text+`"}`, "location"))
		}
		return table
	})
}

// TestBodies_BlankNames sends titles and names that show nothing, wherever one is written.
func TestBodies_BlankNames(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		for _, text := range blanks {
			title := `{"identification":{"title":"` + text + `"}}`
			table = append(table,
				invalid("POST", "/cards", `{"cards":[`+title+`]}`, "cards.0.identification.title"),
				invalid("PATCH", "/cards/{card}", title, "identification.title"),
				invalid("POST", "/jobs", `{"kind":"update","card_ids":["{card}"],"patch":`+title+`}`,
					"patch.identification.title"),
				invalid("POST", "/listings/{card}/publish", `{"title":"`+text+`"}`, "title"),
				invalid("PATCH", "/listings/{listing}", `{"title":"`+text+`"}`, "title"),
				invalid("POST", "/batches", `{"name":"`+text+`"}`, "name"),
				invalid("PATCH", "/batches/{batch}", `{"name":"`+text+`"}`, "name"))
			if text == beyondPatterns {
				continue // PATCH /cards refuses the card, POST /price-lookup finds no price
			}
			table = append(table,
				invalid("PATCH", "/cards", `{"updates":[{"id":"{card}","identification":{"title":"`+text+`"}}]}`,
					"updates.0.identification.title"),
				invalid("POST", "/price-lookup", `{"card":{"title":"`+text+`"}}`, "card.title"))
		}
		return table
	})
}
