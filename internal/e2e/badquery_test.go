package e2e

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestQueriesThatAreRefused: values, encodings and repetitions that the contract does not allow.
func TestQueriesThatAreRefused(t *testing.T) {
	refusals(t, func(*client, possessions) (table []bad) {
		refuse := func(path, field string, queries ...string) {
			for _, query := range queries {
				table = append(table, bad{"GET", path + "?" + query, nil, "invalid_request", field, nil})
			}
		}
		for _, list := range []string{"/cards", "/batches", "/batches/{batch}/cards", "/listings", "/events"} {
			refuse(list, "limit", "limit=0", "limit=201", "limit=-1", "limit=abc", "limit=1.5", "limit=1e2", "limit=", "limit", "limit=+1", "limit=%201", "limit=0x10",
				"limit=01", "limit=10%00", "limit=99999999999999999999", "limit=1&limit=1", "limit=1&limit=2", "limit=1,2", "limit=%EF%BC%91", "limit=null", "limit=[]")
			refuse(list, "query", "limit=%zz", "%=1", "a=%", "q=%u1234", "limit=1;q=2", "%zz=1")
			refuse(list, "Limit", "Limit=1")
			refuse(list, "page", "page=2", "page=2&page=3")
			refuse(list, "limit[]", "limit[]=1", "limit%5B%5D=1")
			refuse(list, "access_token", "access_token=x")
			refuse(list, "_", "_=1", "limit=1&_=%F0%9F%A6%8A")
			refuse(list, "status ", "status%20=open", "status+=open")
			refuse(list, "cursor", "cursor=", "cursor=a%20b", "cursor=a.b", "cursor=%00", "cursor="+strings.Repeat("a", 513), "cursor=a&cursor=a")
		}
		for list, field := range map[string]string{"/cards": "updated_since", "/batches": "updated_since", "/listings": "updated_since", "/events": "created_since"} {
			for _, at := range []string{
				"", "2026-05-11", "2026-05-11T15:32:01", "2026-05-11 15:32:01Z", "2026-05-11T15:32Z", "2026-05-11T15:32:01+0200", "2026-05-11T15:32:01.Z",
				"2026-05-11T15:32:01,5Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
				"2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-05-11T24:00:00Z", "2026-05-11T15:60:00Z", "2026-05-11T15:32:61Z", "2026-05-11T15:32:01+24:00", "2026-05-11T15:32:01-23:60", "2026-05-11T15:32:01+01:60", "2026-05-11t15:32:01z", "2026-05-11T5:32:01Z",
				"20260511T153201Z", "1778513521", "now", "yesterday", "infinity", "2026-05-11T15:32:01Z\x00", "2026-05-11T15:32:01.123456789012345678901234Z",
			} {
				refuse(list, field, field+"="+url.QueryEscape(at))
			}
		}
		refuse("/cards", "status", "status=nothing", "status=listed,nothing", "status=,", "status=listed,", "status=LISTED", "status=", "status=listed&status=nothing",
			"status=imported,needs_review,identified,priced,photographed,listed,sold,archived,listed", "status=open", "status=listed%00")
		refuse("/listings", "status", "status=open", "status=live,sold,", "status=Live")
		refuse("/batches", "status", "status=closed", "status=open,complete", "status=open&status=open")
		refuse("/events", "event", "event=card", "event=card.identified,card", "event=*", "event=")
		refuse("/batches/{batch}/cards", "batch", "batch={batch}")
		refuse("/listings", "marketplace", "marketplace=amazon", "marketplace=ebay,sandbox")
		refuse("/cards", "location", "location=", "location=/A", "location=A/", "location=A//B", "location=A/B/C/D/E/F", "location="+strings.Repeat("%F0%9F%A6%8A", 201), "location=A%00", "location=%0A")
		refuse("/cards", "min_price", "min_price=-1", "min_price=1.5", "min_price=100000000000", "min_price=", "min_price=1e3", "min_price=12,50")
		refuse("/cards", "q", "q=", "q="+strings.Repeat("x", 101), "q=%00", "q=a%00b", "q=%ff", "q=%ed%a0%80", "q=a%09b", "q=a&q=b")
		for _, field := range []string{"set", "number", "sku"} {
			refuse("/cards", field, field+"=", field+"="+strings.Repeat("x", 121), field+"=a%00", field+"=%ff%fe", field+"=%0a", field+"=a&"+field+"=a")
		}
		refuse("/cards", "game", "game=Pokemon", "game=pokemon,magic")
		refuse("/cards", "condition", "condition=nm", "condition=NM,LP")
		refuse("/cards", "identification", "identification=done", "identification=")
		for _, path := range []string{"/cards/{card}", "/batches/{batch}", "/listings/{listing}"} {
			refuse(path, "fields", "fields=id")
		}
		return append(table,
			bad{"PATCH", "/cards/{card}?notes=x", `{"notes":"x"}`, "invalid_request", "notes", nil},
			bad{"POST", "/batches?name=x", `{"name":"x"}`, "invalid_request", "name", nil},
			bad{"POST", "/batches/{batch}/complete?force=true", nil, "invalid_request", "force", nil},
			bad{"DELETE", "/cards/{card}/photos/{photo}?force=true", nil, "invalid_request", "force", nil},
			bad{"GET", "/cards", `{"status":"listed"}`, "invalid_request", "body", nil})
	})
}

// TestCursorsOfSomethingElse: a cursor holds for the account, the list and the filters it was issued for.
func TestCursorsOfSomethingElse(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	var batch struct{ ID string }
	for _, of := range []*client{other, c} {
		for range 2 {
			of.do("POST", "/batches", `{"name":"x"}`).want(t, http.StatusCreated, &batch)
			of.create(`{"batch_id":"` + batch.ID + `","identification":{"title":"Ember Fox"}}`)
			of.create(`{"batch_id":"` + batch.ID + `","identification":{"title":"Ember Fox"}}`)
		}
	}
	before := s.snapshot(t)
	cursor := func(c *client, path string) string {
		var page listOf[any]
		c.do("GET", path, nil).want(t, http.StatusOK, &page)
		if page.NextCursor == nil {
			t.Fatalf("%s has one page: %+v", path, page)
		}
		return *page.NextCursor
	}
	since := "updated_since=2020-01-01T00:00:00Z"
	lists := []string{
		"/cards?limit=1", "/cards?limit=1&status=identified", "/cards?limit=1&status=identified,priced", "/cards?limit=1&q=fox", "/cards?limit=1&set=x",
		"/cards?limit=1&batch=" + batch.ID, "/cards?limit=1&" + since, "/cards?limit=1&updated_since=2020-01-01T00:00:01Z", "/cards?limit=1&q=ember",
		"/batches?limit=1", "/batches?limit=1&status=open", "/batches?limit=1&" + since, "/events?limit=1", "/events?limit=1&event=card.identified",
		"/events?limit=1&created_since=2020-01-01T00:00:00Z", "/listings?limit=1", "/batches/" + batch.ID + "/cards?limit=1&q=fox",
	}
	for i, from := range lists {
		if strings.Contains(from, "set=x") || strings.HasPrefix(from, "/listings") {
			continue // they have no second page
		}
		sealed := cursor(c, from)
		for j, to := range lists {
			if i != j {
				c.refuse(possessions{}, bad{"GET", to + "&cursor=" + sealed, nil, "invalid_cursor", "cursor", nil})
			}
		}
		c.do("GET", strings.Replace(from, "limit=1", "limit=2", 1)+"&cursor="+sealed, nil).want(t, http.StatusOK, nil)
		if !strings.HasPrefix(from, "/batches/") { // the other account has no such batch
			other.refuse(possessions{}, bad{"GET", from + "&cursor=" + sealed, nil, "invalid_cursor", "cursor", nil})
		}
		for at := range len(sealed) {
			digit := "A"
			if sealed[at] == 'A' {
				digit = "B"
			}
			c.refuse(possessions{}, bad{"GET", from + "&cursor=" + sealed[:at] + digit + sealed[at+1:], nil, "invalid_cursor", "cursor", nil})
		}
		c.refuse(possessions{}, bad{"GET", from + "&cursor=" + sealed[:len(sealed)-1], nil, "invalid_cursor", "cursor", nil})
		c.refuse(possessions{}, bad{"GET", from + "&cursor=" + sealed + "A", nil, "invalid_cursor", "cursor", nil})
	}
	s.unchanged(t, before)
}

// TestQueriesAtTheEdgeOfWhatIsTaken: nothing that the contract allows is refused or fails.
func TestQueriesAtTheEdgeOfWhatIsTaken(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{"identification":{"title":"100% a_b c\\d 'e' \"f\""},"location":"R%/S_/B\\","sku":"*"}`)
	for _, query := range []string{
		"limit=1", "limit=200", "updated_since=0001-01-01T00:00:00Z", "updated_since=2026-05-11T15:32:01%2B14:00", "min_price=0&max_price=99999999999",
		"status=imported,needs_review,identified,priced,photographed,listed,sold,archived", "location=R%25", "location=R%25/S_", "location=R%25/S_/B%5C", "sku=*",
		"q=100%25", "q=%25", "q=_", "q=a_b", "q=%5C", "q=c%5Cd", "q='", "q=%22f%22", "q=" + url.QueryEscape(`'e' a_b 100%`),
	} {
		var found listOf[card]
		c.do("GET", "/cards?"+query, nil).want(t, http.StatusOK, &found)
		if want := !strings.HasPrefix(query, "min_price"); want != (len(found.Data) == 1 && found.Data[0].ID == made.ID) {
			t.Errorf("%s: %+v", query, found.Data)
		}
	}
	for _, query := range []string{
		"updated_since=9999-12-31T23:59:59.999999999Z", "location=R", "location=R%25/S", "location=R%25/S_/B", "location=RR/S_/B%5C", "q=1000", "q=a-b", "q=cd", "sku=**", "q=axb",
		"q=" + strings.Repeat("%F0%9F%A6%8A", 100), "q=" + strings.Repeat("a%20", 49) + "a", "q=%E2%80%8B", "q=%20", "q=(", "q=%5B", "set=%F0%9F%A6%8A", "number=%C2%A0",
	} {
		var found listOf[card]
		c.do("GET", "/cards?"+query, nil).want(t, http.StatusOK, &found)
		if len(found.Data) > 0 && query != "q=%20" && !strings.HasPrefix(query, "q=a%20") {
			t.Errorf("%s: %+v", query, found.Data)
		}
	}
}
