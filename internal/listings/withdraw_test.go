package listings

import (
	"errors"
	"testing"
)

// withdrawAll withdraws all listings and checks how many are not finished.
func (s *shop) withdrawAll(unfinished int) {
	s.t.Helper()
	if n, err := s.WithdrawAll(s.t.Context(), s.account); err != nil || n != unfinished {
		s.t.Fatalf("WithdrawAll: %d, %v, want %d unfinished", n, err, unfinished)
	}
}

func TestService_WithdrawAll(t *testing.T) {
	t.Parallel()
	s := setup(t)
	live, ended := s.live(), s.live()
	if _, err := s.End(t.Context(), s.account, ended.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.processed(ended, Ended)
	publishing := s.publish()
	s.withdrawAll(2)
	s.want(live, Ending)
	s.want(publishing, Publishing)
	s.withdrawAll(2) // changes nothing
	live = s.processed(live, Ended)
	if got := text(live.EndReason); got != EndedBySeller {
		t.Errorf("end reason of the live listing: %q, want %s", got, EndedBySeller)
	}
	publishing = s.want(publishing, Failed)
	if publishing.Failure == nil || publishing.Failure.Code != EndedBySeller {
		t.Errorf("the listing that was publishing: %+v, want it withdrawn", publishing)
	}
	s.withdrawAll(0)
}

// The call that publishes a listing is under way while the listing is withdrawn.
func TestService_WithdrawAllDuringPublish(t *testing.T) {
	t.Parallel()
	s := setup(t)
	publishing := s.publish()
	s.setHook(func(call string, next func() error) error {
		err := next()
		if call == "publish" {
			s.withdrawAll(1)
		}
		return err
	})
	s.processed(publishing, Ending)
	if got := s.processed(publishing, Ended); text(got.EndReason) != EndedBySeller {
		t.Errorf("end reason: %q, want %s", text(got.EndReason), EndedBySeller)
	}
}

func TestService_WithdrawAllWhileMarketplaceIsDown(t *testing.T) {
	t.Parallel()
	s := setup(t)
	live := s.live()
	s.setHook(func(string, func() error) error { return errors.New("down") })
	s.withdrawAll(1)
	s.processDue()
	s.withdrawAll(1)
	s.want(live, Ending)
}

// More listings than one transaction withdraws.
func TestService_WithdrawAllOfManyListings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for range withdrawnAtOnce + 1 {
		s.publish()
	}
	s.withdrawAll(withdrawnAtOnce + 1)
	var times int
	err := s.db.Get(t.Context(), &times, `
		SELECT count(DISTINCT updated_at) FROM listings WHERE end_reason = 'ended_by_seller'`)
	if err != nil || times != withdrawnAtOnce+1 {
		t.Errorf("%d different times, %v, want %d", times, err, withdrawnAtOnce+1)
	}
}
