package clock

import (
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// room is the time between two changes of an account. The change has the first microsecond, its events have the
// first and the following ones. A change with more events advances the clock in a statement of its own.
const room = 16 * time.Microsecond

// lastOf returns the last time of the room of a change.
func lastOf(change time.Time) time.Time { return change.Add(room - time.Microsecond) }

// ExtendTo advances the clock further, past the events of the change at last. A write that makes many changes gives
// each change its own time (Offset) and extends its stamp to the last one. If all changes had the same time, a client
// that polls by updated_since would read all changes again with the next one.
func (s Stamp) ExtendTo(tx *postgres.Tx, last time.Time) {
	if end := lastOf(last); end.After(lineOf(tx, s.AccountID).reserved) {
		s.extend(tx, end)
	}
}

// extend advances the clock to end with the transaction's deferred statements.
func (s Stamp) extend(tx *postgres.Tx, end time.Time) {
	advance(tx, s.AccountID, pq.StringArray{timestamp.Format(end)}, quota.Usage{})
}

// EventTime returns the time of the next event of the change at the given time, at least a microsecond after the
// account's previous event. Events therefore have the order in which a write asks for their times. The clock's next
// write comes after all these events.
func (s Stamp) EventTime(tx *postgres.Tx, change time.Time) time.Time {
	l, at := lineOf(tx, s.AccountID), change
	if !at.After(l.event) {
		at = l.event.Add(time.Microsecond)
	}
	l.event = at
	if at.After(lastOf(change)) && at.After(l.reserved) {
		s.extend(tx, at)
	}
	return at
}

// line holds the state that an account's stamps share within a transaction.
type line struct {
	reserved time.Time // the time to which the locks have advanced the clock
	event    time.Time // of the latest event
	account  account
}

type lineKey string

func lineOf(tx *postgres.Tx, accountID string) *line {
	return postgres.Local[line](tx, lineKey(accountID))
}

// Previous returns the stamp of the write n places before this one, in a transaction of several writes.
func (s Stamp) Previous(n int) Stamp {
	s.At, s.Change = s.At.Add(-time.Duration(n)*room), s.Change-int64(n)
	return s
}

// Offset returns the stamp of change n, counted from 0, in a write of many changes.
func (s Stamp) Offset(n int) Stamp {
	s.At = s.At.Add(time.Duration(n) * room)
	return s
}
