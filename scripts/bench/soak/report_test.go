package main

import "testing"

func TestAPeakMayGrowToItsBound(t *testing.T) {
	t.Parallel()
	p := peak{name: "table", spare: 100}
	for _, bytes := range []int64{300, 400, 200} {
		p.note(bytes, false)
	}
	p.note(600, true)
	p.note(500, true)
	if err := p.err(); err != nil {
		t.Error(err)
	}
	p.note(601, true)
	if p.err() == nil {
		t.Errorf("%+v has not grown beyond %d", p, p.bound())
	}
}

func TestTheSinkMissesAndCounts(t *testing.T) {
	t.Parallel()
	s := &sink{times: make([]uint8, 3)}
	s.note(0, true)
	s.note(2, true)
	if err := s.complete(2); err != nil {
		t.Error(err)
	}
	if s.complete(3) == nil {
		t.Error("an event is missing")
	}
	for name, note := range map[string]func(*sink){
		"again": func(s *sink) { s.note(0, true) }, "unsigned": func(s *sink) { s.note(1, false) }, "unknown": func(s *sink) { s.note(3, true) },
	} {
		s := &sink{times: make([]uint8, 3)}
		s.note(0, true)
		note(s)
		if s.complete(1) == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}
