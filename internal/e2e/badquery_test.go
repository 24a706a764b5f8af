package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// badTimes are not timestamps as the contract defines them.
var badTimes = []string{
	"", "now", "yesterday", "infinity", "1778513521", "20260511T153201Z",
	"2026-05-11", "2026-05-11T15:32:01", "2026-05-11 15:32:01Z", "2026-05-11T15:32Z", "2026-05-11T5:32:01Z",
	"2026-05-11T15:32:60Z", "2026-05-11T15:32:01Z\x00", "2026-05-11T15:32:01.Z", "2026-05-11T15:32:01,5Z",
	"2026-05-11T15:32:01.123456789012345678901234Z",
	"2026-05-11T15:32:01+0200", "2026-05-11T15:32:01+24:00", "2026-05-11T15:32:01-23:60", "2026-05-11T15:32:01+01:60",
	"0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z",
	"0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
	"2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z",
	"2026-05-11T24:00:00Z", "2026-05-11T15:60:00Z", "2026-05-11T15:32:61Z",
}

// badQueries are requests with one query, which is invalid because of one parameter.
type badQueries []bad

func (q *badQueries) add(path, parameter string, queries ...string) {
	for _, query := range queries {
		*q = append(*q, invalid("GET", path+"?"+query, nil, parameter))
	}
}

// addCommon adds queries that every list refuses.
func (q *badQueries) addCommon(list string) {
	q.add(list, "limit",
		"limit=0", "limit=201", "limit=-1", "limit=abc", "limit=1.5", "limit=1e2", "limit=", "limit", "limit=+1",
		"limit=%201", "limit=0x10", "limit=01", "limit=10%00", "limit=99999999999999999999", "limit=1&limit=1",
		"limit=1&limit=2", "limit=1,2", "limit=%EF%BC%91", "limit=null", "limit=[]")
	q.add(list, "query", "limit=%zz", "%=1", "a=%", "q=%u1234", "limit=1;q=2", "%zz=1")
	q.add(list, "Limit", "Limit=1")
	q.add(list, "page", "page=2", "page=2&page=3")
	q.add(list, "limit[]", "limit[]=1", "limit%5B%5D=1")
	q.add(list, "access_token", "access_token=x")
	q.add(list, "_", "_=1", "limit=1&_=%F0%9F%A6%8A")
	q.add(list, "status ", "status%20=open", "status+=open")
	q.add(list, "cursor",
		"cursor=", "cursor=a%20b", "cursor=a.b", "cursor=%00", "cursor="+strings.Repeat("a", 513), "cursor=a&cursor=a")
}

// TestQueries_Common sends queries that every list refuses.
func TestQueries_Common(t *testing.T) {
	refusals(t, func(*client, possessions) []bad {
		var table badQueries
		for _, list := range []string{"/cards", "/batches", "/batches/{batch}/cards", "/listings", "/events"} {
			table.addCommon(list)
		}
		return table
	})
}

// TestQueries_Times sends invalid timestamps to each list that has a filter by time.
func TestQueries_Times(t *testing.T) {
	refusals(t, func(*client, possessions) []bad {
		var table badQueries
		for _, at := range badTimes {
			for _, list := range []string{"/cards", "/batches", "/listings"} {
				table.add(list, "updated_since", "updated_since="+url.QueryEscape(at))
			}
			table.add("/events", "created_since", "created_since="+url.QueryEscape(at))
		}
		return table
	})
}

// TestQueries_Filters sends invalid values of each filter.
func TestQueries_Filters(t *testing.T) {
	refusals(t, func(*client, possessions) []bad {
		var table badQueries
		table.add("/cards", "status",
			"status=nothing", "status=listed,nothing", "status=,", "status=listed,", "status=LISTED", "status=",
			"status=listed&status=nothing",
			"status=imported,needs_review,identified,priced,photographed,listed,sold,archived,listed",
			"status=open", "status=listed%00")
		table.add("/listings", "status", "status=open", "status=live,sold,", "status=Live")
		table.add("/batches", "status", "status=closed", "status=open,complete", "status=open&status=open")
		table.add("/events", "event", "event=card", "event=card.identified,card", "event=*", "event=")
		table.add("/batches/{batch}/cards", "batch", "batch={batch}")
		table.add("/listings", "marketplace", "marketplace=amazon", "marketplace=ebay,sandbox")
		table.add("/cards", "location",
			"location=", "location=/A", "location=A/", "location=A//B", "location=A/B/C/D/E/F",
			"location="+strings.Repeat("%F0%9F%A6%8A", 201), "location=A%00", "location=%0A")
		table.add("/cards", "min_price",
			"min_price=-1", "min_price=1.5", "min_price=100000000000", "min_price=", "min_price=1e3", "min_price=12,50")
		table.add("/cards", "q",
			"q=", "q="+strings.Repeat("x", 101), "q=%00", "q=a%00b", "q=%ff", "q=%ed%a0%80", "q=a%09b", "q=a&q=b")
		for _, field := range []string{"set", "number", "sku"} {
			table.add("/cards", field,
				field+"=", field+"="+strings.Repeat("x", 121), field+"=a%00", field+"=%ff%fe", field+"=%0a",
				field+"=a&"+field+"=a")
		}
		table.add("/cards", "game", "game=Pokemon", "game=pokemon,magic")
		table.add("/cards", "condition", "condition=nm", "condition=NM,LP")
		table.add("/cards", "identification", "identification=done", "identification=")
		return table
	})
}

// TestQueries_NotTaken sends queries and bodies to operations that take none.
func TestQueries_NotTaken(t *testing.T) {
	refusals(t, func(*client, possessions) []bad {
		return []bad{
			invalid("GET", "/cards/{card}?fields=id", nil, "fields"),
			invalid("GET", "/batches/{batch}?fields=id", nil, "fields"),
			invalid("GET", "/listings/{listing}?fields=id", nil, "fields"),
			invalid("PATCH", "/cards/{card}?notes=x", `{"notes":"x"}`, "notes"),
			invalid("POST", "/batches?name=x", `{"name":"x"}`, "name"),
			invalid("POST", "/batches/{batch}/complete?force=true", nil, "force"),
			invalid("DELETE", "/cards/{card}/photos/{photo}?force=true", nil, "force"),
			invalid("GET", "/cards", `{"status":"listed"}`, "body"),
		}
	})
}

// TestCursors_Refused checks that a cursor is valid only for the account, the list and the filters that it was issued
// for, and only unchanged.
func TestCursors_Refused(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.client(t, false), s.client(t, false)
	other.createPages()
	batch := c.createPages()
	before := s.snapshot(t)
	since := "updated_since=2020-01-01T00:00:00Z"
	lists := []string{
		"/cards?limit=1",
		"/cards?limit=1&status=identified",
		"/cards?limit=1&status=identified,priced",
		"/cards?limit=1&q=fox",
		"/cards?limit=1&set=x",
		"/cards?limit=1&batch=" + batch,
		"/cards?limit=1&" + since,
		"/cards?limit=1&updated_since=2020-01-01T00:00:01Z",
		"/cards?limit=1&q=ember",
		"/batches?limit=1",
		"/batches?limit=1&status=open",
		"/batches?limit=1&" + since,
		"/events?limit=1",
		"/events?limit=1&event=card.identified",
		"/events?limit=1&created_since=2020-01-01T00:00:00Z",
		"/listings?limit=1",
		"/batches/" + batch + "/cards?limit=1&q=fox",
	}
	for _, list := range lists {
		if strings.Contains(list, "set=x") || strings.HasPrefix(list, "/listings") {
			continue // these have no second page
		}
		t.Run(strings.ReplaceAll(list, batch, "{batch}"), func(t *testing.T) {
			c := c.in(t)
			cursor := c.cursor(list)
			nextPage := strings.Replace(list, "limit=1", "limit=2", 1) + "&cursor=" + cursor
			c.do("GET", nextPage, nil).want(t, http.StatusOK, nil)
			for _, another := range lists {
				if another != list {
					c.refuseCursor(another, cursor)
				}
			}
			if !strings.HasPrefix(list, "/batches/") { // the other account has no such batch
				other.in(t).refuseCursor(list, cursor)
			}
			for i := range len(cursor) {
				digit := "A"
				if cursor[i] == 'A' {
					digit = "B"
				}
				c.refuseCursor(list, cursor[:i]+digit+cursor[i+1:])
			}
			c.refuseCursor(list, cursor[:len(cursor)-1])
			c.refuseCursor(list, cursor+"A")
		})
	}
	s.unchanged(t, before)
}

// createPages creates so many batches and cards that lists with a limit of 1 have several pages. It returns one of the
// batches.
func (c *client) createPages() (batchID string) {
	c.t.Helper()
	var batch struct{ ID string }
	for range 2 {
		c.do("POST", "/batches", `{"name":"x"}`).want(c.t, http.StatusCreated, &batch)
		for range 2 {
			c.create(`{"batch_id":"` + batch.ID + `","identification":{"title":"Ember Fox"}}`)
		}
	}
	return batch.ID
}

// cursor returns the cursor of the second page of a list.
func (c *client) cursor(list string) string {
	c.t.Helper()
	var page listOf[any]
	c.do("GET", list, nil).want(c.t, http.StatusOK, &page)
	if page.NextCursor == nil {
		c.t.Fatalf("%s has one page: %+v", list, page)
	}
	return *page.NextCursor
}

func (c *client) refuseCursor(list, cursor string) {
	c.t.Helper()
	c.refuse(possessions{}, bad{"GET", list + "&cursor=" + cursor, nil, "invalid_cursor", "cursor", nil})
}

// TestQueries_Accepted sends queries at the bounds of what the contract allows, and checks whether they find a card
// whose values consist of special characters.
func TestQueries_Accepted(t *testing.T) {
	t.Parallel()
	c := start(t).client(t, false)
	made := c.create(`{"identification":{"title":"100% a_b c\\d 'e' \"f\""},"location":"R%/S_/B\\","sku":"*"}`)
	find := func(query string, check func(t *testing.T, found []card)) {
		t.Run(fmt.Sprintf("%.60s", query), func(t *testing.T) {
			var found listOf[card]
			c.in(t).do("GET", "/cards?"+query, nil).want(t, http.StatusOK, &found)
			check(t, found.Data)
		})
	}
	for _, query := range []string{
		"limit=1", "limit=200",
		"updated_since=0001-01-01T00:00:00Z", "updated_since=2026-05-11T15:32:01%2B14:00",
		"status=imported,needs_review,identified,priced,photographed,listed,sold,archived",
		"location=R%25", "location=R%25/S_", "location=R%25/S_/B%5C", "sku=*",
		"q=100%25", "q=%25", "q=_", "q=a_b", "q=%5C", "q=c%5Cd", "q='", "q=%22f%22",
		"q=" + url.QueryEscape(`'e' a_b 100%`),
	} {
		find(query, func(t *testing.T, found []card) {
			if len(found) != 1 || found[0].ID != made.ID {
				t.Errorf("found %+v, want the card", found)
			}
		})
	}
	for _, query := range []string{
		"min_price=0&max_price=99999999999",
		"updated_since=9999-12-31T23:59:59.999999999Z",
		"location=R", "location=R%25/S", "location=R%25/S_/B", "location=RR/S_/B%5C",
		"q=1000", "q=a-b", "q=cd", "q=axb", "q=" + strings.Repeat("%F0%9F%A6%8A", 100), "q=(", "q=%5B",
		"sku=**", "set=%F0%9F%A6%8A",
	} {
		find(query, func(t *testing.T, found []card) {
			if len(found) > 0 {
				t.Errorf("found %+v, want none", found)
			}
		})
	}
	find("q="+strings.Repeat("a%20", 49)+"a", func(*testing.T, []card) {}) // any result is right
}
