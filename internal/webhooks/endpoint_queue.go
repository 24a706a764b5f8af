package webhooks

import (
	"time"

	"go.opentelemetry.io/otel/trace"
)

// Limits of what is held in memory, in multiples of what may be in flight.
const (
	// firstWindow is how many exchanges an endpoint gets before it has answered any.
	initialWindow = 8
	// claimMax bounds one claim: 64 to 256 rows cost little more than one.
	maxClaim = 256
	// heldFactor times Config.InFlight deliveries are leased at most.
	leasedFactor = 4
	// keptPerHost times Config.InFlightPerEndpoint idle connections to a host are kept: many endpoints share
	// the hosts of those who receive for others.
	idleConnsFactor = 4
)

// work is a delivery that this process has a lease on.
type job struct {
	key            endpointKey
	version        time.Time // of the endpoint when the delivery was claimed
	id             string
	eventID        string
	eventCreatedAt time.Time
	event, body    string
	dueAt          time.Time
	attempts       int // made before
	claimID        int64
	sendBy         time.Time          // no attempt may begin later: its result could miss the lease
	storing        bool               // its result is being stored
	nextClaim      *job               // claimed anew while the result was being stored
	origin         *trace.SpanContext // of the event, if it is known and traced
}

// lease is the right to send that a claim gives. The zero lease gives none. When it ends is stored and
// judged by the database's clock, which all processes share: their own may differ by more than a lease.
type lease struct {
	id     int64
	length time.Duration
	sendBy time.Time // as work.sendBy
}

// coverSlack is how much longer than a lease the cover of a claim lasts, for the leases of the claims that follow. A
// crashed engine's deliveries are claimed again so much later.
func (l lease) coverSlack() time.Duration { return l.length / 6 }

// lane is one endpoint's share of the engine, guarded by the engine's mutex. Lanes never wait for
// one another except when all slots are taken.
type endpointQueue struct {
	key      endpointKey
	target   *target // nil: to be loaded before anything is sent
	deleted  bool    // the endpoint is gone; what it has is to be dropped
	jobs     []*job  // leased, waiting for a slot
	window   int     // exchanges allowed at once; see nextWindow
	inFlight int     // exchanges under way
	due      bool    // the database has due deliveries, as far as is known
	wakeups  int     // counts what set due, to notice one during a claim
	lastUsed time.Time

	dueFrom       *time.Time // the earliest due time of what there may be to claim; nil: nothing old is known of
	woken         bool       // by wakeups that the next claim is to consume
	wakeAt        time.Time  // the earliest of them
	cover         cover      // of the leases that its claims gave
	claimFailures int        // claims that failed, one after the other
	claimPaused   bool       // not to use the database for the moment

	throttled       bool // not to claim for the moment
	lastClaimWindow int  // the tempo's window of its last claim

	ready          bool // in Engine.ready
	waitingToClaim bool // in Engine.asking
	fetching       bool
	saturated      bool // counted in Engine.crowded
}

// hungry reports whether the lane should get more from the database. One that was woken claims even if it has
// no room, because then its wakeups make room for those of others.
func (q *endpointQueue) needsClaim() bool {
	switch {
	case q.claimPaused:
		return false
	case q.deleted:
		return q.due
	case q.target == nil && len(q.jobs) > 0:
		return true
	}
	return q.due && !q.throttled && (q.woken || len(q.jobs) < q.window)
}

// sendable reports whether the lane lacks nothing but a slot.
func (q *endpointQueue) sendable() bool {
	return q.target != nil && len(q.jobs) > 0 && q.inFlight < q.window
}

// appetite is how many deliveries the lane may claim: enough to keep its window full while the
// next claim is made.
func (q *endpointQueue) claimLimit() int { return min(2*q.window-len(q.jobs), maxClaim) }

// full reports whether new deliveries would wait long, so that they had better stay unleased.
func (q *endpointQueue) isFull() bool { return len(q.jobs) >= 4*q.window }

// idle reports whether nothing would be lost by forgetting the lane.
func (q *endpointQueue) isIdle() bool {
	return len(q.jobs) == 0 && q.inFlight == 0 && !q.due && !q.fetching && !q.waitingToClaim && !q.ready && !q.throttled && !q.claimPaused
}

// nextWindow says how many exchanges an endpoint may have under way after one with this outcome:
// one more for each success; half for each that brought no answer, so that an endpoint that hangs
// is probed one by one and recovers as fast as it fell. An answer of failure changes nothing.
func nextWindow(window, limit int, class string) int {
	switch class {
	case classSuccess:
		return min(window+1, limit)
	case classStatus:
		return window
	}
	return max(window/2, 1)
}
