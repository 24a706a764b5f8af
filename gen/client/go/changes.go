package cardvault

import (
	"cmp"
	"context"
	"iter"
	"time"
)

// largestPage is the maximum number of items per page. Feeds request such pages, because there may be many changes.
const largestPage = 200

// Changes follows the changes of cards.
type Changes = Feed[Card]

// ChangesParams are the settings of [Client.Changes].
type ChangesParams = FeedParams[ListCardsParams]

// Changes returns a [Feed] of cards that begins with the changes at a time; the zero time means all cards. To continue
// after a restart, store [Feed.Since] and pass it here.
func (c *Client) Changes(since time.Time, params *ChangesParams) *Changes {
	list := func(ctx context.Context, filter ListCardsParams, since time.Time) iter.Seq2[Card, error] {
		filter.Cursor, filter.UpdatedSince, filter.Limit = "", since, cmp.Or(filter.Limit, largestPage)
		return c.Cards(ctx, &filter)
	}
	return newFeed(since, params, list, func(card Card) (revision, time.Time) {
		return revision{card.ID, card.Version}, card.UpdatedAt
	})
}

// ListingChanges returns a [Feed] of listings, as [Client.Changes] does of cards.
func (c *Client) ListingChanges(since time.Time, params *FeedParams[ListListingsParams]) *Feed[Listing] {
	list := func(ctx context.Context, filter ListListingsParams, since time.Time) iter.Seq2[Listing, error] {
		filter.Cursor, filter.UpdatedSince, filter.Limit = "", since, cmp.Or(filter.Limit, largestPage)
		return c.Listings(ctx, &filter)
	}
	return newFeed(since, params, list, func(listing Listing) (revision, time.Time) {
		return revision{id: listing.ID}, listing.UpdatedAt
	})
}

// SaleChanges returns a [Feed] of sales, as [Client.Changes] does of cards.
func (c *Client) SaleChanges(since time.Time, params *FeedParams[ListSalesParams]) *Feed[Sale] {
	list := func(ctx context.Context, filter ListSalesParams, since time.Time) iter.Seq2[Sale, error] {
		filter.Cursor, filter.UpdatedSince, filter.Limit = "", since, cmp.Or(filter.Limit, largestPage)
		return c.Sales(ctx, &filter)
	}
	return newFeed(since, params, list, func(sale Sale) (revision, time.Time) {
		return revision{sale.ID, sale.Version}, sale.UpdatedAt
	})
}

// EventChanges returns a [Feed] of events, oldest first. The service stores events for 30 days.
func (c *Client) EventChanges(since time.Time, params *FeedParams[ListEventsParams]) *Feed[Event] {
	list := func(ctx context.Context, filter ListEventsParams, since time.Time) iter.Seq2[Event, error] {
		filter.Cursor, filter.CreatedSince, filter.Limit = "", since, cmp.Or(filter.Limit, largestPage)
		return c.Events(ctx, &filter)
	}
	return newFeed(since, params, list, func(event Event) (revision, time.Time) {
		return revision{id: event.ID}, event.CreatedAt
	})
}

// DeletionChanges returns a [Feed] of the identifiers of deleted cards. The service stores them for 90 days: a client
// that was away for longer reads all cards again. Read the deletions after the cards.
func (c *Client) DeletionChanges(since time.Time, params *FeedParams[ListDeletionsParams]) *Feed[Deletion] {
	list := func(ctx context.Context, filter ListDeletionsParams, since time.Time) iter.Seq2[Deletion, error] {
		filter.Cursor, filter.UpdatedSince, filter.Limit = "", since, cmp.Or(filter.Limit, largestPage)
		return c.Deletions(ctx, &filter)
	}
	return newFeed(since, params, list, func(deletion Deletion) (revision, time.Time) {
		return revision{id: deletion.CardID}, deletion.DeletedAt
	})
}
