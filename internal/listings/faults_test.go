package listings

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
)

func TestAnUnreachableMarketplaceIsTriedUntilItAnswers(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tries := 0
	away := fault.New(fault.UpstreamError, "the marketplace does not answer").WithRetryAfter(time.Hour)
	s.setHook(func(string, func() error) error { tries++; return away })
	l := s.served(s.publish(), Publishing)
	s.pass(59 * time.Minute) // it asked for an hour
	if s.served(l, Publishing); tries != 1 {
		t.Fatalf("tried %d times", tries)
	}
	s.pass(8 * time.Minute)
	if s.served(l, Publishing); tries != 2 {
		t.Fatalf("tried %d times", tries)
	}
	s.hook.Store(nil)
	s.pass(2 * time.Hour)
	s.served(l, Live)
	s.wantEvents(l.CardID, "listing.published", "priced→listed")
}

func TestAMarketplaceThatIsNoLongerSetUp(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	delete(s.cfg.Sellers, "sandbox")
	s.served(l, Publishing)
	s.cfg.Sellers["sandbox"] = s.seller
	s.pass(time.Minute)
	s.served(l, Live)
}

// After a day the listing fails, but only once the marketplace has confirmed that nothing of it
// can be bought: here a try whose answer was lost had put it up.
func TestGivingUpLeavesNothingForSale(t *testing.T) {
	t.Parallel()
	s := setup(t)
	lost := fault.New(fault.UpstreamError, "the marketplace broke off its answer")
	s.setHook(func(_ string, next func() error) error { return errors.Join(next(), lost) })
	l := s.served(s.publish(), Publishing)
	s.setHook(func(string, func() error) error { return lost })
	s.pass(25 * time.Hour)
	s.served(l, Publishing)
	if s.atMarket("live") != 1 {
		t.Fatal("nothing was put up")
	}
	s.hook.Store(nil)
	s.pass(time.Hour)
	if l = s.served(l, Failed); l.Failure.Code != Unreachable || s.atMarket("live") != 0 {
		t.Errorf("%+v, %d live", l.Failure, s.atMarket("live"))
	}
	s.wantEvents(l.CardID)
}

func TestASaleIsNotLostByGivingUp(t *testing.T) {
	t.Parallel()
	s := setup(t)
	lost := errors.New("connection reset")
	s.setHook(func(_ string, next func() error) error { return errors.Join(next(), lost) })
	l := s.served(s.publish(), Publishing)
	s.visit(l, "buy")
	s.hook.Store(nil)
	s.pass(25 * time.Hour)
	s.served(l, Sold)
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
}

// A worker dies after each call that reached the marketplace, before it wrote anything down.
// Another one carries on when its lease is over, and the marketplace shows one listing.
func TestAWorkerDiesAfterEveryCall(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	s.die(s.work, s.worker.serve)
	s.served(l, Publishing) // the dead worker's claim still holds
	s.pass(lease + time.Second)
	l = s.served(l, Live)
	if s.atMarket("live") != 1 {
		t.Fatalf("the marketplace shows %d listings", s.atMarket("live"))
	}
	if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.die(s.work, s.worker.serve)
	s.want(l, Ending)
	s.pass(lease + time.Second)
	s.served(l, Ended)
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
}

// A worker is so slow that its claim runs out and another one publishes: its own result, which it
// has at last, changes nothing.
func TestALateWorkerChangesNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	s.setHook(func(_ string, next func() error) error {
		err := next()
		s.hook.Store(nil)
		s.pass(lease + time.Second)
		s.served(l, Live)
		return err
	})
	s.serve()
	s.want(l, Live)
	s.wantEvents(l.CardID, "listing.published", "priced→listed")
	if s.atMarket("live") != 1 {
		t.Errorf("the marketplace shows %d listings", s.atMarket("live"))
	}
}

func TestAPanicLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	s := setup(t)
	broken := s.publish()
	s.setHook(func(string, func() error) error { panic("boom") })
	s.served(broken, Publishing)
	s.hook.Store(nil)
	s.live()
	s.pass(lease + time.Second)
	s.served(broken, Live)
}

// As above, and what it has at last is a refusal: the listing that the other one made live stays.
func TestALateRefusalChangesNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	s.setHook(func(string, func() error) error {
		s.hook.Store(nil)
		s.pass(lease + time.Second)
		s.served(l, Live)
		return &marketplaces.Refusal{Code: "no_way", Message: "Not here."}
	})
	s.serve()
	s.want(l, Live)
}
