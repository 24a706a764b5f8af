package cardvault

import (
	"context"
	"iter"
	"time"
)

// largestPage is the most cards that a page can hold.
const largestPage = 200

// Changes follows the changes of cards by polling. It misses none: it asks for what has changed at or after the last change
// it has seen, and leaves out what it has yielded already. It is for one goroutine.
type Changes struct {
	client   *Client
	filter   ListCardsParams
	interval time.Duration
	since    time.Time
	seen     map[revision]bool // what has been dealt with of the changes at the time since
}

// revision is a state of a card.
type revision struct {
	id      string
	version int64
}

// ChangesParams are the settings of [Client.Changes].
type ChangesParams struct {
	Interval time.Duration // between two passes of Follow; a minute unless set
	// Filter says which cards; Cursor and UpdatedSince are not used. A card that a change takes out of the filter is not
	// yielded: to see cards leave a status, follow them all.
	Filter ListCardsParams
}

// Changes returns what follows the changes of cards since a time, inclusive; the zero time is the beginning. To go on
// after a restart, begin with the [Changes.Since] that was stored.
func (c *Client) Changes(since time.Time, params *ChangesParams) *Changes {
	changes := &Changes{client: c, interval: time.Minute, since: since, seen: map[revision]bool{}}
	if since.IsZero() {
		changes.since = time.Unix(0, 0)
	}
	if params != nil {
		changes.filter = params.Filter
		if params.Interval > 0 {
			changes.interval = params.Interval
		}
	}
	if changes.filter.Limit == 0 {
		changes.filter.Limit = largestPage // there may be much to catch up on
	}
	return changes
}

// Since is the time to begin with after a restart: that of the last change that was yielded. Store it once the card has
// been dealt with. The cards that changed at that very time are then yielded again.
func (c *Changes) Since() time.Time { return c.since }

// Once yields each card that has changed, as it is now, in the order of change, and ends when there are no more. The
// next call goes on where this one ended; a card at which the loop was left is yielded again. An error ends it.
func (c *Changes) Once(ctx context.Context) iter.Seq2[Card, error] {
	return func(yield func(Card, error) bool) {
		filter := c.filter
		filter.Cursor, filter.UpdatedSince = "", c.since
		for card, err := range c.client.Cards(ctx, &filter) {
			if err != nil {
				yield(Card{}, err)
				return
			}
			change := revision{card.ID, card.Version}
			if c.seen[change] {
				continue
			}
			if card.UpdatedAt.After(c.since) {
				c.since = card.UpdatedAt
				clear(c.seen)
			}
			if !yield(card, nil) {
				return
			}
			c.seen[change] = true
		}
	}
}

// Follow yields each card that changes, pass after pass with a pause between them, until the loop is left or the context
// ends, which it yields as the last error. After another error the loop may go on: the next pass tries again.
func (c *Changes) Follow(ctx context.Context) iter.Seq2[Card, error] {
	return func(yield func(Card, error) bool) {
		for {
			for card, err := range c.Once(ctx) {
				if !yield(card, err) || (err != nil && ctx.Err() != nil) {
					return
				}
			}
			if err := sleep(ctx, c.interval); err != nil {
				yield(Card{}, err)
				return
			}
		}
	}
}
