package webhooks

import (
	"context"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// A wakeup is a row of endpoint_wakeups: the time to look at an endpoint's deliveries. For every pending
// delivery of an enabled endpoint without a lease, there is one at or before its due time, or within wakeAgain; for
// every one with a lease from a claim, there is one soon after the lease's end. Four rules ensure this:
//
//   - The transaction that makes a delivery without a lease inserts a wakeup. It becomes visible together with
//     the delivery, so no claim can miss one and see the other.
//   - A claim deletes the wakeups that it sees and inserts one for what it leaves, in the same statement.
//   - A claim inserts one for the leases that it gives, unless one of an earlier claim covers them.
//   - Enabling or deleting an endpoint inserts one; those of a disabled endpoint are deleted by the next claim.
//
// A delivery that is made with a lease needs no wakeup: an index of handed_until finds the lease's end. An index of
// leased_until would make every claim write to all indexes.
//
// All of these times are judged by the database's clock.

const (
	// wakeAgain is when an endpoint is looked at again whose due deliveries were not all claimed. The engine that
	// claimed goes on without it; it lets other engines join in, and go on if that one crashes.
	recheckDelay = 10 * time.Second
	// foundMax bounds what one poll returns of each kind. The next poll goes on from there.
	maxPollRows = 1000
	// lateCommit is how long a transaction may last between inserting a wakeup and its commit, to be found by the
	// next poll. After longer it is found by the next poll from the beginning.
	maxCommitDelay = time.Minute
	// lateLease is the same for the ends of leases, which are committed long before they come.
	maxLeaseCommitDelay = 10 * time.Second
	// pollAllEvery is how often a poll begins at the beginning. The others leave out what polls before have
	// found: its dead entries stay in the indexes as long as a snapshot lasts.
	fullPollInterval = 10 * time.Minute
)

// deferWakeups has wakeups of these endpoints written with the transaction's last statements, for deliveries
// that are due now.
func deferWakeups(tx *postgres.Tx, account string, endpoints []string) {
	accounts := make(pq.StringArray, len(endpoints))
	for i := range accounts {
		accounts[i] = account
	}
	tx.DeferRows(`
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		SELECT w.account_id, w.endpoint_id, statement_timestamp(), statement_timestamp()
		FROM unnest($1::text[], $2::text[]) AS w(account_id, endpoint_id)`, accounts, pq.StringArray(endpoints))
}

// insertWakeup has the endpoint looked at now, for deliveries of any age.
func insertWakeup(ctx context.Context, tx *postgres.Tx, accountID, endpointID string) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO endpoint_wakeups (account_id, endpoint_id, wake_at, due_from)
		VALUES ($1, lower($2), statement_timestamp(), '0001-01-01T00:00:00Z')`, accountID, endpointID)
	return err
}

// foundEndpoint is an endpoint that has something due.
type dueEndpoint struct {
	key     endpointKey
	woken   bool      // by wakeups from wakeAt on; else by the lease of a delivery that was handed over
	wakeAt  time.Time // the earliest of them
	dueFrom time.Time // the earliest due time of what is to be claimed
}

// place is how far polls have come, by the database's clock. The zero place is the beginning.
type pollPosition struct{ wakeups, leases time.Time }

// found is what one poll found.
type pollResult struct {
	endpoints []dueEndpoint
	next      time.Duration // until the next wakeup; negative: there is none
	position  pollPosition  // where the next poll begins
	full      bool          // there may be more due
	now       time.Time     // by the database's clock
}

// foundRow is a row of selectDue.
type dueRow struct {
	Kind     string    `db:"kind"`
	Account  string    `db:"account_id"`
	Endpoint string    `db:"endpoint_id"`
	At       time.Time `db:"at"`
	DueFrom  time.Time `db:"due_from"`
	Wait     int64     `db:"wait"` // microseconds
}

// dueSQL is a probe of each of two indexes, and of the next entry. $1 and $2 are a place, $3 is foundMax.
const dueSQL = `
	SELECT 'now' AS kind, '' AS account_id, '' AS endpoint_id, now() AS at, now() AS due_from, coalesce((
		SELECT ceil(extract(epoch FROM wake_at - now()) * 1000000)::bigint FROM endpoint_wakeups
		WHERE wake_at > now() ORDER BY wake_at LIMIT 1), -1) AS wait
	UNION ALL
	(SELECT 'wakeup', account_id, endpoint_id, wake_at, due_from, 0 FROM endpoint_wakeups
	WHERE wake_at >= $1 AND wake_at <= now() ORDER BY wake_at LIMIT $3)
	UNION ALL
	(SELECT 'lease', account_id, endpoint_id, handed_until, due_at, 0 FROM deliveries_pending
	WHERE handed_until >= $2 AND handed_until <= now() ORDER BY handed_until LIMIT $3)`

// selectDue finds the endpoints whose wakeups have come or whose deliveries' leases have ended since from. It
// costs the same with any number of endpoints.
func selectDue(ctx context.Context, db postgres.Querier, from pollPosition) (pollResult, error) {
	var rows []dueRow
	if err := db.Select(ctx, &rows, dueSQL, from.wakeups, from.leases, maxPollRows); err != nil {
		return pollResult{}, err
	}
	return groupByEndpoint(rows), nil
}

// sumUp makes one foundEndpoint of an endpoint's rows, in the order in which they came.
func groupByEndpoint(rows []dueRow) pollResult {
	var f pollResult
	var last pollPosition
	counts := map[string]int{}
	indexes := map[endpointKey]int{}
	for _, r := range rows {
		counts[r.Kind]++
		switch r.Kind {
		case "now":
			f.now, f.next = r.At, time.Duration(r.Wait)*time.Microsecond
			f.position = pollPosition{wakeups: r.At.Add(-maxCommitDelay), leases: r.At.Add(-maxLeaseCommitDelay)}
			continue
		case "wakeup":
			last.wakeups = r.At
		case "lease":
			last.leases = r.At
		}
		f.add(indexes, r)
	}
	if counts["wakeup"] == maxPollRows {
		f.full, f.position.wakeups = true, earlier(f.position.wakeups, last.wakeups)
	}
	if counts["lease"] == maxPollRows {
		f.full, f.position.leases = true, earlier(f.position.leases, last.leases)
	}
	return f
}

func (f *pollResult) add(indexes map[endpointKey]int, r dueRow) {
	key := endpointKey{r.Account, r.Endpoint}
	i, ok := indexes[key]
	if !ok {
		i = len(f.endpoints)
		indexes[key] = i
		f.endpoints = append(f.endpoints, dueEndpoint{key: key, dueFrom: r.DueFrom})
	}
	e := &f.endpoints[i]
	e.dueFrom = earlier(e.dueFrom, r.DueFrom)
	if r.Kind == "wakeup" && !e.woken {
		e.woken, e.wakeAt = true, r.At // the first is the earliest
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
