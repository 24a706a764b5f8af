package cardvault

import (
	"context"
	"iter"
	"time"
)

// largestPage is the maximum number of cards per page.
const largestPage = 200

// Changes follows the changes of cards by polling. It misses no change: it requests the cards that have changed at or
// after the time of the last change that it has seen, and skips those that it has already yielded. It must not be used
// by several goroutines at the same time.
type Changes struct {
	client   *Client
	filter   ListCardsParams
	interval time.Duration
	since    time.Time
	seen     map[revision]bool // changes at the time since that the loop has processed
}

// revision is a version of a card.
type revision struct {
	id      string
	version int64
}

// ChangesParams are the settings of [Client.Changes].
type ChangesParams struct {
	Interval time.Duration // the pause between two passes of Follow; the default is a minute
	// Filter selects the cards. Cursor and UpdatedSince are ignored. A card that no longer matches the filter after a
	// change is not yielded: to see cards leave a status, follow all cards.
	Filter ListCardsParams
}

// Changes returns a [Changes] that begins with the changes at a time; the zero time means all cards. To continue after
// a restart, store [Changes.Since] and pass it here.
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
		changes.filter.Limit = largestPage // there may be many changes
	}
	return changes
}

// Since returns the time of the last change that was yielded, for [Client.Changes] after a restart. Store it after you
// have processed the card. After the restart, the cards that changed at exactly this time are yielded again.
func (c *Changes) Since() time.Time { return c.since }

// Once yields each card that has changed, in its current state and in the order of the changes, and then ends. The next
// call continues where this one ended. A card at which the caller left the loop is yielded again. An error ends the
// iteration.
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

// Follow repeats [Changes.Once] with pauses until the caller leaves the loop or the context ends. The last value is
// then the context's error. After any other error the caller may continue: the next pass tries again.
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
