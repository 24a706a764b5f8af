package cardvault

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
)

// The maximum number of items of a request. Requests for prices have their own limit.
const maxItems, maxPrices = 500, 50

// Error returns the message and the code of the error.
func (e *ItemError) Error() string {
	text := fmt.Sprintf("cardvault: %s (%d %s)", e.Message, e.Status, string(e.Code))
	for _, d := range e.Details {
		text += fmt.Sprintf("; %s: %s", d.Field, d.Message)
	}
	return text
}

// Is reports whether target is the code of the error.
func (e *ItemError) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// BulkUpdate updates any number of cards, up to 500 with one request. It yields a result for each update, in the order
// of the updates, with an error if the update failed: an [*ItemError], or the error of the whole request. After such an
// error it continues with the next request. It sends each request when the caller has read the results of the one
// before, so a caller that leaves the loop leaves the remaining cards unchanged.
func (c *Client) BulkUpdate(ctx context.Context, updates []CardUpdate) iter.Seq2[CardUpdateResult, error] {
	return bulk(updates, bulkRequest[CardUpdate, CardUpdateResult]{
		id: func(update CardUpdate) string { return update.ID },
		send: func(updates []CardUpdate) ([]CardUpdateResult, error) {
			results, err := c.UpdateCards(ctx, CardUpdates{Updates: updates})
			if err != nil {
				return nil, err
			}
			return results.Data, nil
		},
		outcome: func(result CardUpdateResult) *ItemError { return result.Error },
		failed:  func(id string, status int32) CardUpdateResult { return CardUpdateResult{ID: id, Status: status} },
	})
}

// BulkPublish publishes any number of cards at their asking prices, as [Client.BulkUpdate] updates them. The zero
// marketplace is the service's default.
func (c *Client) BulkPublish(
	ctx context.Context, cardIDs []string, marketplace Marketplace,
) iter.Seq2[PublishResult, error] {
	return bulk(cardIDs, bulkRequest[string, PublishResult]{
		id: func(id string) string { return id },
		send: func(ids []string) ([]PublishResult, error) {
			results, err := c.PublishCards(ctx, PublishManyInput{CardIDs: ids, Marketplace: marketplace})
			if err != nil {
				return nil, err
			}
			return results.Data, nil
		},
		outcome: func(result PublishResult) *ItemError { return result.Error },
		failed:  func(id string, status int32) PublishResult { return PublishResult{ID: id, Status: status} },
	})
}

// BulkEnd ends any number of live listings, as [Client.BulkUpdate] updates cards.
func (c *Client) BulkEnd(ctx context.Context, listingIDs []string) iter.Seq2[EndResult, error] {
	return bulk(listingIDs, bulkRequest[string, EndResult]{
		id: func(id string) string { return id },
		send: func(ids []string) ([]EndResult, error) {
			results, err := c.EndListings(ctx, EndManyInput{ListingIDs: ids})
			if err != nil {
				return nil, err
			}
			return results.Data, nil
		},
		outcome: func(result EndResult) *ItemError { return result.Error },
		failed:  func(id string, status int32) EndResult { return EndResult{ID: id, Status: status} },
	})
}

// LookupPrices looks up the prices of 1 to 50 cards in one request: POST /price-lookup with card_ids. The response has
// a result for each card, in the order of the request.
func (c *Client) LookupPrices(
	ctx context.Context, cardIDs []string, options ...RequestOption,
) (*PriceLookupResults, error) {
	return call[PriceLookupResults](ctx, c, request{
		operation: "LookupPrices",
		method:    http.MethodPost,
		path:      "/price-lookup",
		body: struct {
			CardIDs []string `json:"card_ids"`
		}{cardIDs},
	}, options)
}

// BulkLookupPrices looks up the prices of any number of cards, up to 50 with one request, as [Client.BulkUpdate]
// updates cards.
func (c *Client) BulkLookupPrices(ctx context.Context, cardIDs []string) iter.Seq2[PriceLookupResult, error] {
	return bulk(cardIDs, bulkRequest[string, PriceLookupResult]{
		most: maxPrices,
		id:   func(id string) string { return id },
		send: func(ids []string) ([]PriceLookupResult, error) {
			results, err := c.LookupPrices(ctx, ids)
			if err != nil {
				return nil, err
			}
			return results.Data, nil
		},
		outcome: func(result PriceLookupResult) *ItemError { return result.Error },
		failed:  func(id string, status int32) PriceLookupResult { return PriceLookupResult{ID: id, Status: status} },
	})
}

// bulkRequest is a request with many items I. Every item has a result R.
type bulkRequest[I, R any] struct {
	most    int // items; 0 means maxItems
	id      func(I) string
	send    func([]I) ([]R, error) // returns a result for each item
	outcome func(R) *ItemError
	failed  func(id string, status int32) R // returns the result of an item whose request failed
}

// bulk sends the items with as many requests as necessary and yields their results.
func bulk[I, R any](items []I, request bulkRequest[I, R]) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for rest := items; len(rest) > 0; {
			var part []I
			part, rest = cut(rest, request.id, cmp.Or(request.most, maxItems))
			results, err := request.send(part)
			if err == nil && len(results) != len(part) {
				err = fmt.Errorf("cardvault: the response has %d results for %d items", len(results), len(part))
			}
			for i, item := range part {
				if !yield(request.result(item, results, i, err)) {
					return
				}
			}
		}
	}
}

// result returns the result of the item with index i of a request that returned results or err.
func (r bulkRequest[I, R]) result(item I, results []R, i int, err error) (R, error) {
	if err != nil {
		status := int32(0)
		if failed, ok := as[*APIError](err); ok {
			status = int32(failed.Status)
		}
		return r.failed(r.id(item), status), err
	}
	if failed := r.outcome(results[i]); failed != nil {
		return results[i], failed
	}
	return results[i], nil
}

// cut returns the items of the next request, at most most, and the rest. A request ends before an item that it has
// already, because a card can stand in a request once.
func cut[I any](items []I, id func(I) string, most int) (part, rest []I) {
	seen := map[string]bool{}
	for i, item := range items {
		if i == most || seen[id(item)] {
			return items[:i], items[i:]
		}
		seen[id(item)] = true
	}
	return items, nil
}
