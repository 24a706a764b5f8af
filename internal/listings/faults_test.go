package listings

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
)

func TestWorker_RetriesUnreachableMarketplace(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tries := 0
	away := fault.New(fault.UpstreamError, "the marketplace does not answer").WithRetryAfter(time.Hour)
	s.setHook(func(string, func() error) error { tries++; return away })
	l := s.processed(s.publish(), Publishing)
	s.pass(59 * time.Minute) // less than the Retry-After of an hour
	if s.processed(l, Publishing); tries != 1 {
		t.Fatalf("got %d attempts before the Retry-After has passed, want 1", tries)
	}
	s.pass(8 * time.Minute)
	if s.processed(l, Publishing); tries != 2 {
		t.Fatalf("got %d attempts after the Retry-After, want 2", tries)
	}
	s.hook.Store(nil)
	s.pass(2 * time.Hour)
	s.processed(l, Live)
	s.wantEvents(l.CardID, "listing.published", "priced→listed")
}

func TestWorker_KeepsListingOfRemovedMarketplace(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	delete(s.cfg.Markets, "sandbox")
	s.processed(l, Publishing)
	s.sell(s.seller)
	s.pass(time.Minute)
	s.processed(l, Live)
}

// After a day the listing fails, but only once the marketplace confirms that it is not for sale. Here
// an attempt whose response was lost had published it.
func TestWorker_FailsListingOnlyOnceNotForSale(t *testing.T) {
	t.Parallel()
	s := setup(t)
	lost := fault.New(fault.UpstreamError, "the marketplace broke off its answer")
	s.setHook(func(_ string, next func() error) error { return errors.Join(next(), lost) })
	l := s.processed(s.publish(), Publishing)
	s.setHook(func(string, func() error) error { return lost })
	s.pass(25 * time.Hour)
	s.processed(l, Publishing)
	if s.atMarket("live") != 1 {
		t.Fatal("the first attempt did not publish the listing")
	}
	s.hook.Store(nil)
	s.pass(time.Hour)
	if l = s.processed(l, Failed); l.Failure.Code != Unreachable || s.atMarket("live") != 0 {
		t.Errorf("failure: got %+v with %d live listings, want %s and none", l.Failure, s.atMarket("live"), Unreachable)
	}
	s.wantEvents(l.CardID)
}

func TestWorker_RecordsSaleWhenPublishTimesOut(t *testing.T) {
	t.Parallel()
	s := setup(t)
	lost := errors.New("connection reset")
	s.setHook(func(_ string, next func() error) error { return errors.Join(next(), lost) })
	l := s.processed(s.publish(), Publishing)
	s.visit(l, "buy")
	s.hook.Store(nil)
	s.pass(25 * time.Hour)
	s.processed(l, Sold)
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
}

// A worker dies after each call that reached the marketplace, before it stored the result. Another one
// continues when the lease expires, and the marketplace has one listing.
func TestWorker_RecoversFromCrashAfterEveryCall(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	s.die(s.work, s.worker.handleOne)
	s.processed(l, Publishing) // the claim of the dead worker is still valid
	s.pass(lease + time.Second)
	l = s.processed(l, Live)
	if s.atMarket("live") != 1 {
		t.Fatalf("live listings at the marketplace: got %d, want 1", s.atMarket("live"))
	}
	if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.die(s.work, s.worker.handleOne)
	s.want(l, Ending)
	s.pass(lease + time.Second)
	s.processed(l, Ended)
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
}

// A worker is so slow that its claim expires and another one publishes. Its late result changes nothing.
func TestWorker_LateResultChangesNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	s.setHook(func(_ string, next func() error) error {
		err := next()
		s.hook.Store(nil)
		s.pass(lease + time.Second)
		s.processed(l, Live)
		return err
	})
	s.processDue()
	s.want(l, Live)
	s.wantEvents(l.CardID, "listing.published", "priced→listed")
	if s.atMarket("live") != 1 {
		t.Errorf("live listings at the marketplace: got %d, want 1", s.atMarket("live"))
	}
}

func TestWorker_PanicAffectsNoOtherListing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	broken := s.publish()
	s.setHook(func(string, func() error) error { panic("boom") })
	s.processed(broken, Publishing)
	s.hook.Store(nil)
	s.live()
	s.pass(lease + time.Second)
	s.processed(broken, Live)
}

// As above with a refusal as the late result: the listing that the other worker published stays live.
func TestWorker_LateRefusalChangesNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	s.setHook(func(string, func() error) error {
		s.hook.Store(nil)
		s.pass(lease + time.Second)
		s.processed(l, Live)
		return &marketplaces.Refusal{Code: "no_way", Message: "Not here."}
	})
	s.processDue()
	s.want(l, Live)
}
