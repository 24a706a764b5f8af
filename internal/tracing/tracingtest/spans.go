// Package tracingtest records the spans of code under test, either in the process (Record) or as a collector receives
// them (Collector). Only tests import it.
package tracingtest

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// Span is a span that has ended.
type Span struct {
	Name, Kind string // Kind is "internal", "server", "client", "producer" or "consumer"
	// Trace, ID and Parent are identifiers in hexadecimal. Parent is "" for the root span of a trace.
	Trace, ID, Parent string
	// Attributes are the attributes with their values as text.
	Attributes map[string]string
	Events     []Event
	Links      []string // the traces of the linked spans
	Failed     bool
	Resource   map[string]string // the attributes of the process; only set by a Collector
}

// Event is an event of a span.
type Event struct {
	Name       string
	Attributes map[string]string
}

// Spans holds the spans that have ended so far. It is safe for concurrent use.
type Spans struct {
	mu   sync.Mutex
	all  []Span
	more chan struct{} // closed when spans are added
}

func newSpans() *Spans { return &Spans{more: make(chan struct{})} }

func (s *Spans) add(spans ...Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, spans...)
	close(s.more)
	s.more = make(chan struct{})
}

// All returns the spans in the order in which they ended or, for a Collector, arrived.
func (s *Spans) All() []Span {
	all, _ := s.look()
	return all
}

func (s *Spans) look() (all []Span, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all), s.more
}

// awaitTimeout is how long Await waits. It is long for machines under load.
const awaitTimeout = time.Minute

// Await waits for a span for which wanted returns true. After a minute it fails the test, with a message that contains
// what.
func (s *Spans) Await(t testing.TB, what string, wanted func(Span) bool) Span {
	t.Helper()
	deadline := time.NewTimer(awaitTimeout)
	defer deadline.Stop()
	for {
		all, more := s.look()
		if i := slices.IndexFunc(all, wanted); i >= 0 {
			return all[i]
		}
		select {
		case <-more:
		case <-deadline.C:
			t.Fatalf("waiting for the span of %s: got %+v", what, all)
		}
	}
}

// Named returns a condition for Await: a span with this name.
func Named(name string) func(Span) bool { return func(s Span) bool { return s.Name == name } }
