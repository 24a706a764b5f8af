package delivery

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Limits and timeouts of polls.
const (
	// minPollInterval is the shortest time between the starts of two polls.
	minPollInterval = 5 * time.Millisecond
	// pollTimeout limits one poll.
	pollTimeout = 5 * time.Second
	// After slowPollTimeout, another poll starts beside a slow one on another connection, because a poll on a dead
	// connection only ends at pollTimeout. At most maxPolls run at the same time.
	slowPollTimeout = time.Second
	maxPolls        = 4
	// morePollDelay is the time until the next poll after one that returned the maximum number of rows.
	morePollDelay = 50 * time.Millisecond
)

// run polls on request, when deliveries become due, and at least every Config.PollEvery.
func (e *Engine) run() {
	defer close(e.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	polls := make(chan struct{}, maxPolls)
	var last time.Time
	delay := minBackoff
	for {
		select {
		case <-e.quit:
			return
		case <-timer.C:
		case <-e.pollRequests:
			if wait := minPollInterval - time.Since(last); wait > 0 {
				timer.Reset(wait)
				continue
			}
		}
		last = time.Now()
		next, err := e.pollWithTimeout(polls)
		if err != nil {
			slog.Warn("polling for webhook deliveries failed", "error", err, "delay", delay)
			timer.Reset(delay)
			delay = min(2*delay, maxBackoff)
			continue
		}
		delay = minBackoff
		timer.Reset(next)
	}
}

// pollWithTimeout starts a poll and waits up to slowPollTimeout for it. The result of a slower poll is used when it
// arrives.
func (e *Engine) pollWithTimeout(polls chan struct{}) (time.Duration, error) {
	select {
	case polls <- struct{}{}:
	case <-time.After(slowPollTimeout):
		return 0, fmt.Errorf("poll deliveries: no response to %d polls", maxPolls)
	case <-e.quit:
		return e.cfg.PollEvery, nil
	}
	type answer struct {
		next time.Duration
		err  error
	}
	answers := make(chan answer, 1)
	e.tasks.Go(func() {
		next, err := e.poll()
		<-polls
		answers <- answer{next, err}
	})
	select {
	case a := <-answers:
		return a.next, a.err
	case <-e.quit:
		return e.cfg.PollEvery, nil
	case <-time.After(slowPollTimeout):
		return minPollInterval, nil
	}
}

// poll finds endpoints with due deliveries and returns the time until the next poll.
func (e *Engine) poll() (next time.Duration, err error) {
	ctx, cancel := context.WithTimeout(e.sendCtx, pollTimeout)
	defer cancel()
	from, ahead, buffer := e.pollStart()
	f, err := selectDue(ctx, e.db.Unprepared(), from, ahead)
	if err != nil {
		return 0, fmt.Errorf("poll deliveries: %w", err)
	}
	states := map[webhooks.EndpointKey]endpointState{}
	if len(buffer) > 0 {
		if states, err = selectEndpointStates(ctx, e.db, buffer); err != nil {
			return 0, fmt.Errorf("poll deliveries: %w", err)
		}
	}
	next = e.applyPoll(f, buffer, states)
	e.countDue(ctx)
	return next, nil
}

// pollStart returns the position where the next poll starts, how far it looks ahead, and the endpoints with queued
// deliveries, whose state is to be checked. A poll looks ahead for deliveries whose notification this engine did not
// receive, because it did not listen.
func (e *Engine) pollStart() (from pollPosition, ahead time.Duration, buffer []webhooks.EndpointKey) {
	e.mu.Lock()
	defer e.mu.Unlock()
	full := time.Since(e.lastFullPoll) >= fullPollInterval
	if full {
		e.lastFullPoll, e.position = time.Now(), pollPosition{}
	}
	if full || e.missedNotifications || e.cfg.ListenURL == "" {
		e.missedNotifications, ahead = false, webhooks.SharedWakeupDelay
	}
	return e.position, ahead, e.scheduler.buffered()
}

// onMissedNotifications makes a poll soon that finds the deliveries of missed notifications.
func (e *Engine) onMissedNotifications() {
	e.mu.Lock()
	e.missedNotifications = true
	e.mu.Unlock()
	e.requestPoll()
}

// applyPoll passes the result of a poll and the states of the endpoints in buffer to the scheduler. It returns the
// time until the next poll.
func (e *Engine) applyPoll(f pollResult, buffer []webhooks.EndpointKey,
	states map[webhooks.EndpointKey]endpointState) (next time.Duration) {
	e.update(func(s *scheduler, now time.Time) {
		s.onPoll(f.endpoints, buffer, states, now)
		e.position = pollPosition{later(e.position.wakeups, f.position.wakeups),
			later(e.position.leases, f.position.leases)}
		e.metrics.observePoll(s.dueQueues(f.now))
	})
	switch {
	case f.more:
		return morePollDelay
	case f.next >= 0:
		return min(f.next, e.cfg.PollEvery)
	}
	return e.cfg.PollEvery
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Due deliveries are counted only for the metrics. The limits keep the count cheap: it runs every dueCountEvery and
// counts up to dueShown deliveries per endpoint and dueShownAll in total.
const (
	dueCountEvery = 10 * time.Second
	dueShown      = 1000
	dueShownAll   = 100_000
)

// countDue updates the gauge of due deliveries if its value is old. It ignores errors.
func (e *Engine) countDue(ctx context.Context) {
	e.mu.Lock()
	counted := time.Since(e.lastDueCount) < dueCountEvery
	var keys []webhooks.EndpointKey
	if !counted {
		e.lastDueCount = time.Now()
		for key, q := range e.scheduler.queues {
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
		slog.DebugContext(ctx, "counting due webhook deliveries failed", "error", err)
		return
	}
	e.metrics.due.Set(float64(n))
}

// countDue returns the number of due deliveries without a lease of the enabled endpoints among keys.
func countDue(ctx context.Context, db postgres.Querier, keys []webhooks.EndpointKey) (n int, err error) {
	accounts, endpoints := make(pq.StringArray, len(keys)), make(pq.StringArray, len(keys))
	for i, key := range keys {
		accounts[i], endpoints[i] = key.Account, key.Endpoint
	}
	err = db.Get(ctx, &n, `
		SELECT count(*) FROM (
			SELECT FROM unnest($3::text[], $4::text[]) AS k(account_id, id)
			JOIN webhook_endpoints e ON e.account_id = k.account_id AND e.id = k.id AND e.enabled
			CROSS JOIN LATERAL (
				SELECT FROM deliveries_pending p
				WHERE p.account_id = e.account_id AND p.endpoint_id = e.id AND p.due_at <= now()
				  AND `+webhooks.Unleased+`
				LIMIT $1
			) due
			LIMIT $2
		) due`, dueShown, dueShownAll, accounts, endpoints)
	if err != nil {
		return 0, fmt.Errorf("count due deliveries: %w", err)
	}
	return n, nil
}
