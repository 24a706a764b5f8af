// Package usage counts the requests that each token sends in an hour, by rate class, and how many requests are refused
// with 429.
//
// A Counter counts in memory. Its loop adds the counts to the database about once a minute, so a process that is killed
// loses at most a minute of counts. A Log reads the counts. They are kept for Retention.
//
// The counts show people how close programs come to their limits. They do not decide anything: package ratelimit does.
package usage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
	"github.com/cardvault/cardvault/internal/ratelimit"
	"github.com/cardvault/cardvault/internal/worker"
)

// MaxHours is the largest number of hours of a Report: 7 days.
const MaxHours = 7 * 24

// Retention is how long counts are kept at least. It is a day longer than a Report.
const Retention = (MaxHours + 24) * time.Hour

// Counts are the requests of one class.
type Counts struct {
	Requests int64 // refused ones included
	Refused  int64 // with 429
}

// Classes are the requests by class.
type Classes struct{ Read, Write, AI Counts }

// of returns the counts of a class, or nil if there is no such class.
func (c *Classes) of(class ratelimit.Class) *Counts {
	switch class {
	case ratelimit.Read:
		return &c.Read
	case ratelimit.Write:
		return &c.Write
	case ratelimit.AI:
		return &c.AI
	}
	return nil
}

// Add adds other counts.
func (c *Classes) Add(other Classes) {
	for _, class := range []ratelimit.Class{ratelimit.Read, ratelimit.Write, ratelimit.AI} {
		sum, more := c.of(class), other.of(class)
		sum.Requests += more.Requests
		sum.Refused += more.Refused
	}
}

// Total returns the sum of the classes.
func (c Classes) Total() Counts {
	return Counts{
		Requests: c.Read.Requests + c.Write.Requests + c.AI.Requests,
		Refused:  c.Read.Refused + c.Write.Refused + c.AI.Refused,
	}
}

const (
	partitionsAhead = 2 // days
	upkeepInterval  = time.Hour
)

var table = partitions.Table{Name: "request_usage", Key: "hour"}

// Prepare creates the partitions that a Counter writes to. It must run before the service counts anything. Counts
// without a partition go to the default partition, and the next call moves them.
func Prepare(ctx context.Context, db *postgres.DB, c clock.Clock) error {
	if err := partitions.Prepare(ctx, db, c.Time(), partitionsAhead, table); err != nil {
		return fmt.Errorf("prepare partitions: %w", err)
	}
	return nil
}

// NewUpkeep returns the loop that creates partitions ahead of time and drops those whose retention is over. Several
// processes can run it.
func NewUpkeep(db *postgres.DB, c clock.Clock) *worker.Periodic {
	return worker.NewPeriodic("usage upkeep", upkeepInterval, func(ctx context.Context) (bool, error) {
		return false, errors.Join(Prepare(ctx, db, c), table.DropBefore(ctx, db, c.Time().Add(-Retention)))
	})
}
