package cardvault

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestChanges_Once(t *testing.T) {
	i := newInventory(t, 2)
	i.change("a", "b", "c") // the same time, more than a page
	i.change("d")
	changes := service(i.answer).client(t).Changes(time.Time{}, nil)
	if got := words(pass(t, changes)); got != "a v1, b v1, c v1, d v1" {
		t.Errorf("the first pass yields %s", got)
	}
	if got := words(pass(t, changes)); got != "" {
		t.Errorf("a pass without changes yields %s", got)
	}
	i.change("b")
	if got := words(pass(t, changes)); got != "b v2" {
		t.Errorf("a pass after a change yields %s", got)
	}
	if len(changes.seen) != 1 {
		t.Errorf("%d changes are remembered, want only the one of the last time", len(changes.seen))
	}
	if !changes.Since().Equal(i.clock) {
		t.Errorf("Since = %v, want the time of the last change %v", changes.Since(), i.clock)
	}
}

func TestChanges_Restart(t *testing.T) {
	i := newInventory(t, 2)
	i.change("a")
	i.change("b", "c", "d")
	c := service(i.answer).client(t)
	changes := c.Changes(time.Time{}, nil)
	pass(t, changes)
	if got := words(pass(t, c.Changes(changes.Since(), nil))); got != "b v1, c v1, d v1" {
		t.Errorf("a restart yields %s, want only the cards of the last time", got)
	}
}

func TestChanges_LeaveLoop(t *testing.T) {
	i := newInventory(t, 2)
	i.change("a", "b", "c")
	changes := service(i.answer).client(t).Changes(time.Time{}, nil)
	for card := range changes.Once(t.Context()) {
		if card.ID == "b" { // processing it may have failed
			break
		}
	}
	if got := words(pass(t, changes)); got != "b v1, c v1" {
		t.Errorf("the next pass yields %s, want the card again at which the loop was left", got)
	}
}

// Random cards change before pages and between passes, alone and several at one time.
func TestChanges_MissNothing(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 0))
		i := newInventory(t, 1+random.IntN(4))
		change := func() {
			ids := []string{"a", "b", "c", "d", "e", "f", "g"}
			random.Shuffle(len(ids), func(x, y int) { ids[x], ids[y] = ids[y], ids[x] })
			i.change(ids[:1+random.IntN(4)]...)
		}
		left := 12 // without a bound a pass might never end
		i.before = func() {
			for ; left > 0 && random.IntN(2) == 0; left-- {
				change()
			}
		}
		changes := service(i.answer).client(t).Changes(time.Time{}, nil)
		latest := map[string]string{}
		var yielded []string
		for range 8 {
			for card, err := range changes.Once(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				yielded = append(yielded, state(card))
				latest[card.ID] = state(card)
			}
			left = 3
		}
		i.before = func() {}
		for _, s := range pass(t, changes) {
			yielded, latest[s[:1]] = append(yielded, s), s
		}
		checkComplete(t, seed, i, yielded, latest)
	}
}

// checkComplete checks that the last state yielded of each card is its current state, and that no state was yielded
// twice.
func checkComplete(t *testing.T, seed uint64, i *inventory, yielded []string, latest map[string]string) {
	t.Helper()
	var last []string
	for _, s := range latest {
		last = append(last, s)
	}
	slices.Sort(last)
	if want := i.states(); !slices.Equal(last, want) {
		t.Errorf("seed %d: the last states yielded are %v, want %v", seed, last, want)
	}
	slices.Sort(yielded)
	if once := slices.Compact(slices.Clone(yielded)); len(once) != len(yielded) {
		t.Errorf("seed %d: states were yielded more than once: %v", seed, yielded)
	}
}

func TestChanges_FollowInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for interval, params := range map[time.Duration]*ChangesParams{
			time.Minute:      nil,
			10 * time.Second: {Interval: 10 * time.Second, Filter: ListCardsParams{Limit: 5}},
		} {
			times, ended := followThrice(t, params)
			if want := []time.Duration{0, interval, 2 * interval}; !slices.Equal(times, want) {
				t.Errorf("Follow yields changes at %v, want %v", times, want)
			}
			if !errors.Is(ended, context.Canceled) {
				t.Errorf("Follow ends with %v, want context.Canceled", ended)
			}
		}
	})
}

// followThrice follows a card that changes before each pass and cancels the context at the third change. It returns the
// times of the changes and the last error.
func followThrice(t *testing.T, params *ChangesParams) (times []time.Duration, ended error) {
	i := newInventory(t, 5)
	i.before = func() { i.change("a") }
	start := time.Now()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, err := range service(i.answer).client(t).Changes(time.Time{}, params).Follow(ctx) {
		if ended = err; err != nil {
			continue // the loop ends with its context
		}
		if times = append(times, time.Since(start)); len(times) == 3 {
			cancel()
		}
	}
	return times, ended
}

func TestChanges_FollowAfterError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newInventory(t, 5)
		i.change("a")
		s, _ := inTurn(t, i.answer, breaks(io.ErrUnexpectedEOF), func(r *http.Request) (*http.Response, error) {
			i.change("b")
			return i.answer(r)
		})
		var got []string
		for card, err := range s.client(t, WithMaxRetries(0)).Changes(time.Time{}, nil).Follow(t.Context()) {
			if _, broken := as[*ConnectionError](err); broken {
				got = append(got, "an error")
				continue
			}
			got = append(got, state(card))
			if card.ID == "b" {
				break
			}
		}
		if words(got) != "a v1, an error, b v1" {
			t.Errorf("Follow yields %s", words(got))
		}
	})
}

func TestChanges_FollowContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := inTurn(t, hang)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var errs []error
		for _, err := range s.client(t).Changes(time.Time{}, nil).Follow(ctx) {
			errs = append(errs, err)
		}
		if len(errs) != 1 || !errors.Is(errs[0], context.DeadlineExceeded) {
			t.Errorf("got %v, want the context's error once", errs)
		}
	})
}

func TestChanges_Filter(t *testing.T) {
	s, _ := inTurn(t, func(r *http.Request) (*http.Response, error) {
		want := "limit=200&status=sold&updated_since=2026-05-11T15%3A32%3A01.123456Z"
		if got := r.URL.RawQuery; got != want {
			t.Errorf("requested %s, want %s", got, want)
		}
		return respond(http.StatusOK, `{"data":[],"has_more":false,"next_cursor":null}`)(r)
	})
	since := time.Date(2026, 5, 11, 15, 32, 1, 123_456_000, time.UTC)
	filter := ListCardsParams{Status: []WorkflowStatus{WorkflowStatusSold}, Cursor: "old"}
	pass(t, s.client(t).Changes(since, &ChangesParams{Filter: filter}))
}
