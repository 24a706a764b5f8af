package cards

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/cardvault/cardvault/internal/postgres"
)

// A summary reads all cards of a filter. It is computed again only if the account has changed since, and one that took
// long is used for staleFactor times as long, up to maxStale, even if it has. So dashboards that poll a large account
// take at most a small part of the database's time, and small accounts always get exact sums.
const (
	exactBelow  = 20 * time.Millisecond // a summary that takes less is always exact
	staleFactor = 20
	maxStale    = 5 * time.Second
)

// maxSummaries is the maximum number of summaries that are kept. A full cache is cleared, which only costs time.
const maxSummaries = 1000

// summaryJoinTime is the time after the start of a computation in which other requests join it. A computation that
// takes longer may hang on a silent connection, so later requests start another one.
const summaryJoinTime = 2 * time.Second

// summaryTimeout is the timeout of computing a summary, which several requests can await.
const summaryTimeout = 20 * time.Second

// summaries is a cache of summaries.
type summaries struct {
	now    func() time.Time // monotonic
	flight singleflight.Group

	mu      sync.Mutex
	entries map[string]summaryEntry
}

// summaryEntry is a summary and the state of the account for which it is exact.
type summaryEntry struct {
	summary *Summary
	change  int64     // account_clock.change, read before the cards
	until   time.Time // it is used until then even if the account changes
}

func newSummaries() *summaries {
	return &summaries{now: time.Now, entries: map[string]summaryEntry{}}
}

// accountState is the state of an account that a summary includes.
type accountState struct {
	Change int64     `db:"change"`
	LastAt time.Time `db:"last_at"`
}

// stateOf reads the state of an account, so that cards that are read later include its changes.
func stateOf(ctx context.Context, db *postgres.DB, accountID string) (state accountState, err error) {
	err = db.Get(ctx, &state, `SELECT change, last_at FROM account_clock WHERE account_id = $1`, accountID)
	if err != nil {
		return state, fmt.Errorf("summarize cards: %w", err)
	}
	return state, nil
}

// get returns the summary of a key from the cache, or else by calling compute.
func (s *summaries) get(ctx context.Context, db *postgres.DB, accountID, key string,
	compute func(context.Context) (*Summary, error)) (*Summary, error) {
	if known, ok := s.entry(key); ok && s.now().Before(known.until) {
		return known.summary, nil
	}
	state, err := stateOf(ctx, db, accountID)
	if err != nil {
		return nil, err
	}
	return s.at(ctx, state, key, compute)
}

// entry returns the entry of a key, if there is one.
func (s *summaries) entry(key string) (summaryEntry, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.entries[key]
	return known, ok
}

// at returns the summary of a key for a state of the account or a later one, from the cache or by calling compute.
// Requests for the same state share one computation.
func (s *summaries) at(ctx context.Context, state accountState, key string,
	compute func(context.Context) (*Summary, error)) (*Summary, error) {
	known, ok := s.entry(key)
	if ok && (known.change == state.Change || s.now().Before(known.until)) {
		return known.summary, nil
	}
	flight := fmt.Sprintf("%d %s", state.Change, key)
	shared := s.flight.DoChan(flight, func() (any, error) {
		forget := time.AfterFunc(summaryJoinTime, func() { s.flight.Forget(flight) })
		defer forget.Stop()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), summaryTimeout)
		defer cancel()
		begun := s.now()
		summary, err := compute(ctx)
		if err != nil {
			return nil, err
		}
		summary.AsOf, summary.Change = state.LastAt.UTC(), state.Change
		s.put(key, summaryEntry{summary, state.Change, s.now().Add(staleFor(s.now().Sub(begun)))})
		return summary, nil
	})
	select {
	case result := <-shared:
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.(*Summary), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// staleFor returns for how long a summary is used although the account has changed.
func staleFor(took time.Duration) time.Duration {
	if took < exactBelow {
		return 0
	}
	return min(staleFactor*took, maxStale)
}

// put adds an entry, unless there is one for a later state of the account.
func (s *summaries) put(key string, e summaryEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[key].change > e.change {
		return
	}
	if len(s.entries) >= maxSummaries {
		clear(s.entries)
	}
	s.entries[key] = e
}
