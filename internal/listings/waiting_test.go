package listings

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/waiting"
)

// waits returns why a listing waits.
func (s *shop) waits(l Listing) *waiting.Waiting {
	s.t.Helper()
	w, err := s.Waiting(s.t.Context(), s.account, l.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return w
}

// A listing says why it waits until it is live. Failed attempts change nothing of it and send no event.
func TestService_Waiting(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		want waiting.Reason
	}{
		"away": {fault.New(fault.UpstreamError, "the marketplace does not answer"), waiting.Marketplace},
		"not connected": {
			&marketplaces.ConnectionError{Code: marketplaces.CodeNotConnected, Message: "Connect it."},
			waiting.NotConnected,
		},
		"calls used up": {
			fault.New(fault.Unavailable, "The calls are used up.").WithCause(callbudget.ErrUsedUp), waiting.CallLimit,
		},
		"database away": {fault.New(fault.Unavailable, "The database does not answer."), waiting.Problem},
		"fault":         {errors.New("boom"), waiting.Problem},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			l := s.publish()
			if w := s.waits(l); w == nil || w.Reason != waiting.Queued || !w.Since.Equal(l.UpdatedAt) {
				t.Errorf("before the first attempt: got %+v, want queued since %v", w, l.UpdatedAt)
			}
			s.setHook(func(string, func() error) error { return tc.err })
			for range 2 {
				if diff := cmp.Diff(l, s.processed(l, Publishing)); diff != "" {
					t.Errorf("an attempt changes the listing (-before +after):\n%s", diff)
				}
				w := s.waits(l)
				if w == nil || w.Reason != tc.want || !w.Since.Equal(l.UpdatedAt) || w.NextAttemptAt == nil ||
					!w.NextAttemptAt.After(time.Now()) {
					t.Errorf("after a failed attempt: got %+v, want %s since %v, and a next attempt", w, tc.want,
						l.UpdatedAt)
				}
				s.pass(15 * time.Minute)
			}
			s.wantEvents(l.CardID)
			s.hook.Store(nil)
			if s.processed(l, Live); s.waits(l) != nil {
				t.Errorf("a live listing waits: %+v", s.waits(l))
			}
		})
	}
}

// A change of the price and the end of a listing wait too.
func TestService_WaitingOfChanges(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.setHook(func(string, func() error) error { return fault.New(fault.UpstreamError, "away") })
	title := "Ember Fox, near mint"
	l, err := s.Update(t.Context(), s.account, l.ID, UpdateInput{Title: &title}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.processed(l, Live)
	if w := s.waits(l); w == nil || w.Reason != waiting.Marketplace || !w.Since.Equal(l.UpdatedAt) {
		t.Errorf("a change of the title: got %+v, want marketplace_unavailable since %v", w, l.UpdatedAt)
	}
	if l, err = s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	if w := s.waits(l); w == nil || w.Reason != waiting.Queued {
		t.Errorf("an end that was just requested: got %+v, want queued", w)
	}
	s.processed(l, Ending)
	if w := s.waits(l); w == nil || w.Reason != waiting.Marketplace {
		t.Errorf("an end: got %+v, want marketplace_unavailable", w)
	}
	_, err = s.Waiting(t.Context(), s.account, "lst_01k5w0q2m7t9c3r5v8x0z1b4d6")
	if !fault.Is(err, fault.ListingNotFound) {
		t.Errorf("an unknown listing: got %v, want listing_not_found", err)
	}
}
