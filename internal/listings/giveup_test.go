package listings

import (
	"errors"
	"testing"
)

// giveUp gives up the listings of the sandbox marketplace and checks their number.
func (s *shop) giveUp(want int) {
	s.t.Helper()
	if n, err := s.GiveUp(s.t.Context(), s.account, "sandbox"); err != nil || n != want {
		s.t.Fatalf("GiveUp: %d, %v, want %d", n, err, want)
	}
}

func TestService_GiveUp(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ended := s.live()
	end := func(l Listing) {
		t.Helper()
		if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
			t.Fatal(err)
		}
	}
	end(ended)
	s.processed(ended, Ended)
	live, ending := s.live(), s.live()
	end(ending)
	publishing := s.publish()
	if n, err := s.CountOpen(t.Context(), s.account, "sandbox"); err != nil || n != 3 {
		t.Errorf("CountOpen: %d, %v, want 3", n, err)
	}
	s.setHook(func(call string, _ func() error) error {
		t.Errorf("call %s of the marketplace", call)
		return errors.New("lost")
	})
	s.giveUp(3)
	s.giveUp(0) // is under way
	s.processDue()
	live, ending, publishing = s.want(live, Ended), s.want(ending, Ended), s.want(publishing, Failed)
	if text(live.EndReason) != GivenUp || text(ending.EndReason) != GivenUp || publishing.Failure == nil ||
		publishing.Failure.Code != GivenUp {
		t.Errorf("end reasons %q and %q, failure %+v, want given_up", text(live.EndReason), text(ending.EndReason),
			publishing.Failure)
	}
	if got := s.want(ended, Ended); text(got.EndReason) != EndedBySeller {
		t.Errorf("end reason of a listing that ended before: %q", text(got.EndReason))
	}
	s.wantEvents(live.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
}

// The call that publishes a listing is under way while the listing is given up.
func TestService_GiveUpDuringPublish(t *testing.T) {
	t.Parallel()
	s := setup(t)
	publishing := s.publish()
	s.setHook(func(call string, next func() error) error {
		err := next()
		s.giveUp(1)
		s.setHook(nil)
		return err
	})
	s.processDue()
	if got := s.processed(publishing, Failed); got.Failure == nil || got.Failure.Code != GivenUp {
		t.Errorf("failure: %+v, want given_up", got.Failure)
	}
}

// More listings than one transaction gives up.
func TestService_GiveUpMany(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for range withdrawnAtOnce + 1 {
		s.publish()
	}
	s.giveUp(withdrawnAtOnce + 1)
}
