// Package history records what clients asked of cards and what they were answered, and checks that the answers are
// linearizable: that some order of the operations, each at one moment between its request and its answer, explains
// all of them.
//
// A Recorder collects operations of concurrent clients. Check models each card as a register with a version: an
// update under If-Match is a compare-and-set, a read returns the version and price, and so does a poll: a client
// that pages by updated_since to the end and comes back with the last time it saw has, after each round, a copy of
// the card that was current at some moment of the round. So a lost update, a stale read and a change that polling
// misses are all one fault: an answer that no order explains.
//
// An update whose answer was lost, or that was answered 503, may have happened or not, and may still happen later.
// It stays open to the end of the history. The package sends no requests.
package history

import (
	"fmt"
	"sync"
	"time"
)

// Kind is what an operation does.
type Kind string

// The kinds of operations.
const (
	Create Kind = "create" // makes the card at version 1
	Update Kind = "update" // sets the price, under If-Match if IfMatch is not 0
	Read   Kind = "read"   // reads the card by its address
	Poll   Kind = "poll"   // a round of polling: the state of the client's copy at its end
)

// Outcome is what the client knows of an operation.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"    // answered 2xx
	Refused Outcome = "refused" // answered 412: the version was another
	Unknown Outcome = "unknown" // no answer, or one that leaves open whether it happened
)

// Operation is one request with its answer.
type Operation struct {
	Client  int    // clients have one operation under way at a time
	Card    string // histories of different cards are independent
	Kind    Kind
	IfMatch int64 // of an update: the version it asks for; 0 for any
	Price   int64 // of an update: the price it sets
	Outcome Outcome
	State   State         // the answer, if it is done
	Call    time.Duration // when the request was sent, since the recorder's start
	Return  time.Duration // when the answer was read
}

// State is what an answer shows of a card.
type State struct{ Version, Price int64 }

func (s State) String() string { return fmt.Sprintf("version %d at price %d", s.Version, s.Price) }

func (o Operation) String() string {
	text := string(o.Kind)
	if o.Kind == Update {
		text += fmt.Sprintf(" to price %d", o.Price)
	}
	if o.IfMatch != 0 {
		text += fmt.Sprintf(" if at version %d", o.IfMatch)
	}
	if o.Outcome == Done {
		return text + ": " + o.State.String()
	}
	return text + ": " + string(o.Outcome)
}

// Recorder collects operations. It is safe for concurrent use.
type Recorder struct {
	began time.Time

	mu   sync.Mutex
	done []Operation
}

// NewRecorder returns an empty recorder whose time starts now.
func NewRecorder() *Recorder { return &Recorder{began: time.Now()} }

// Now returns the time for an operation's Call. Times of one process are monotonic.
func (r *Recorder) Now() time.Duration { return time.Since(r.began) }

// Add keeps an operation that was sent at o.Call and whose answer has just been read.
func (r *Recorder) Add(o Operation) {
	o.Return = r.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = append(r.done, o)
}

// Operations returns what was collected.
func (r *Recorder) Operations() []Operation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Operation(nil), r.done...)
}
