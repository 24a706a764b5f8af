package webhooks

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// DefaultReplayRate is the default number of deliveries per second that a replay queues.
const DefaultReplayRate = 100

// Replay selects the deliveries to send again, and limits the rate.
type Replay struct {
	Account  string // required
	Endpoint string // "" means all endpoints of the account
	// Since selects deliveries that were delivered or dropped at or after this time. Deliveries that wait for a retry
	// are always selected and sent now.
	Since       time.Time
	DroppedOnly bool
	Rate        int // maximum number of deliveries per second over all endpoints; 0 means DefaultReplayRate
	// Progress, if not nil, is called after each round of batches. total is the number of deliveries that were
	// selected at the start.
	Progress func(done, total int)
}

// Replay sends the selected deliveries again, oldest event first, and returns the number that it queued. It returns
// when the last one is queued. After an error, the deliveries that were queued before stay queued.
//
// Live events have priority: a replay queues small batches, and no batch for an endpoint that still has a batch of
// due deliveries. For a disabled endpoint it queues all deliveries, which wait until the endpoint is enabled.
// Canceling ctx stops the replay. A repeated replay also sends the deliveries again that the first one delivered.
func (s *Deliveries) Replay(ctx context.Context, r Replay) (int, error) {
	until := s.clock.Time()
	endpoints, err := s.replayEndpoints(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("replay deliveries: %w", err)
	}
	total := 0
	sources := make([]*replaySource, len(endpoints))
	for i, e := range endpoints {
		filter := finishedFilter{r.Account, e.ID, r.DroppedOnly, r.Since, until}
		n, err := countFinished(ctx, s.db, filter)
		if err != nil {
			return 0, fmt.Errorf("replay deliveries: %w", err)
		}
		total += n
		sources[i] = &replaySource{endpoint: e.ID, next: s.resendNext(filter)}
	}
	done, err := s.runSources(ctx, r.Account, sources, replayRate{r.Rate, total, r.Progress})
	if err != nil {
		return done, fmt.Errorf("replay deliveries: %w", err)
	}
	return done, nil
}

// replayEndpoints returns the endpoints of a replay.
func (s *Deliveries) replayEndpoints(ctx context.Context, r Replay) ([]Endpoint, error) {
	if r.Endpoint == "" {
		return SelectEndpoints(ctx, s.db, r.Account)
	}
	e, err := selectEndpoint(ctx, s.db, r.Account, r.Endpoint)
	return []Endpoint{e}, err
}

// nextBatch queues up to limit deliveries of a source.
type nextBatch func(ctx context.Context, limit int) (count int, more bool, err error)

// resendNext returns a function that queues the next selected deliveries. It proceeds by identifier, so a delivery
// that finishes again during the replay is not selected twice. The position advances only after a commit, because the
// transaction may be retried.
func (s *Deliveries) resendNext(filter finishedFilter) nextBatch {
	after := ""
	return func(ctx context.Context, limit int) (count int, more bool, err error) {
		var resent resentBatch
		err = s.clock.Write(ctx, s.db, filter.account, func(tx *postgres.Tx, _ clock.Stamp) (err error) {
			resent, err = resendBatch(ctx, tx, filter, after, limit)
			return err
		})
		if err != nil || resent.last == "" {
			return 0, false, err
		}
		after = resent.last
		return resent.queued, resent.more, nil
	}
}

// resentBatch is the result of one batch of a replay.
type resentBatch struct {
	queued int
	last   string // highest identifier of the batch; "" if the batch is empty
	more   bool   // there may be another batch
}

// resendBatch makes up to limit selected deliveries with identifiers above after pending and due.
func resendBatch(ctx context.Context, tx *postgres.Tx, filter finishedFilter, after string,
	limit int) (resentBatch, error) {
	batch, err := selectFinished(ctx, tx, filter, after, limit)
	if err != nil || len(batch) == 0 {
		return resentBatch{}, err
	}
	byState := map[State][]string{}
	for _, d := range batch {
		byState[d.State] = append(byState[d.State], d.ID)
	}
	resent := resentBatch{last: batch[len(batch)-1].ID, more: len(batch) == limit}
	for state, ids := range byState {
		n, err := resend(ctx, tx, filter.account, state, ids)
		if err != nil {
			return resentBatch{}, err
		}
		resent.queued += n
	}
	return resent, nil
}

// replaySource queues the deliveries of one endpoint of a replay. next queues up to limit deliveries.
type replaySource struct {
	endpoint     string
	next         nextBatch
	blockedSince time.Time // since when the endpoint has had too many due deliveries
}

// replayRate limits a replay and reports its progress.
type replayRate struct {
	perSecond int
	total     int
	progress  func(done, total int)
}

// A replay queues about replayBatchesPerSecond batches per second, which keeps each one small. It logs a warning if
// an endpoint has accepted no batch for replayBlockedWarning.
const (
	replayBatchesPerSecond = 5
	replayBlockedWarning   = 10 * time.Second
	// maxReplayBatch limits one batch.
	maxReplayBatch = 500
	// replayTimeout limits one batch, so that a dead connection ends the replay with an error.
	replayTimeout = time.Minute
)

// runSources queues batches from the sources in turn at the given rate until the sources are empty. It returns the
// number of queued deliveries.
func (s *Deliveries) runSources(ctx context.Context, accountID string, sources []*replaySource,
	p replayRate) (done int, err error) {
	if p.perSecond == 0 {
		p.perSecond = DefaultReplayRate
	}
	if p.perSecond < 0 {
		return 0, fault.Invalid("rate", "must be positive")
	}
	batch := min(max(p.perSecond/replayBatchesPerSecond, 1), maxReplayBatch)
	for {
		count := 0
		var rest []*replaySource
		for _, from := range sources {
			n, more, err := s.queueBatch(ctx, accountID, from, batch)
			if err != nil {
				return done, err
			}
			if more {
				rest = append(rest, from)
			}
			count += n
			done += n
		}
		if p.progress != nil {
			p.progress(done, max(done, p.total))
		}
		if sources = rest; len(sources) == 0 {
			return done, nil
		}
		select {
		case <-ctx.Done():
			return done, ctx.Err()
		case <-time.After(time.Duration(max(count, batch)) * time.Second / time.Duration(p.perSecond)):
		}
	}
}

// queueBatch queues one batch of a source if its endpoint has room.
func (s *Deliveries) queueBatch(ctx context.Context, accountID string, from *replaySource,
	batch int) (count int, more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, replayTimeout)
	defer cancel()
	room, exists, err := hasRoom(ctx, s.db, EndpointKey{accountID, from.endpoint}, batch)
	if err != nil || !exists {
		return 0, false, err
	}
	if !room {
		from.warnIfBlocked(ctx)
		return 0, true, nil
	}
	from.blockedSince = time.Time{}
	count, more, err = from.next(ctx, batch)
	if count > 0 {
		s.waker.WakeEndpoints([]EndpointKey{{accountID, from.endpoint}})
	}
	return count, more, err
}

// warnIfBlocked records that the endpoint has no room, and logs a warning every replayBlockedWarning.
func (s *replaySource) warnIfBlocked(ctx context.Context) {
	now := time.Now()
	if s.blockedSince.IsZero() {
		s.blockedSince = now
	}
	if now.Sub(s.blockedSince) >= replayBlockedWarning {
		slog.WarnContext(ctx, "webhook replay is blocked: the endpoint is slow or no worker is running",
			"endpoint", s.endpoint)
		s.blockedSince = now
	}
}
