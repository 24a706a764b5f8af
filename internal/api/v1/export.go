package v1

import (
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/exports"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// ExportFiles returns the files of an export. Their objects have the same form as in the lists of the API.
func (s *Server) ExportFiles() []exports.File {
	return []exports.File{
		exportFile("cards.jsonl", "the cards", s.card,
			func(ctx context.Context, accountID string, p paging.Request) (paging.Page[cards.Card], error) {
				return s.Cards.List(ctx, accountID, cards.Filter{}, p)
			}),
		exportFile("batches.jsonl", "the batches", func(b *batches.Batch) server.Batch { return batch(*b) },
			func(ctx context.Context, accountID string, p paging.Request) (paging.Page[batches.Batch], error) {
				return s.Batches.List(ctx, accountID, batches.Filter{}, p)
			}),
		exportFile("listings.jsonl", "the listings", listing,
			func(ctx context.Context, accountID string, p paging.Request) (paging.Page[listings.Listing], error) {
				return s.Listings.List(ctx, accountID, listings.Filter{}, p)
			}),
		exportFile("sales.jsonl", "the sales", sale,
			func(ctx context.Context, accountID string, p paging.Request) (paging.Page[sales.Sale], error) {
				return s.Sales.List(ctx, accountID, sales.Filter{}, p)
			}),
		exportFile("deletions.jsonl", "the cards that were deleted in the last 90 days", deletion,
			func(ctx context.Context, accountID string, p paging.Request) (paging.Page[cards.Deletion], error) {
				return s.Cards.Deletions(ctx, accountID, nil, p)
			}),
		{
			Name: "history.jsonl", Meaning: "the changes of the cards in the last two years, newest first",
			List: s.exportHistory,
		},
		{
			Name: "stock.jsonl", Meaning: "the value of the stock on each day of the last two years, newest first",
			List: s.exportStock,
		},
		exportFile("webhooks.jsonl", "the webhooks, without their secrets",
			func(e *webhooks.Endpoint) server.Webhook { return s.webhook(*e) }, s.DeliveryLog.Endpoints),
		{
			Name: "events.jsonl", Meaning: "the events of the last 30 days, as webhooks receive them",
			List: s.exportEvents,
		},
	}
}

// exportFile returns a file with the objects that list reads and convert converts.
func exportFile[T, Object any](
	name, meaning string, convert func(*T) Object,
	list func(context.Context, string, paging.Request) (paging.Page[T], error),
) exports.File {
	read := func(ctx context.Context, accountID string, p paging.Request) (paging.Page[any], error) {
		result, err := list(ctx, accountID, p)
		if err != nil {
			return paging.Page[any]{}, err
		}
		objects := paging.Page[any]{Data: make([]any, len(result.Data)), NextCursor: result.NextCursor}
		for i := range result.Data {
			objects.Data[i] = convert(&result.Data[i])
		}
		return objects, nil
	}
	return exports.File{Name: name, Meaning: meaning, List: read}
}

func (s *Server) exportEvents(ctx context.Context, accountID string, p paging.Request) (paging.Page[any], error) {
	list, err := s.Events.List(ctx, accountID, events.Filter{}, p)
	if err != nil {
		return paging.Page[any]{}, err
	}
	envelopes := paging.Page[any]{Data: make([]any, len(list.Data)), NextCursor: list.NextCursor}
	for i, body := range list.Data {
		envelopes.Data[i] = body
	}
	return envelopes, nil
}

// exportedChange is an entry of the history of a card, as the API returns it, with the card that it belongs to.
type exportedChange struct {
	CardID string `json:"card_id"`
	server.CardHistoryEntry
}

// exportHistory reads the changes of all cards, with one query for each kind of names of a page.
func (s *Server) exportHistory(ctx context.Context, accountID string, p paging.Request) (paging.Page[any], error) {
	list, err := s.Cards.AccountHistory(ctx, accountID, p)
	if err != nil {
		return paging.Page[any]{}, err
	}
	names, err := s.actorNames(ctx, accountID, list.Data)
	if err != nil {
		return paging.Page[any]{}, err
	}
	changes := paging.Page[any]{Data: make([]any, len(list.Data)), NextCursor: list.NextCursor}
	for i := range list.Data {
		e := &list.Data[i]
		changes.Data[i] = exportedChange{e.CardID, historyEntry(e, names)}
	}
	return changes, nil
}

func deletion(d *cards.Deletion) server.Deletion {
	return server.Deletion{CardID: d.CardID, DeletedAt: timestamp.Of(d.DeletedAt)}
}
