// Package history records the requests of clients on cards with their responses, and checks that the responses are
// linearizable: there is an order of the operations that explains all responses if each operation takes effect at one
// moment between its request and its response.
//
// A Recorder collects operations of concurrent clients. Check models each card as a register with a version. An update
// with If-Match is a compare-and-set. A read returns the version and the price, and so does a round of polling: after a
// client has read all pages with updated_since, starting at the last updated_at that it saw, its copy of the card was
// current at some moment of the round. A lost update, a stale read and a change that polling misses are therefore the
// same error: a response that no order explains.
//
// An update without a response, or with the response 503, may have happened or not, and may still happen later. It
// stays open until the end of the history. The package sends no requests.
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
	Create Kind = "create" // creates the card at version 1
	Update Kind = "update" // sets the price, with If-Match if IfMatch is not 0
	Read   Kind = "read"   // reads the card
	Poll   Kind = "poll"   // a round of polling; State is the client's copy at its end
)

// Outcome says what the client knows about an operation.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"    // the response was 2xx
	Refused Outcome = "refused" // the response was 412: the card had another version
	Unknown Outcome = "unknown" // no response, or one that leaves open whether it happened
)

// Operation is a request with its response.
type Operation struct {
	Client  int    // a client has at most one operation in flight
	Card    string // histories of different cards are independent
	Kind    Kind
	IfMatch int64 // of an update: the version that it requires, 0 for any
	Price   int64 // of an update: the price that it sets
	Outcome Outcome
	State   State         // of the response, if Outcome is Done
	Call    time.Duration // when the request was sent, since NewRecorder
	Return  time.Duration // when the response was read, since NewRecorder
}

// State is a card's state in a response.
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

// NewRecorder returns an empty recorder. Its time starts at 0 now.
func NewRecorder() *Recorder { return &Recorder{began: time.Now()} }

// Now returns the time for an operation's Call. It is monotonic.
func (r *Recorder) Now() time.Duration { return time.Since(r.began) }

// Add adds an operation that was sent at o.Call and whose response has just been read. It sets o.Return.
func (r *Recorder) Add(o Operation) {
	o.Return = r.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = append(r.done, o)
}

// Operations returns a copy of the collected operations.
func (r *Recorder) Operations() []Operation {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Operation(nil), r.done...)
}
