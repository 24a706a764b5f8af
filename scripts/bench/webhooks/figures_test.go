package main

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"
)

func TestLatencies(t *testing.T) {
	t.Parallel()
	got := latencies(Times{100, 200, 300}, Times{150, 190, 300})
	if want := []time.Duration{50, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestMiddle(t *testing.T) {
	t.Parallel()
	bursts := []burst{{rate: 10, costs: costs{engine: 5}}, {rate: 30, costs: costs{engine: 1}},
		{rate: 20, costs: costs{engine: 9}}}
	if got := middle(bursts, fastest).rate; got != 20 {
		t.Errorf("of three rates: %v", got)
	}
	if got := middle(bursts[:2], fastest).rate; got != 10 {
		t.Errorf("of two rates: %v", got)
	}
	if got := middle(bursts[:2], cheapest).costs.engine; got != 5 {
		t.Errorf("of two costs: %v", got)
	}
}

func TestCosts_Since(t *testing.T) {
	t.Parallel()
	began := costs{publisher: 100, engine: 200, database: 300, sink: 400}
	ended := costs{publisher: 140, engine: 280, database: 420, sink: 560}
	got := ended.since(began, 4)
	if want := (costs{publisher: 10, engine: 20, database: 30, sink: 40}); got != want || got.total() != 100 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestCosts_String(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]costs{
		"0.100 ms (publisher 0.010, engine 0.020, PostgreSQL 0.030, sink 0.040)": {10e3, 20e3, 30e3, 40e3},
		"0.060 ms (engine 0.020, sink 0.040)":                                    {engine: 20e3, sink: 40e3},
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// What the publisher and raw number, the sink must find again, in bodies of about 500 bytes.
func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, i := range []int{0, 7, 19_999} {
		body, err := rawBody(i, time.Unix(0, 0).UTC())
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(body) || len(body) < 450 || len(body) > 550 {
			t.Errorf("%d bytes: %s", len(body), body)
		}
		if got := numberOf(string(body)); got != i {
			t.Errorf("numberOf = %d, want %d", got, i)
		}
	}
	for _, body := range []string{"", "{}", `{"card_count":}`, `{"card_count":"1"}`} {
		if got := numberOf(body); got != -1 {
			t.Errorf("numberOf(%q) = %d", body, got)
		}
	}
}

func TestPaced_RunsEachOnceAndOnTime(t *testing.T) {
	t.Parallel()
	const count, interval = 20, time.Millisecond
	calls := make([]int, count)
	began := time.Now()
	done, err := paced(t.Context(), count, 4, interval, func(_ context.Context, i int) (time.Time, error) {
		calls[i]++
		return time.Now(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range done {
		if calls[i] != 1 || time.Unix(0, at).Before(began.Add(time.Duration(i)*interval)) {
			t.Errorf("%d was done %d times, at %v", i, calls[i], time.Unix(0, at).Sub(began))
		}
	}
	broken := errors.New("broken")
	if _, err := paced(t.Context(), count, 4, 0,
		func(context.Context, int) (time.Time, error) { return time.Time{}, broken }); !errors.Is(err, broken) {
		t.Errorf("an error became %v", err)
	}
}

func TestSettings_CheckRejectsEmptyRuns(t *testing.T) {
	t.Parallel()
	good := settings{events: 1, rounds: 1, pairs: 1, steady: time.Second, trouble: time.Second}
	if err := good.check(); err != nil {
		t.Error(err)
	}
	for _, spoil := range []func(*settings){
		func(s *settings) { s.events = 0 }, func(s *settings) { s.rounds = 0 },
		func(s *settings) { s.steady = 0 }, func(s *settings) { s.trouble = 0 },
		func(s *settings) { s.pairs = 0 }, func(s *settings) { s.only = "nothing" },
	} {
		bad := good
		spoil(&bad)
		if bad.check() == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}
