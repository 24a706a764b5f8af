package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// hangPath is the path of the sink that never responds, healthyPath one that responds to events that are not measured.
const (
	hangPath    = "/hang"
	healthyPath = "/healthy"
)

// Sink is the helper that receives webhooks. It verifies every signature and records when each event arrived.
type Sink struct {
	url string

	mu   sync.Mutex
	want Expectation
	got  Arrivals
	left int
	full chan struct{} // closed when everything has come
}

// Expectation describes the expected events: numbered from 0 to Count-1, to the paths that have secrets.
type Expectation struct {
	Secrets map[string]string
	Count   int
}

// Arrivals are the received events.
type Arrivals struct {
	At         Times // each event's first arrival; 0: it did not come
	Duplicates int   // how many came again
	Wrong      int   // how many had no valid signature or no number that was expected
}

// check returns an error unless every event arrived, with valid signatures.
func (a Arrivals) check() error {
	missing := 0
	for _, at := range a.At {
		if at == 0 {
			missing++
		}
	}
	if missing > 0 || a.Wrong > 0 {
		return fmt.Errorf("of %d events %d did not come; %d requests were wrong", len(a.At), missing, a.Wrong)
	}
	return nil
}

// serveSink listens on the loopback address.
func serveSink() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &Sink{url: "http://" + listener.Addr().String()}
	go func() { _ = http.Serve(listener, s) }() // until the process ends
	return serveHelper(s)
}

// URL returns the sink's address.
func (s *Sink) URL(_ struct{}, url *string) error {
	*url = s.url
	return nil
}

// Expect sets the expected events and discards earlier arrivals.
func (s *Sink) Expect(e Expectation, _ *struct{}) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.want, s.left, s.full = e, e.Count, make(chan struct{})
	s.got = Arrivals{At: make(Times, e.Count)}
	return nil
}

// Wait waits until all expected events have arrived, at most for patience, and returns the arrivals.
func (s *Sink) Wait(patience time.Duration, got *Arrivals) error {
	s.mu.Lock()
	full := s.full
	s.mu.Unlock()
	if full == nil {
		return errors.New("the sink expects nothing")
	}
	select {
	case <-full:
	case <-time.After(patience):
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	*got = s.got
	got.At = append(Times(nil), s.got.At...)
	return nil
}

// ServeHTTP implements http.Handler.
func (s *Sink) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	at := time.Now()
	body, err := io.ReadAll(r.Body)
	switch r.URL.Path {
	case hangPath:
		<-r.Context().Done()
		return
	case healthyPath:
		return
	}
	s.mu.Lock()
	secret, known := s.want.Secrets[r.URL.Path]
	s.mu.Unlock()
	valid := err == nil && known && webhooks.Verify(secret, r.Header.Get(webhooks.Header), body, at) == nil
	s.note(numberOf(string(body)), at, valid)
}

func (s *Sink) note(number int, at time.Time, valid bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !valid || number < 0 || number >= len(s.got.At):
		s.got.Wrong++
	case s.got.At[number] != 0:
		s.got.Duplicates++
	default:
		s.got.At[number] = at.UnixNano()
		if s.left--; s.left == 0 {
			close(s.full)
		}
	}
}
