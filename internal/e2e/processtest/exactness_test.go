package processtest

import "fmt"

// sentOnce checks that every event arrived in exactly this number of attempts, each of them once.
func (s *sink) sentOnce(attempts int) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, a := range s.got {
		times := a.times()
		for attempt := 1; attempt <= attempts; attempt++ {
			if times[attempt] != 1 {
				s.t.Errorf("attempt %d of event %s arrived %d times", attempt, id, times[attempt])
			}
		}
		if len(a.came) != attempts {
			s.t.Errorf("event %s arrived %d times, want %d", id, len(a.came), attempts)
		}
	}
}

// noAttemptTwice checks that no attempt arrived more than once.
func (s *sink) noAttemptTwice() {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, a := range s.got {
		for attempt, times := range a.times() {
			if times > 1 {
				s.t.Errorf("attempt %d of event %s arrived %d times: %v", attempt, id, times, a.came)
			}
		}
	}
}

// silentAfterSuccess checks that no event arrived after the database stored it as delivered.
func (s *sink) silentAfterSuccess(delivered []delivery) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range delivered {
		a := s.got[d.EventID]
		if d.EndpointID != s.endpoint || a == nil {
			continue
		}
		if last := a.came[len(a.came)-1]; last.at.After(d.FinishedAt) {
			s.t.Errorf("event %s was stored as delivered at %v and arrived again: %v", d.EventID, d.FinishedAt, last)
		}
	}
}

// repetition is an event that arrived again.
type repetition struct {
	event       string
	first, then arrival
}

func (r repetition) String() string {
	return fmt.Sprintf("event %s, %v and %v", r.event, r.first, r.then)
}

// repetitions returns all repetitions, each with the arrival before it.
func (s *sink) repetitions() []repetition {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []repetition
	for id, a := range s.got {
		for i := 1; i < len(a.came); i++ {
			found = append(found, repetition{id, a.came[i-1], a.came[i]})
		}
	}
	return found
}
