// Package lookup reads what the pages of several sections show of cards, and of the people and programs that change
// cards.
package lookup

import (
	"context"
	"slices"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/users"
)

// Reader reads for pages.
type Reader struct {
	Cards    *cards.Service
	Accounts *accounts.Service
	Users    *users.Service
	Batches  *batches.Service
	// PhotoURL returns the URL of a photo of an account's card.
	PhotoURL func(accountID string, p cards.Photo) string
}

// Row is a card with a photo.
type Row struct {
	cards.Card
	Photo string // the URL of a photo; "" if there is none
}

func (r *Reader) Row(card cards.Card) Row { return Row{card, r.PhotoOf(&card)} }

// PhotoOf returns the URL of a photo of the card, or "" if there is none.
func (r *Reader) PhotoOf(card *cards.Card) string {
	ready := card.ReadyPhotos()
	if len(ready) == 0 {
		return ""
	}
	return r.PhotoURL(card.AccountID, ready[0])
}

// CardsByID returns the account's cards with these identifiers, without those that were deleted.
func (r *Reader) CardsByID(ctx context.Context, accountID string, ids []string) (map[string]cards.Card, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	byID := make(map[string]cards.Card, len(ids))
	for chunk := range slices.Chunk(ids, paging.MaxLimit) {
		found, err := r.Cards.List(ctx, accountID, cards.Filter{IDs: chunk}, paging.Request{Limit: paging.MaxLimit})
		if err != nil {
			return nil, err
		}
		for _, card := range found.Data {
			byID[card.ID] = card
		}
	}
	return byID, nil
}

// Reason returns what the fault of a rule says, or "" for nil.
func Reason(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Message
	}
	return ""
}

// Refusal returns why a form about a card was not carried out, in the words of the dashboard.
func Refusal(f *fault.Error) string {
	if f.Code == fault.VersionMismatch {
		return "The card was changed in the meantime. Look at it again, then repeat your change."
	}
	for _, detail := range f.Details {
		if detail.Field == "identification.catalog_id" {
			return "This printing is not in the catalogue any more. Search for it, or edit the card by hand."
		}
	}
	return f.Message
}
