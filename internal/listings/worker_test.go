package listings

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

func TestPublishedThenSold(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	if l.ExternalID == nil || l.URL == nil || l.PublishedAt == nil || *l.PublishedAt != l.UpdatedAt {
		t.Fatalf("%+v", l)
	}
	s.visit(l, "buy")
	s.poll()
	l = s.want(l, Sold)
	if *l.SoldPrice != l.Price || l.SoldAt == nil || l.BuyerReference == nil || l.EndedAt != nil {
		t.Fatalf("%+v", l)
	}
	s.poll() // the sale is answered again
	data := s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
	four := map[string]any{"card_id": l.CardID, "title": "Ember Fox", "set": "Dawn of Cinders", "number": "54/167",
		"listing_id": l.ID, "marketplace": "sandbox", "external_id": *l.ExternalID}
	price := map[string]any{"amount": 1250.0, "currency": "USD"}
	wantData(t, data[0], four, map[string]any{"url": *l.URL, "price": price})
	wantData(t, data[2], four, map[string]any{"sold_price": price, "sold_at": l.SoldAt.Format("2006-01-02T15:04:05.000000Z")})
	if n := s.waiting(); n != 0 {
		t.Errorf("%d rows of work are left", n)
	}
}

func TestPublishedThenEnded(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	if _, err := s.End(t.Context(), s.account, l.ID); err != nil {
		t.Fatal(err)
	}
	s.want(l, Ending)
	l = s.served(l, Ended)
	data := s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
	four := map[string]any{"card_id": l.CardID, "title": "Ember Fox", "set": "Dawn of Cinders", "number": "54/167",
		"listing_id": l.ID, "marketplace": "sandbox", "external_id": *l.ExternalID}
	wantData(t, data[2], four, map[string]any{"end_reason": EndedBySeller, "ended_at": l.EndedAt.Format("2006-01-02T15:04:05.000000Z")})
	if s.atMarket("live") != 0 || s.waiting() != 0 {
		t.Errorf("%d are live, %d rows of work are left", s.atMarket("live"), s.waiting())
	}
	again, err := s.Publish(t.Context(), s.account, l.CardID, PublishInput{}, true)
	if err != nil {
		t.Fatal(err)
	}
	s.served(again, Live)
}

// wantData checks that data holds these fields and no others.
func wantData(t *testing.T, data map[string]any, parts ...map[string]any) {
	t.Helper()
	n := 0
	for _, part := range parts {
		for name, want := range part {
			n++
			if m, ok := want.(map[string]any); ok {
				got, _ := data[name].(map[string]any)
				wantData(t, got, m)
			} else if data[name] != want {
				t.Errorf("%s is %v, want %v", name, data[name], want)
			}
		}
	}
	if len(data) != n {
		t.Errorf("data has %d fields, want %d: %v", len(data), n, data)
	}
}

func TestEndingsAtTheMarketplaceAreLearned(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "end")
	s.pass(time.Second)
	if l = s.served(l, Ended); *l.EndReason != EndedAtMarketplace {
		t.Errorf("%+v", l)
	}
	s.pass(time.Second)
	s.serve()
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
}

func TestARefusalFailsTheListingAndFreesTheCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.setHook(func(string, func() error) error {
		return errors.Join(errors.New("wrapped"), &marketplaces.Refusal{Code: "no_way", Message: "Not here."})
	})
	l := s.served(s.publish(), Failed)
	if *l.Failure != (Failure{"no_way", "Not here."}) || s.waiting() != 0 {
		t.Errorf("%+v", l)
	}
	s.wantEvents(l.CardID)
	s.hook.Store(nil)
	again, err := s.Publish(t.Context(), s.account, l.CardID, PublishInput{}, true)
	if err != nil {
		t.Fatal(err)
	}
	s.served(again, Live)
}

func TestAnUnreachableMarketplaceIsTriedUntilItAnswers(t *testing.T) {
	t.Parallel()
	s := setup(t)
	tries := 0
	away := fault.New(fault.UpstreamError, "the marketplace does not answer").After(time.Hour)
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
	die := func(ctx context.Context, kill context.CancelFunc) {
		s.setHook(func(_ string, next func() error) error { defer kill(); return next() })
		if _, err := s.worker.drain(ctx, s.work, s.worker.serve); err != nil {
			t.Fatal(err)
		}
		if ctx.Err() == nil {
			t.Fatal("the marketplace was not asked")
		}
		s.hook.Store(nil)
	}
	l := s.publish()
	ctx, kill := context.WithCancel(t.Context())
	die(ctx, kill)
	s.served(l, Publishing) // the dead worker's claim still holds
	s.pass(lease + time.Second)
	l = s.served(l, Live)
	if s.atMarket("live") != 1 {
		t.Fatalf("the marketplace shows %d listings", s.atMarket("live"))
	}
	if _, err := s.End(t.Context(), s.account, l.ID); err != nil {
		t.Fatal(err)
	}
	ctx, kill = context.WithCancel(t.Context())
	die(ctx, kill)
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

func TestEndRacesWithABuyer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	if _, err := s.End(t.Context(), s.account, l.ID); err != nil {
		t.Fatal(err)
	}
	s.visit(l, "buy")
	if l = s.served(l, Sold); *l.SoldPrice != l.Price {
		t.Errorf("%+v", l)
	}
	s.poll()
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
}

// The seller ends the listing while a look at it is under way: the look's claim is void, and the
// request is not lost.
func TestEndDuringALook(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.pass(time.Second)
	s.setHook(func(_ string, next func() error) error {
		s.hook.Store(nil)
		if _, err := s.End(t.Context(), s.account, l.ID); err != nil {
			t.Error(err)
		}
		return next()
	})
	s.serve()
	s.served(l, Ended)
}

// Two workers with loops of their own on one database, and a seller and buyers who do not wait.
func TestTwoWorkersShareTheWork(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var published atomic.Int64
	s.setHook(func(call string, next func() error) error {
		if call == "publish" {
			published.Add(1)
		}
		return next()
	})
	other := NewWorker(New(s.db, s.clock, s.cursors, s.cards, s.cfg))
	for _, w := range []*Worker{s.worker, other} {
		if err := w.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	const n = 12
	made := make([]Listing, n)
	for i := range made {
		made[i] = s.publish()
	}
	var wait sync.WaitGroup
	for i, l := range made {
		wait.Go(func() {
			s.await(l, Live)
			if i%2 == 0 {
				s.visit(l, "buy")
				s.await(l, Sold)
			} else if _, err := s.End(t.Context(), s.account, l.ID); err != nil {
				t.Error(err)
			} else {
				s.await(l, Ended)
			}
		})
	}
	wait.Wait()
	for _, w := range []*Worker{s.worker, other} {
		if err := w.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for i, l := range made {
		if i%2 == 0 {
			s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
		} else {
			s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
		}
	}
	if published.Load() != n || s.waiting() != 0 {
		t.Errorf("Publish was called %d times for %d listings; %d rows of work are left", published.Load(), n, s.waiting())
	}
}

// await looks until the listing has the status; the test's own time limit ends the wait.
func (s *shop) await(l Listing, want Status) {
	for s.t.Context().Err() == nil {
		got, err := s.Get(s.t.Context(), s.account, l.ID)
		if err != nil {
			s.t.Error(err)
			return
		}
		if got.Status == want {
			return
		}
		time.Sleep(5 * time.Millisecond) // the stand-in is another company's system: it sends no signal
	}
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

func TestTheOfferSaysWhatTheCardIs(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.card()
	cert := "123"
	l := Listing{ID: "lst_1", Title: "Fox", Price: money.Money{Amount: 5, Currency: "USD"}}
	offer := s.worker.offer(l, card)
	if offer.SKU != "lst_1" || offer.Title != "Fox" || offer.Price != l.Price || len(offer.ImageURLs) != 1 || offer.Game != "other" ||
		offer.Set != "Dawn of Cinders" || offer.Number != "54/167" || offer.Condition != "NM" || offer.Grade != nil || offer.Check() != nil {
		t.Errorf("%+v", offer)
	}
	card.Identification.Grade = graded("PSA", "9", &cert)
	if offer = s.worker.offer(l, card); *offer.Grade != (marketplaces.Grade{Company: "PSA", Value: "9", CertNumber: "123"}) {
		t.Errorf("%+v", offer.Grade)
	}
}
