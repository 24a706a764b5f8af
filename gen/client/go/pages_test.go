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

// threePages answers lists with the items 1 to 5, two a page, and notes what is asked for.
func threePages(asked *[]string) service {
	return func(r *http.Request) (*http.Response, error) {
		*asked = append(*asked, strings.TrimPrefix(r.URL.String(), "https://vault.example/api"))
		page := map[string]string{
			"":  `{"data":[{"id":"1"},{"id":"2"}],"has_more":true,"next_cursor":"b"}`,
			"b": `{"data":[{"id":"3"},{"id":"4"}],"has_more":true,"next_cursor":"c"}`,
			"c": `{"data":[{"id":"5"}],"has_more":false,"next_cursor":null}`,
		}[r.URL.Query().Get("cursor")]
		return respond(http.StatusOK, page)(r)
	}
}

// identifiers collects what an iterator yields.
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

func TestIteratorsGoThroughAllPages(t *testing.T) {
	ctx := t.Context()
	cardID := func(c Card) string { return c.ID }
	for path, list := range map[string]func(*Client) []string{
		"/cards?q=fox": func(c *Client) []string {
			return identifiers(t, c.Cards(ctx, &ListCardsParams{Q: "fox"}), cardID)
		},
		"/batches/bat_1/cards?game=magic": func(c *Client) []string {
			return identifiers(t, c.BatchCards(ctx, "bat_1", &ListBatchCardsParams{Game: GameMagic}), cardID)
		},
		"/batches?status=open": func(c *Client) []string {
			return identifiers(t, c.Batches(ctx, &ListBatchesParams{Status: BatchStatusOpen}), func(b Batch) string { return b.ID })
		},
		"/listings?status=live": func(c *Client) []string {
			return identifiers(t, c.Listings(ctx, &ListListingsParams{Status: []ListingStatus{ListingStatusLive}}), func(l Listing) string { return l.ID })
		},
		"/events?event=card.priced": func(c *Client) []string {
			params := &ListEventsParams{Event: []EventKind{EventKindCardPriced}}
			return identifiers(t, c.Events(ctx, params), func(e Event) string { return e.ID })
		},
	} {
		var asked []string
		if got := list(threePages(&asked).client(t)); !slices.Equal(got, []string{"1", "2", "3", "4", "5"}) {
			t.Errorf("%s: got %v", path, got)
		}
		bare, filter, _ := strings.Cut(path, "?")
		want := []string{path, bare + "?cursor=b&" + filter, bare + "?cursor=c&" + filter}
		if !slices.Equal(asked, want) {
			t.Errorf("asked for %v, want %v", asked, want)
		}
	}
}

func TestPagesAreFetchedWhenNeeded(t *testing.T) {
	var asked []string
	cards := threePages(&asked).client(t).Cards(t.Context(), nil)
	for range 2 { // the second time it begins anew
		asked = nil
		for card := range cards {
			if card.ID == "3" {
				break
			}
		}
		if !slices.Equal(asked, []string{"/cards", "/cards?cursor=b"}) {
			t.Errorf("asked for %v, want two pages", asked)
		}
	}
}

func TestIteratorBeginsAtACursor(t *testing.T) {
	var asked []string
	c := threePages(&asked).client(t)
	got := identifiers(t, c.Cards(t.Context(), &ListCardsParams{Cursor: "c"}), func(c Card) string { return c.ID })
	if !slices.Equal(got, []string{"5"}) {
		t.Errorf("got %v, want the last page", got)
	}
}

// A page of a filtered list may be empty and not the last.
func TestIteratorGoesOnPastAnEmptyPage(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusOK, `{"data":[],"has_more":true,"next_cursor":"b"}`),
		respond(http.StatusOK, `{"data":[{"id":"1"}],"has_more":false,"next_cursor":null}`))
	got := identifiers(t, s.client(t).Cards(t.Context(), nil), func(c Card) string { return c.ID })
	if !slices.Equal(got, []string{"1"}) {
		t.Errorf("got %v, want the card of the second page", got)
	}
}

func TestErrorEndsAnIterator(t *testing.T) {
	s, _ := inTurn(t, respond(http.StatusOK, `{"data":[{"id":"1"}],"has_more":true,"next_cursor":"b"}`), refuse(http.StatusBadRequest, CodeInvalidCursor))
	var got []string
	for card, err := range s.client(t).Cards(t.Context(), nil) {
		got = append(got, fmt.Sprint(card.ID, errors.Is(err, CodeInvalidCursor)))
	}
	if !slices.Equal(got, []string{"1false", "true"}) {
		t.Errorf("got %v, want a card, then the error", got)
	}
}
