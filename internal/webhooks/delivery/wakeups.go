package delivery

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// A wakeup is a row of endpoint_wakeups: the time to look at an endpoint's deliveries. Every pending delivery of an
// enabled endpoint without a lease has a wakeup at or before its due time, or within recheckDelay. Every delivery
// with a lease from a claim has one soon after the end of the lease. Four rules ensure this:
//
//   - A transaction that creates a delivery without a lease inserts a wakeup. Both become visible together, so
//     a claim sees both or none. A write that holds the account's clock inserts none if there is one that is due within
//     webhooks.SharedWakeupDelay, so a busy endpoint has few wakeups and not one for each write.
//   - A claim deletes the wakeups that it sees and inserts one for the deliveries that it does not claim, in the
//     same statement. If a transaction holds the account's clock, that one may have deliveries that the claim does not
//     see and that share the wakeups, so the claim inserts another wakeup.
//   - A claim inserts a wakeup for its leases, unless the wakeup of an earlier claim covers them.
//   - Enabling or deleting an endpoint inserts a wakeup. The next claim deletes the wakeups of a disabled endpoint.
//
// A delivery that is inserted with a lease needs no wakeup, because the index of handed_until finds the end of the
// lease. An index of leased_until would make every claim write to all indexes.
//
// All these times are compared with the database's clock.

const (
	// recheckDelay is the time of the wakeup for due deliveries that a claim left. The engine that claimed continues
	// without this wakeup; it is for other engines, which can help, and continue if that one crashes.
	recheckDelay = 10 * time.Second
	// maxSharedAge is the longest time between a write that shares a wakeup and its commit. Until its commit, it holds
	// the account's clock, and the server ends sessions that are silent for much less than this.
	maxSharedAge = 10 * time.Minute
	// maxPollRows limits the rows of a kind that one poll returns. The next poll continues after them.
	maxPollRows = 1000
	// maxCommitDelay is the longest time between inserting a wakeup and its commit for which the next poll finds the
	// wakeup. Wakeups that are committed later are found by the next full poll.
	maxCommitDelay = time.Minute
	// maxLeaseCommitDelay is the same for the ends of leases, which are committed long before they are reached.
	maxLeaseCommitDelay = 10 * time.Second
	// fullPollInterval is the time between polls that start at the beginning of the indexes. Other polls skip the
	// part that was read before: deleted entries stay in an index as long as a snapshot needs them.
	fullPollInterval = 10 * time.Minute
)

// dueEndpoint is an endpoint with due deliveries or expired leases.
type dueEndpoint struct {
	key     webhooks.EndpointKey
	woken   bool      // found by wakeups at or after wakeAt; else by the end of a lease
	wakeAt  time.Time // the earliest wakeup
	dueFrom time.Time // earliest due time of the deliveries to claim
}

// pollPosition is the position of polls in the indexes, by the database's clock. The zero value is the beginning.
type pollPosition struct{ wakeups, leases time.Time }

// pollResult is the result of a poll.
type pollResult struct {
	endpoints []dueEndpoint
	next      time.Duration // until the next wakeup; negative if there is none
	position  pollPosition  // where the next poll starts
	more      bool          // there may be more due endpoints
	now       time.Time     // by the database's clock
}

// dueRow is a row of dueSQL.
type dueRow struct {
	Kind     string    `db:"kind"`
	Account  string    `db:"account_id"`
	Endpoint string    `db:"endpoint_id"`
	At       time.Time `db:"at"`
	DueFrom  time.Time `db:"due_from"`
	Wait     int64     `db:"wait"` // microseconds
}

// dueSQL reads a range from two indexes, and the next wakeup. $1 and $2 are a pollPosition, $3 is maxPollRows, and $4
// is how many microseconds to look ahead in the first index.
const dueSQL = `
	SELECT 'now' AS kind, '' AS account_id, '' AS endpoint_id, now() AS at, now() AS due_from, coalesce((
		SELECT ceil(extract(epoch FROM wake_at - now()) * 1000000)::bigint FROM endpoint_wakeups
		WHERE wake_at > now() ORDER BY wake_at LIMIT 1), -1) AS wait
	UNION ALL
	(SELECT 'wakeup', account_id, endpoint_id, wake_at, due_from, 0 FROM endpoint_wakeups
	WHERE wake_at >= $1 AND wake_at <= now() + $4 * interval '1 microsecond' ORDER BY wake_at LIMIT $3)
	UNION ALL
	(SELECT 'lease', account_id, endpoint_id, handed_until, due_at, 0 FROM deliveries_pending
	WHERE handed_until >= $2 AND handed_until <= now() ORDER BY handed_until LIMIT $3)`

// selectDue finds the endpoints with a wakeup or an end of a lease since from, and the endpoints with a wakeup within
// ahead. Its cost does not depend on the number of endpoints.
func selectDue(ctx context.Context, db postgres.Querier, from pollPosition, ahead time.Duration) (pollResult, error) {
	var rows []dueRow
	if err := db.Select(ctx, &rows, dueSQL, from.wakeups, from.leases, maxPollRows, ahead.Microseconds()); err != nil {
		return pollResult{}, err
	}
	return groupByEndpoint(rows), nil
}

// groupByEndpoint merges the rows by endpoint and keeps their order.
func groupByEndpoint(rows []dueRow) pollResult {
	var f pollResult
	var last pollPosition
	counts := map[string]int{}
	indexes := map[webhooks.EndpointKey]int{}
	for _, r := range rows {
		counts[r.Kind]++
		switch r.Kind {
		case "now":
			f.now, f.next = r.At, time.Duration(r.Wait)*time.Microsecond
			f.position = pollPosition{wakeups: r.At.Add(-maxCommitDelay), leases: r.At.Add(-maxLeaseCommitDelay)}
			continue
		case "wakeup":
			last.wakeups = r.At // the greatest so far
		case "lease":
			last.leases = r.At
		}
		f.add(indexes, r)
	}
	if counts["wakeup"] == maxPollRows {
		f.more, f.position.wakeups = true, earlier(f.position.wakeups, last.wakeups)
	}
	if counts["lease"] == maxPollRows {
		f.more, f.position.leases = true, earlier(f.position.leases, last.leases)
	}
	return f
}

func (f *pollResult) add(indexes map[webhooks.EndpointKey]int, r dueRow) {
	key := webhooks.EndpointKey{Account: r.Account, Endpoint: r.Endpoint}
	i, ok := indexes[key]
	if !ok {
		i = len(f.endpoints)
		indexes[key] = i
		f.endpoints = append(f.endpoints, dueEndpoint{key: key, dueFrom: r.DueFrom})
	}
	e := &f.endpoints[i]
	e.dueFrom = earlier(e.dueFrom, r.DueFrom)
	// A wakeup that a poll ahead finds is left for its time. The first one is the earliest.
	if r.Kind == "wakeup" && !e.woken && !r.At.After(f.now) {
		e.woken, e.wakeAt = true, r.At
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
