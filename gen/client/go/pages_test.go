package cardvault

import (
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// threePages is a service whose lists have the items 1 to 5, two per page. It appends the URLs of requests to
// requested.
func threePages(requested *[]string) service {
	return func(r *http.Request) (*http.Response, error) {
		*requested = append(*requested, strings.TrimPrefix(r.URL.String(), "https://vault.example/api"))
		item := func(n int) string { return fmt.Sprintf(`{"id":"%d","card_id":"%d","version":%d}`, n, n, n) }
		page := map[string]string{
			"":  `{"data":[` + item(1) + "," + item(2) + `],"has_more":true,"next_cursor":"b"}`,
			"b": `{"data":[` + item(3) + "," + item(4) + `],"has_more":true,"next_cursor":"c"}`,
			"c": `{"data":[` + item(5) + `],"has_more":false,"next_cursor":null}`,
		}[r.URL.Query().Get("cursor")]
		return respond(http.StatusOK, page)(r)
	}
}

// identifiers returns the identifiers of the items that an iterator yields.
func identifiers[T any](t *testing.T, list iter.Seq2[T, error], id func(T) string) []string {
	t.Helper()
	var ids []string
	for item, err := range list {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id(item))
	}
	return ids
}

func TestIterators_AllPages(t *testing.T) {
	ctx := t.Context()
	cardID := func(c Card) string { return c.ID }
	for path, list := range map[string]func(*testing.T, *Client) []string{
		"/cards?q=fox": func(t *testing.T, c *Client) []string {
			return identifiers(t, c.Cards(ctx, &ListCardsParams{Q: "fox"}), cardID)
		},
		"/batches/bat_1/cards?game=magic": func(t *testing.T, c *Client) []string {
			return identifiers(t, c.BatchCards(ctx, "bat_1", &ListBatchCardsParams{Game: GameMagic}), cardID)
		},
		"/batches?status=open": func(t *testing.T, c *Client) []string {
			params := &ListBatchesParams{Status: BatchStatusOpen}
			return identifiers(t, c.Batches(ctx, params), func(b Batch) string { return b.ID })
		},
		"/listings?status=live": func(t *testing.T, c *Client) []string {
			params := &ListListingsParams{Status: []ListingStatus{ListingStatusLive}}
			return identifiers(t, c.Listings(ctx, params), func(l Listing) string { return l.ID })
		},
		"/events?event=card.priced": func(t *testing.T, c *Client) []string {
			params := &ListEventsParams{Event: []EventKind{EventKindCardPriced}}
			return identifiers(t, c.Events(ctx, params), func(e Event) string { return e.ID })
		},
		"/cards/card_1/history?limit=2": func(t *testing.T, c *Client) []string {
			params := &ListCardHistoryParams{Limit: 2}
			version := func(e CardHistoryEntry) string { return fmt.Sprint(e.Version) }
			return identifiers(t, c.CardHistory(ctx, "card_1", params), version)
		},
		"/deletions?limit=2": func(t *testing.T, c *Client) []string {
			params := &ListDeletionsParams{Limit: 2}
			return identifiers(t, c.Deletions(ctx, params), func(d Deletion) string { return d.CardID })
		},
		"/sales?status=refunded": func(t *testing.T, c *Client) []string {
			params := &ListSalesParams{Status: SaleStatusRefunded}
			return identifiers(t, c.Sales(ctx, params), func(s Sale) string { return s.ID })
		},
		"/webhooks?limit=2": func(t *testing.T, c *Client) []string {
			params := &ListWebhooksParams{Limit: 2}
			return identifiers(t, c.Webhooks(ctx, params), func(w Webhook) string { return w.ID })
		},
		"/webhooks/whe_1/deliveries?state=dropped": func(t *testing.T, c *Client) []string {
			params := &ListWebhookDeliveriesParams{State: DeliveryStateDropped}
			deliveryID := func(d WebhookDelivery) string { return d.ID }
			return identifiers(t, c.WebhookDeliveries(ctx, "whe_1", params), deliveryID)
		},
	} {
		t.Run(path, func(t *testing.T) {
			var requested []string
			got := list(t, threePages(&requested).client(t))
			if !slices.Equal(got, []string{"1", "2", "3", "4", "5"}) {
				t.Errorf("got the items %v, want 1 to 5", got)
			}
			bare, filter, _ := strings.Cut(path, "?")
			want := []string{path, bare + "?cursor=b&" + filter, bare + "?cursor=c&" + filter}
			if !slices.Equal(requested, want) {
				t.Errorf("requested %v, want %v", requested, want)
			}
		})
	}
}

func TestIterators_FetchLazily(t *testing.T) {
	var requested []string
	cards := threePages(&requested).client(t).Cards(t.Context(), nil)
	for range 2 { // a second loop starts at the first page again
		requested = nil
		for card := range cards {
			if card.ID == "3" {
				break
			}
		}
		if !slices.Equal(requested, []string{"/cards", "/cards?cursor=b"}) {
			t.Errorf("requested %v, want two pages", requested)
		}
	}
}

func TestIterators_Cursor(t *testing.T) {
	var requested []string
	c := threePages(&requested).client(t)
	got := identifiers(t, c.Cards(t.Context(), &ListCardsParams{Cursor: "c"}), func(c Card) string { return c.ID })
	if !slices.Equal(got, []string{"5"}) {
		t.Errorf("got %v, want the last page", got)
	}
}

// A page of a filtered list may be empty although it is not the last one.
func TestIterators_EmptyPage(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusOK, `{"data":[],"has_more":true,"next_cursor":"b"}`),
		respond(http.StatusOK, `{"data":[{"id":"1"}],"has_more":false,"next_cursor":null}`))
	got := identifiers(t, s.client(t).Cards(t.Context(), nil), func(c Card) string { return c.ID })
	if !slices.Equal(got, []string{"1"}) {
		t.Errorf("got %v, want the card of the second page", got)
	}
}

func TestIterators_Error(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusOK, `{"data":[{"id":"1"}],"has_more":true,"next_cursor":"b"}`),
		refuse(http.StatusBadRequest, CodeInvalidCursor))
	var got []string
	for card, err := range s.client(t).Cards(t.Context(), nil) {
		got = append(got, fmt.Sprint(card.ID, errors.Is(err, CodeInvalidCursor)))
	}
	if !slices.Equal(got, []string{"1false", "true"}) {
		t.Errorf("got %v, want a card, then the error", got)
	}
}
