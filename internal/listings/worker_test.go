package listings

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

func TestWorker_PublishesAndSells(t *testing.T) {
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

func TestWorker_PublishesAndEnds(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.want(l, Ending)
	l = s.processed(l, Ended)
	data := s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
	four := map[string]any{"card_id": l.CardID, "title": "Ember Fox", "set": "Dawn of Cinders", "number": "54/167",
		"listing_id": l.ID, "marketplace": "sandbox", "external_id": *l.ExternalID}
	wantData(t, data[2], four, map[string]any{"end_reason": EndedBySeller, "ended_at": l.EndedAt.Format("2006-01-02T15:04:05.000000Z")})
	if s.atMarket("live") != 0 || s.waiting() != 0 {
		t.Errorf("%d are live, %d rows of work are left", s.atMarket("live"), s.waiting())
	}
	again, err := s.Publish(t.Context(), s.account, l.CardID, PublishInput{}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.processed(again, Live)
}

// wantData checks that data has exactly these fields.
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

func TestWorker_DetectsListingsEndedAtMarketplace(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "end")
	s.pass(time.Second)
	if l = s.processed(l, Ended); *l.EndReason != EndedAtMarketplace {
		t.Errorf("%+v", l)
	}
	s.pass(time.Second)
	s.processDue()
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
}

func TestWorker_RefusalFailsListingAndFreesCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.setHook(func(string, func() error) error {
		return errors.Join(errors.New("wrapped"), &marketplaces.Refusal{Code: "no_way", Message: "Not here."})
	})
	l := s.processed(s.publish(), Failed)
	if *l.Failure != (Failure{"no_way", "Not here."}) || s.waiting() != 0 {
		t.Errorf("%+v", l)
	}
	s.wantEvents(l.CardID)
	s.hook.Store(nil)
	again, err := s.Publish(t.Context(), s.account, l.CardID, PublishInput{}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.processed(again, Live)
}

func TestWorker_EndRacesWithBuyer(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.visit(l, "buy")
	if l = s.processed(l, Sold); *l.SoldPrice != l.Price {
		t.Errorf("%+v", l)
	}
	s.poll()
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
}

// The seller ends the listing during a status check. The claim of the check becomes void and the request
// is not lost.
func TestWorker_EndDuringStatusCheck(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.pass(time.Second)
	s.setHook(func(_ string, next func() error) error {
		s.hook.Store(nil)
		if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
			t.Error(err)
		}
		return next()
	})
	s.processDue()
	s.processed(l, Ended)
}

// Two workers run on one database while a seller and buyers act concurrently.
func TestWorker_TwoShareTheWork(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var published atomic.Int64
	s.setHook(func(call string, next func() error) error {
		if call == "publish" {
			published.Add(1)
		}
		return next()
	})
	other := NewWorker(New(s.db, s.clock, s.cursors, s.Service.cards, s.cfg))
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
			} else if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
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

func TestWorker_OfferDescribesCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.card()
	cert := "123"
	l := Listing{ID: "lst_1", Title: "Fox", Price: money.Money{Amount: 5, Currency: "USD"}}
	offer := s.worker.offer(l, card)
	if offer.ListingID != "lst_1" || offer.Title != "Fox" || offer.Price != l.Price || len(offer.ImageURLs) != 1 || offer.Game != "other" ||
		offer.Set != "Dawn of Cinders" || offer.Number != "54/167" || offer.Condition != "NM" || offer.Grade != nil || offer.Check() != nil {
		t.Errorf("%+v", offer)
	}
	card.Identification.Grade = graded("PSA", "9", &cert)
	if offer = s.worker.offer(l, card); *offer.Grade != (marketplaces.Grade{Company: "PSA", Value: "9", CertNumber: "123"}) {
		t.Errorf("%+v", offer.Grade)
	}
}

// hang blocks the first publish until release is called, and closes begun when it blocks.
func (s *shop) hang() (begun chan struct{}, release func()) {
	begun, free := make(chan struct{}), make(chan struct{})
	var hung atomic.Bool
	s.setHook(func(call string, next func() error) error {
		if call == "publish" && hung.CompareAndSwap(false, true) {
			close(begun)
			<-free
		}
		return next()
	})
	return begun, func() { close(free) }
}

func TestWorker_HangingPublishBlocksNoOther(t *testing.T) {
	t.Parallel()
	s := setup(t)
	begun, release := s.hang()
	slow := s.publish()
	if err := s.worker.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-begun
	s.await(s.publish(), Live)
	s.want(slow, Publishing)
	release()
	s.await(slow, Live)
	if err := s.worker.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// stuck is a marketplace that never responds to Publish.
type stuck struct {
	marketplaces.Marketplace
	asked chan struct{}
}

func (m stuck) Publish(ctx context.Context, _ marketplaces.Offer) (marketplaces.Published, error) {
	close(m.asked)
	<-ctx.Done()
	return marketplaces.Published{}, ctx.Err()
}

// A worker is stopped while the marketplace does not respond. The next one does not wait for the lease.
func TestWorker_InterruptedPublishResumesAtOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	asked := make(chan struct{})
	s.cfg.Sellers["sandbox"] = func(account string) marketplaces.Marketplace { return stuck{s.seller(account), asked} }
	l := s.publish()
	loop := s.worker.requests
	if err := loop.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-asked
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := loop.Stop(ended); !errors.Is(err, context.Canceled) {
		t.Fatalf("Stop = %v", err)
	}
	s.cfg.Sellers["sandbox"] = s.seller
	s.want(l, Publishing)
	s.processed(l, Live)
}
