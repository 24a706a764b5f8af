package cardvault

import (
	"context"
	"iter"
	"time"
)

// Feed follows the changes of a list by polling. It misses no change: it requests the items that have changed at or
// after the time of the last change that it has seen, and skips those that it has already yielded. It must not be used
// by several goroutines at the same time.
type Feed[T any] struct {
	list     func(ctx context.Context, since time.Time) iter.Seq2[T, error]
	position func(T) (revision, time.Time)
	interval time.Duration
	since    time.Time
	seen     map[revision]bool // changes at the time since that the loop has processed
}

// revision is a state of an item.
type revision struct {
	id      string
	version int64 // 0 if the time of the change identifies the state
}

// FeedParams are the settings of a [Feed] with the filters F.
type FeedParams[F any] struct {
	Interval time.Duration // the pause between two passes of Follow; the default is a minute
	// Filter selects the items. Its cursor and the time at which the list begins are ignored. An item that no longer
	// matches the filter after a change is not yielded: to see cards leave a status, follow all cards.
	Filter F
}

// newFeed returns a feed. fetch lists the items that changed since a time, and position returns the state of an item
// and when it changed.
func newFeed[T, F any](
	since time.Time, params *FeedParams[F],
	fetch func(ctx context.Context, filter F, since time.Time) iter.Seq2[T, error],
	position func(T) (revision, time.Time),
) *Feed[T] {
	var settings FeedParams[F]
	if params != nil {
		settings = *params
	}
	feed := &Feed[T]{position: position, interval: time.Minute, since: since, seen: map[revision]bool{}}
	if since.IsZero() {
		feed.since = time.Unix(0, 0)
	}
	if settings.Interval > 0 {
		feed.interval = settings.Interval
	}
	feed.list = func(ctx context.Context, since time.Time) iter.Seq2[T, error] {
		return fetch(ctx, settings.Filter, since)
	}
	return feed
}

// Since returns the time of the last change that was yielded, for a new feed after a restart. Store it after you have
// processed the item. After the restart, the items that changed at exactly this time are yielded again.
func (f *Feed[T]) Since() time.Time { return f.since }

// Once yields each item that has changed, in its current state and in the order of the changes, and then ends. The next
// call continues where this one ended. An item at which the caller left the loop is yielded again. An error ends the
// iteration.
func (f *Feed[T]) Once(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range f.list(ctx, f.since) {
			if err != nil {
				yield(item, err)
				return
			}
			change, changedAt := f.position(item)
			if f.seen[change] && !changedAt.After(f.since) {
				continue
			}
			if changedAt.After(f.since) {
				f.since = changedAt
				clear(f.seen)
			}
			if !yield(item, nil) {
				return
			}
			f.seen[change] = true
		}
	}
}

// Follow repeats [Feed.Once] with pauses until the caller leaves the loop or the context ends. The last value is then
// the context's error. After any other error the caller may continue: the next pass tries again.
func (f *Feed[T]) Follow(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			for item, err := range f.Once(ctx) {
				if !yield(item, err) || (err != nil && ctx.Err() != nil) {
					return
				}
			}
			if err := sleep(ctx, f.interval); err != nil {
				var none T
				yield(none, err)
				return
			}
		}
	}
}
