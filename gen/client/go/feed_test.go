package cardvault

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// onePass returns the items that one pass of a feed yields.
func onePass[T any](t *testing.T, feed *Feed[T], id func(T) string) string {
	t.Helper()
	return words(identifiers(t, feed.Once(t.Context()), id))
}

// item returns an item of any list that changed at a second of a day.
func item(id string, second int) string {
	at := fmt.Sprintf("2026-05-11T15:32:%02d.000000Z", second)
	return fmt.Sprintf(`{"id":%q,"card_id":%q,"updated_at":%q,"created_at":%q,"deleted_at":%q}`, id, id, at, at, at)
}

func TestFeeds(t *testing.T) {
	since := time.Date(2026, 5, 11, 15, 32, 0, 0, time.UTC)
	for path, pass := range map[string]func(*testing.T, *Client) func() (string, time.Time){
		"/listings?limit=200&status=live&updated_since=": func(t *testing.T, c *Client) func() (string, time.Time) {
			filter := ListListingsParams{Status: []ListingStatus{ListingStatusLive}, Cursor: "old"}
			feed := c.ListingChanges(since, &FeedParams[ListListingsParams]{Filter: filter})
			return func() (string, time.Time) {
				return onePass(t, feed, func(l Listing) string { return l.ID }), feed.Since()
			}
		},
		"/sales?card=card_1&limit=200&updated_since=": func(t *testing.T, c *Client) func() (string, time.Time) {
			feed := c.SaleChanges(since, &FeedParams[ListSalesParams]{Filter: ListSalesParams{Card: "card_1"}})
			return func() (string, time.Time) {
				return onePass(t, feed, func(s Sale) string { return s.ID }), feed.Since()
			}
		},
		"/events?limit=50&created_since=": func(t *testing.T, c *Client) func() (string, time.Time) {
			feed := c.EventChanges(since, &FeedParams[ListEventsParams]{Filter: ListEventsParams{Limit: 50}})
			return func() (string, time.Time) {
				return onePass(t, feed, func(e Event) string { return e.ID }), feed.Since()
			}
		},
		"/deletions?limit=200&updated_since=": func(t *testing.T, c *Client) func() (string, time.Time) {
			feed := c.DeletionChanges(since, nil)
			return func() (string, time.Time) {
				return onePass(t, feed, func(d Deletion) string { return d.CardID }), feed.Since()
			}
		},
	} {
		t.Run(path, func(t *testing.T) { checkFeed(t, path, pass) })
	}
}

// checkFeed makes two passes. Between them a changes again, and c changes at the same time as b.
func checkFeed(t *testing.T, path string, newPass func(*testing.T, *Client) func() (string, time.Time)) {
	lists := []string{item("a", 1) + "," + item("b", 2), item("b", 2) + "," + item("c", 2) + "," + item("a", 3)}
	var requested []string
	list := func(r *http.Request) (*http.Response, error) {
		query := r.URL.Query()
		name, _, _ := strings.Cut(path[strings.LastIndex(path, "&")+1:], "=")
		at := query.Get(name)
		query.Del(name)
		requested = append(requested, strings.TrimPrefix(r.URL.Path, "/api")+"?"+query.Encode()+"&"+name+"="+at)
		return respond(http.StatusOK, `{"data":[`+lists[len(requested)-1]+`],"has_more":false,"next_cursor":null}`)(r)
	}
	pass := newPass(t, service(list).client(t))
	if got, since := pass(); got != "a, b" || since.Second() != 2 {
		t.Errorf("the first pass yields %s until %v", got, since)
	}
	if got, since := pass(); got != "c, a" || since.Second() != 3 {
		t.Errorf("the second pass yields %s until %v, want what the first one has not yielded", got, since)
	}
	want := []string{path + "2026-05-11T15:32:00Z", path + "2026-05-11T15:32:02Z"}
	if !slices.Equal(requested, want) {
		t.Errorf("requested %v, want %v", requested, want)
	}
}
