package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// sink receives: it verifies every signature and counts how often each event comes.
type sink struct {
	url    string
	server *http.Server

	mu      sync.Mutex
	secrets map[string]string // by path
	times   []uint8           // how often each event came, by its number
	arrived int64             // different events
	again   int64             // requests that brought one that had come before
	wrong   int64             // requests without a valid signature or an expected number
}

// newSink starts one for events numbered from 0 to events-1.
func newSink(events int) (*sink, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{url: "http://" + listener.Addr().String(), secrets: map[string]string{}, times: make([]uint8, events)}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: time.Minute}
	go func() { _ = s.server.Serve(listener) }() // until close
	return s, nil
}

func (s *sink) close() { s.server.Close() }

func (s *sink) expect(path, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secrets[path] = secret
}

// ServeHTTP implements http.Handler.
func (s *sink) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var e struct {
		Data struct {
			Number int `json:"card_count"`
		}
	}
	err = errors.Join(err, json.Unmarshal(body, &e))
	s.mu.Lock()
	secret := s.secrets[r.URL.Path]
	s.mu.Unlock()
	valid := err == nil && webhooks.Verify(secret, r.Header.Get(webhooks.Header), body, time.Now()) == nil
	s.note(e.Data.Number, valid)
}

func (s *sink) note(number int, valid bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !valid || number < 0 || number >= len(s.times):
		s.wrong++
	case s.times[number] > 0:
		s.again++
	default:
		s.times[number]++
		s.arrived++
	}
}

// count is how many different events have arrived.
func (s *sink) count() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.arrived
}

// complete returns an error unless so many events have arrived, each once: nothing was killed, so nothing
// may have come again.
func (s *sink) complete(events int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.arrived != events || s.again > 0 || s.wrong > 0 {
		return fmt.Errorf("of %d events %d arrived; %d requests brought one again, %d were wrong", events, s.arrived, s.again, s.wrong)
	}
	return nil
}
