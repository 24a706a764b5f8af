// Package tracingtest shows tests the spans that their code gives rise to: in the process itself, or as a
// collector gets them. It is for tests alone.
package tracingtest

import (
	"slices"
	"sync"
	"testing"
	"time"
)

// Span is one span that has ended.
type Span struct {
	Name, Kind string // Kind is "internal", "server", "client", "producer" or "consumer"
	// Trace, ID and Parent are identifiers in hexadecimal; Parent is "" for the first span of a trace.
	Trace, ID, Parent string
	// Attributes are the attributes' values as text.
	Attributes map[string]string
	Events     []Event
	Links      []string // the traces of the spans linked to
	Failed     bool
	Resource   map[string]string // of the process; a collector alone gets it
}

// Event is a moment of a span.
type Event struct {
	Name       string
	Attributes map[string]string
}

// Spans are those that have ended so far. They are safe for concurrent use.
type Spans struct {
	mu   sync.Mutex
	all  []Span
	more chan struct{} // closed when there are more
}

func newSpans() *Spans { return &Spans{more: make(chan struct{})} }

func (s *Spans) add(spans ...Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, spans...)
	close(s.more)
	s.more = make(chan struct{})
}

// All returns the spans in the order in which they ended, or arrived.
func (s *Spans) All() []Span {
	all, _ := s.look()
	return all
}

func (s *Spans) look() (all []Span, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all), s.more
}

// patience is how long a span is waited for: long, for machines under load.
const patience = time.Minute

// Await waits for a span that is as wanted. what is wanted is for the message of a wait in vain.
func (s *Spans) Await(t testing.TB, what string, wanted func(Span) bool) Span {
	t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		all, more := s.look()
		if i := slices.IndexFunc(all, wanted); i >= 0 {
			return all[i]
		}
		select {
		case <-more:
		case <-deadline.C:
			t.Fatalf("no span is %s; there are %+v", what, all)
		}
	}
}

// Named is for Await: any span of this name.
func Named(name string) func(Span) bool { return func(s Span) bool { return s.Name == name } }
