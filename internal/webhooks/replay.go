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

// DefaultReplayRate is how many deliveries a second a replay queues unless the caller says otherwise.
const DefaultReplayRate = 100

// Replay says which deliveries are sent again, and how fast.
type Replay struct {
	Account  string // required
	Endpoint string // "": each of the account's
	// Since chooses what was delivered or dropped at or after it. What waits for a retry is sent now.
	Since       time.Time
	DroppedOnly bool
	Rate        int // deliveries a second at most, over all endpoints; 0 is DefaultReplayRate
	// Progress, if not nil, is called as deliveries are queued. total is what was found at the beginning.
	Progress func(done, total int)
}

// Replay sends again what r chooses, oldest event first, and returns how many it queued. It returns
// when the last is queued; after an error those before it stand.
//
// Live events go first: a replay queues small batches, and none for an endpoint that still has as
// much as a batch to do. A disabled endpoint's are all queued and wait. The caller's ctx may end it
// at any time; repeated, it sends the deliveries that have arrived since once more.
func (s *Deliveries) Replay(ctx context.Context, r Replay) (int, error) {
	until := s.clock.Time()
	endpoints, err := s.replayEndpoints(ctx, r)
	if err != nil {
		return 0, fmt.Errorf("webhooks.Replay: %w", err)
	}
	total := 0
	sources := make([]*replaySource, len(endpoints))
	for i, e := range endpoints {
		found := finishedFilter{r.Account, e.ID, r.DroppedOnly, r.Since, until}
		n, err := countFinished(ctx, s.db, found)
		if err != nil {
			return 0, fmt.Errorf("webhooks.Replay: %w", err)
		}
		total += n
		sources[i] = &replaySource{endpoint: e.ID, next: s.resendNext(found)}
	}
	done, err := s.runSources(ctx, r.Account, sources, replayRate{r.Rate, total, r.Progress})
	if err != nil {
		return done, fmt.Errorf("webhooks.Replay: %w", err)
	}
	return done, nil
}

// replayed returns the endpoints that a replay is for.
func (s *Deliveries) replayEndpoints(ctx context.Context, r Replay) ([]Endpoint, error) {
	if r.Endpoint == "" {
		return selectEndpoints(ctx, s.db, r.Account)
	}
	e, err := selectEndpoint(ctx, s.db, r.Account, r.Endpoint)
	return []Endpoint{e}, err
}

// resender returns what queues the next of the found deliveries. It goes by identifier, so that
// one which is finished again meanwhile is not found twice. Its place advances once a batch is committed:
// the transaction may be run more than once.
func (s *Deliveries) resendNext(found finishedFilter) func(ctx context.Context, limit int) (queued int, more bool, err error) {
	after := ""
	return func(ctx context.Context, limit int) (queued int, more bool, err error) {
		var resent resentBatch
		err = s.clock.Write(ctx, s.db, found.account, func(tx *postgres.Tx, _ clock.Stamp) (err error) {
			resent, err = resendBatch(ctx, tx, found, after, limit)
			return err
		})
		if err != nil || resent.last == "" {
			return 0, false, err
		}
		after = resent.last
		return resent.queued, resent.more, nil
	}
}

// resentBatch is one batch of a replay.
type resentBatch struct {
	queued int
	last   string // the highest identifier of the batch; "" if it is empty
	more   bool   // there may be another batch
}

// resendBatch makes up to limit of the found deliveries above the identifier after pending and due.
func resendBatch(ctx context.Context, tx *postgres.Tx, found finishedFilter, after string, limit int) (resentBatch, error) {
	batch, err := selectFinished(ctx, tx, found, after, limit)
	if err != nil || len(batch) == 0 {
		return resentBatch{}, err
	}
	byState := map[State][]string{}
	for _, d := range batch {
		byState[d.State] = append(byState[d.State], d.ID)
	}
	resent := resentBatch{last: batch[len(batch)-1].ID, more: len(batch) == limit}
	for state, ids := range byState {
		n, err := resend(ctx, tx, found.account, state, ids)
		if err != nil {
			return resentBatch{}, err
		}
		resent.queued += n
	}
	return resent, nil
}

// source is what a replay has for one endpoint. next queues up to limit deliveries.
type replaySource struct {
	endpoint     string
	next         func(ctx context.Context, limit int) (queued int, more bool, err error)
	blockedSince time.Time // since when the endpoint has had no room
}

// pace is how fast a replay goes and who is told.
type replayRate struct {
	perSecond int
	total     int
	progress  func(done, total int)
}

// A replay queues about replayBatches batches a second, so that none is large. It tells of an
// endpoint that has had no room for replayStuck.
const (
	replayBatchesPerSecond = 5
	replayBlockedWarning   = 10 * time.Second
	// replayTimeout bounds one batch, so that a connection that has gone silent ends the replay with an error.
	replayTimeout = time.Minute
)

// pace queues from the sources in turn, no faster than allowed, until they have no more. It returns
// how many deliveries it queued.
func (s *Deliveries) runSources(ctx context.Context, accountID string, sources []*replaySource, p replayRate) (done int, err error) {
	if p.perSecond == 0 {
		p.perSecond = DefaultReplayRate
	}
	if p.perSecond < 0 {
		return 0, fault.Invalid("rate", "must be positive")
	}
	batch := min(max(p.perSecond/replayBatchesPerSecond, 1), dropBatch)
	for {
		queued := 0
		var unfinished []*replaySource
		for _, from := range sources {
			n, more, err := s.queueBatch(ctx, accountID, from, batch)
			if err != nil {
				return done, err
			}
			if more {
				unfinished = append(unfinished, from)
			}
			queued += n
			done += n
		}
		if p.progress != nil {
			p.progress(done, max(done, p.total))
		}
		if sources = unfinished; len(sources) == 0 {
			return done, nil
		}
		sleep(ctx, time.Duration(max(queued, batch))*time.Second/time.Duration(p.perSecond))
		if ctx.Err() != nil {
			return done, ctx.Err()
		}
	}
}

// advance queues one batch of a source if its endpoint has room.
func (s *Deliveries) queueBatch(ctx context.Context, accountID string, from *replaySource, batch int) (queued int, more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, replayTimeout)
	defer cancel()
	room, exists, err := hasRoom(ctx, s.db, endpointKey{accountID, from.endpoint}, batch)
	if err != nil || !exists {
		return 0, false, err
	}
	if !room {
		from.warnIfBlocked(ctx)
		return 0, true, nil
	}
	from.blockedSince = time.Time{}
	queued, more, err = from.next(ctx, batch)
	if queued > 0 {
		s.outbox.wakeEndpoints([]endpointKey{{accountID, from.endpoint}})
	}
	return queued, more, err
}

// stuck notes that the endpoint has no room, and tells of it once it has lasted.
func (s *replaySource) warnIfBlocked(ctx context.Context) {
	now := time.Now()
	if s.blockedSince.IsZero() {
		s.blockedSince = now
	}
	if now.Sub(s.blockedSince) >= replayBlockedWarning {
		slog.WarnContext(ctx, "a replay waits: the endpoint is slower than it, or no worker runs", "endpoint", s.endpoint)
		s.blockedSince = now
	}
}
