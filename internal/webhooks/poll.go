package webhooks

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// How the engine polls.
const (
	// pollGap is the shortest time between two polls, however often it is woken.
	minPollInterval = 5 * time.Millisecond
	// pollTimeout bounds one poll.
	pollTimeout = 5 * time.Second
	// pollPatience is how long the engine waits for a poll before it starts another one beside it, by another
	// connection: one whose connection has gone silent ends only at pollTimeout. At most pollsMax are under way.
	slowPollTimeout = time.Second
	maxPolls        = 4
	// pollPause is the time until the next poll when one found as much as it may.
	fullPollPause = 50 * time.Millisecond
)

// run polls when poked, when something becomes due, and at least every Config.PollEvery.
func (e *Engine) run() {
	defer close(e.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	polls := make(chan struct{}, maxPolls)
	var last time.Time
	pause := minRetryPause
	for {
		select {
		case <-e.quit:
			return
		case <-timer.C:
		case <-e.pollRequests:
			if rest := minPollInterval - time.Since(last); rest > 0 {
				timer.Reset(rest)
				continue
			}
		}
		last = time.Now()
		next, err := e.pollWithTimeout(polls)
		if err != nil {
			slog.Warn("webhook deliveries wait for the database", "error", err, "pause", pause)
			timer.Reset(pause)
			pause = min(2*pause, maxRetryPause)
			continue
		}
		pause = minRetryPause
		timer.Reset(next)
	}
}

// pollBeside polls and waits for the poll, but not longer than pollPatience: what it finds later is taken over
// then.
func (e *Engine) pollWithTimeout(polls chan struct{}) (time.Duration, error) {
	select {
	case polls <- struct{}{}:
	case <-time.After(slowPollTimeout):
		return 0, fmt.Errorf("webhooks.poll: %d polls have had no answer", maxPolls)
	case <-e.quit:
		return e.cfg.PollEvery, nil
	}
	type answer struct {
		next time.Duration
		err  error
	}
	answered := make(chan answer, 1)
	e.tasks.Go(func() {
		next, err := e.poll()
		<-polls
		answered <- answer{next, err}
	})
	select {
	case a := <-answered:
		return a.next, a.err
	case <-e.quit:
		return e.cfg.PollEvery, nil
	case <-time.After(slowPollTimeout):
		return minPollInterval, nil
	}
}

// poll finds which endpoints have something due and returns when to poll next.
func (e *Engine) poll() (next time.Duration, err error) {
	ctx, cancel := context.WithTimeout(e.sendCtx, pollTimeout)
	defer cancel()
	from, buffered := e.pollStart()
	f, err := selectDue(ctx, e.db.Unprepared(), from)
	if err != nil {
		return 0, fmt.Errorf("webhooks.poll: %w", err)
	}
	states := map[endpointKey]endpointState{}
	if len(buffered) > 0 {
		if states, err = selectEndpointStates(ctx, e.db, buffered); err != nil {
			return 0, fmt.Errorf("webhooks.poll: %w", err)
		}
	}
	next = e.applyPoll(f, buffered, states)
	e.countDue(ctx)
	return next, nil
}

// pollFrom returns where a poll begins, and the endpoints whose deliveries wait in memory: whether they may
// still be sent is looked up. When more endpoints want to claim than a poll may find, it looks for no
// further ones.
func (e *Engine) pollStart() (from pollPosition, buffered []endpointKey) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Since(e.lastFullPoll) >= fullPollInterval {
		e.lastFullPoll, e.position = time.Now(), pollPosition{}
	}
	for key, q := range e.queues {
		if len(q.jobs) > 0 {
			buffered = append(buffered, key)
		}
	}
	return e.position, buffered
}

// observe takes over what a poll found, and what has become of endpoints whose deliveries wait in memory. It
// returns when to poll next.
func (e *Engine) applyPoll(f pollResult, buffered []endpointKey, states map[endpointKey]endpointState) (next time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, key := range buffered {
		e.applyEndpointState(e.endpointQueue(key), states[key])
	}
	for _, one := range f.endpoints {
		q := e.endpointQueue(one.key)
		q.markDue(one)
		e.schedule(q)
	}
	e.position = pollPosition{later(e.position.wakeups, f.position.wakeups), later(e.position.leases, f.position.leases)}
	e.metrics.observePoll(e.dueQueues(f.now))
	e.removeIdleQueues()
	e.dispatch()
	switch {
	case f.full:
		return fullPollPause
	case f.next >= 0:
		return min(f.next, e.cfg.PollEvery)
	}
	return e.cfg.PollEvery
}

// observeState takes over what was looked up of an endpoint. Leased deliveries that are not to be sent now,
// because it is disabled or deleted, are given back.
func (e *Engine) applyEndpointState(q *endpointQueue, state endpointState) {
	q.deleted = state.Deleted
	if q.target != nil && !q.target.version.Equal(state.Version) {
		q.target = nil
	}
	if !state.Active {
		e.release(e.drain(q))
		q.due = state.Deleted
	}
	e.schedule(q)
}

// foundDue notes that a poll found the lane's endpoint.
func (q *endpointQueue) markDue(f dueEndpoint) {
	q.due = true
	q.wakeups++
	q.noteDue(f.dueFrom)
	if f.woken && (!q.woken || f.wakeAt.Before(q.wakeAt)) {
		q.wakeAt = f.wakeAt
	}
	q.woken = q.woken || f.woken
}

// dueSince notes that a delivery due at this time may have to be claimed.
func (q *endpointQueue) noteDue(at time.Time) {
	if q.dueFrom == nil || at.Before(*q.dueFrom) {
		q.dueFrom = &at
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// dueLanes returns how many endpoints have something due, and for how long the oldest of it has been.
func (e *Engine) dueQueues(now time.Time) (n int, oldest time.Duration) {
	for _, q := range e.queues {
		if !q.due {
			continue
		}
		n++
		if q.dueFrom != nil && !q.dueFrom.IsZero() {
			oldest = max(oldest, now.Sub(*q.dueFrom))
		}
	}
	return n, oldest
}

// What is due is counted for the metrics alone: every dueCountEvery, dueShown of one endpoint and
// dueShownAll of all at most, so that it costs little however much there is.
const (
	dueCountEvery = 10 * time.Second
	dueShown      = 1000
	dueShownAll   = 100_000
)

// countDue brings the gauge of what is due up to date, if that was long ago. That it fails holds nothing up.
func (e *Engine) countDue(ctx context.Context) {
	e.mu.Lock()
	counted := time.Since(e.lastDueCount) < dueCountEvery
	var keys []endpointKey
	if !counted {
		e.lastDueCount = time.Now()
		for key, q := range e.queues {
			if q.due && !q.deleted {
				keys = append(keys, key)
			}
		}
	}
	e.mu.Unlock()
	if counted {
		return
	}
	n, err := countDue(ctx, e.db, keys)
	if err != nil {
		slog.DebugContext(ctx, "what is due was not counted", "error", err)
		return
	}
	e.metrics.due.Set(float64(n))
}

// countDue returns how many deliveries of the enabled ones among these endpoints are due and nobody has a lease
// on.
func countDue(ctx context.Context, db postgres.Querier, keys []endpointKey) (n int, err error) {
	accounts, endpoints := make(pq.StringArray, len(keys)), make(pq.StringArray, len(keys))
	for i, key := range keys {
		accounts[i], endpoints[i] = key.account, key.endpoint
	}
	err = db.Get(ctx, &n, `
		SELECT count(*) FROM (
			SELECT FROM unnest($3::text[], $4::text[]) AS k(account_id, id)
			JOIN webhook_endpoints e ON e.account_id = k.account_id AND e.id = k.id AND e.enabled
			CROSS JOIN LATERAL (
				SELECT FROM deliveries_pending p
				WHERE p.account_id = e.account_id AND p.endpoint_id = e.id AND p.due_at <= now() AND `+unleased+`
				LIMIT $1
			) due
			LIMIT $2
		) due`, dueShown, dueShownAll, accounts, endpoints)
	if err != nil {
		return 0, fmt.Errorf("webhooks.countDue: %w", err)
	}
	return n, nil
}
