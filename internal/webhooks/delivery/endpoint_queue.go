package delivery

import (
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// Limits of the engine's memory.
const (
	// initialWindow is the number of concurrent attempts to an endpoint before its first response.
	initialWindow = 8
	// maxUnconfirmed limits the claims without an answer that a queue remembers. The leases of others expire.
	maxUnconfirmed = 64
	// maxClaim limits one claim. A claim of 64 to 256 rows costs little more than a claim of one.
	maxClaim = 256
	// leasedFactor times Config.InFlight is the maximum number of leased deliveries.
	leasedFactor = 4
	// idleConnsFactor times Config.InFlightPerEndpoint is the maximum number of idle connections per host. It is
	// greater than 1 because many endpoints can share a host.
	idleConnsFactor = 4
)

// job is a delivery that this process has leased.
type job struct {
	key            webhooks.EndpointKey
	version        time.Time // of the endpoint, when the delivery was claimed
	id             string
	eventID        string
	eventCreatedAt time.Time
	event, body    string
	dueAt          time.Time
	attempts       int // number of previous attempts
	claimID        int64
	sendBy         time.Time          // latest start of an attempt, so that its result is stored before the lease ends
	storing        bool               // the result is being stored
	unstored       bool               // counted in endpointQueue.unstored
	nextClaim      *job               // a new claim that was made while the result was being stored
	origin         *trace.SpanContext // of the event, if known and traced
}

// lease gives a claim the right to send until it ends. The zero value gives none. The end is stored and checked by
// the database's clock, because the clocks of processes may differ by more than a lease.
type lease struct {
	id     int64
	length time.Duration
	sendBy time.Time // as in job
}

// coverSlack is how much longer a claim's cover lasts than its lease, so that it also covers the leases of later
// claims. The deliveries of a crashed engine are claimed later by up to this time.
func (l lease) coverSlack() time.Duration { return l.length / 6 }

// endpointQueue is the scheduler's state of one endpoint. Queues are independent unless all slots are in use.
type endpointQueue struct {
	key      webhooks.EndpointKey
	target   *target // nil: must be loaded before the next attempt
	deleted  bool    // the endpoint was deleted; its deliveries are to be dropped
	jobs     []*job  // leased and waiting for a slot
	window   int     // maximum number of concurrent attempts; see nextWindow
	inFlight int     // number of attempts under way
	due      bool    // the database has due deliveries, as far as this engine knows
	wakeups  int     // counts the calls that set due, to detect one during a claim
	lastUsed time.Time

	dueFrom       *time.Time // earliest due time of deliveries to claim; nil: no old ones are known
	woken         bool       // the next claim deletes the wakeups at or after wakeAt
	wakeAt        time.Time  // time of the earliest wakeup
	cover         cover      // of the leases of previous claims
	unconfirmed   []int64    // claims without an answer, which may have leased deliveries
	fetchFailures int        // number of consecutive failed fetches
	backoffUntil  time.Time  // no database access before this time, after a failed fetch

	claimsThrottledUntil time.Time // no claims before this time
	lastClaimWindow      int       // number of the claim throttle's window of the last claim
	unstored             int       // number of results that wait until the database is available; see canClaim

	responding bool            // the last attempt got a response
	ready      bool            // in scheduler.ready
	waitsIn    fetchLine       // line in which the queue waits for a fetch
	listed     [lineCount]bool // in fetchLines.waiting of a line, including a line that the queue has left
	fetchesIn  fetchLine       // line of the running fetch
	saturated  bool            // counted in scheduler.saturated
}

// needsFetch reports whether the queue needs data from the database: deliveries, the target or, after a deletion, to
// drop deliveries. A queue with a wakeup claims even if it is full, because the claim deletes the wakeup.
func (q *endpointQueue) needsFetch(now time.Time) bool {
	switch {
	case now.Before(q.backoffUntil):
		return false
	case len(q.unconfirmed) > 0:
		return true
	case q.deleted:
		return q.due
	case q.target == nil && len(q.jobs) > 0:
		return true
	}
	return q.canClaim(now) && (q.woken || len(q.jobs) < q.window)
}

// canClaim reports whether the queue has something to claim and may claim now. It must not claim while results wait for
// the database: after a long outage their leases have expired, and the claim could overtake the results. The deliveries
// would be sent again.
func (q *endpointQueue) canClaim(now time.Time) bool {
	return q.due && q.unstored == 0 && !q.claimsThrottled(now)
}

// claimsThrottled reports whether the claim throttle's delay has not ended.
func (q *endpointQueue) claimsThrottled(now time.Time) bool {
	return now.Before(q.claimsThrottledUntil)
}

// sendable reports whether the queue only needs a slot. It must not send while results wait for the database: if this
// process died before they are stored, all of their deliveries would be sent again.
func (q *endpointQueue) sendable() bool {
	return q.target != nil && len(q.jobs) > 0 && q.inFlight < q.window && q.unstored == 0
}

// claimLimit returns how many deliveries to claim: enough to fill the window while the next claim runs.
func (q *endpointQueue) claimLimit() int { return min(2*q.window-len(q.jobs), maxClaim) }

// isFull reports whether new deliveries would wait long. They are then committed without a lease, so that any engine
// can claim them.
func (q *endpointQueue) isFull() bool { return len(q.jobs) >= 4*q.window }

// isIdle reports whether the queue can be removed.
func (q *endpointQueue) isIdle(now time.Time) bool {
	return len(q.jobs) == 0 && q.inFlight == 0 && !q.due && q.fetchesIn == noLine && q.waitsIn == noLine && !q.ready &&
		q.unstored == 0 && len(q.unconfirmed) == 0 && !q.claimsThrottled(now) && !now.Before(q.backoffUntil)
}

// markDue records that a poll found due deliveries of the endpoint.
func (q *endpointQueue) markDue(f dueEndpoint) {
	q.due = true
	q.wakeups++
	q.noteDue(f.dueFrom)
	if f.woken && (!q.woken || f.wakeAt.Before(q.wakeAt)) {
		q.wakeAt = f.wakeAt
	}
	q.woken = q.woken || f.woken
}

// doubt records a claim that got no answer. The next fetch releases its leases.
func (q *endpointQueue) doubt(claims ...int64) {
	q.unconfirmed = append(q.unconfirmed, claims...)
	q.unconfirmed = q.unconfirmed[max(len(q.unconfirmed)-maxUnconfirmed, 0):]
}

// noteDue records that a delivery with this due time may have to be claimed.
func (q *endpointQueue) noteDue(at time.Time) {
	if q.dueFrom == nil || at.Before(*q.dueFrom) {
		q.dueFrom = &at
	}
}

// nextWindow returns the maximum number of concurrent attempts after an attempt of this class. A success adds one. A
// failure without a response halves it, so that a hanging endpoint gets one request at a time and recovers as fast as
// it failed. A response with an error status does not change it.
func nextWindow(window, limit int, class string) int {
	switch class {
	case classSuccess:
		return min(window+1, limit)
	case classStatus:
		return window
	}
	return max(window/2, 1)
}
