package listings

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/timestamp"
)

func TestWorker_PublishesAndSells(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	if l.ExternalID == nil || l.URL == nil || l.PublishedAt == nil || *l.PublishedAt != l.UpdatedAt {
		t.Fatalf("live listing: got %+v, want an identifier, a URL and a time", l)
	}
	s.visit(l, "buy")
	s.poll()
	l = s.want(l, Sold)
	if *l.SoldPrice != l.Price || l.SoldAt == nil || l.BuyerReference == nil || l.EndedAt != nil {
		t.Fatalf("sold listing: got %+v, want price, time and buyer of the sale", l)
	}
	s.poll() // returns the sale again
	data := s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
	price := map[string]any{"amount": 1250.0, "currency": "USD"}
	wantData(t, data[0], l, map[string]any{"url": *l.URL, "price": price})
	wantData(t, data[2], l, map[string]any{"sold_price": price, "sold_at": timestamp.Format(*l.SoldAt)})
	if n := s.waiting(); n != 0 {
		t.Errorf("rows of work: got %d, want none", n)
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
	wantData(t, data[2], l, map[string]any{"end_reason": EndedBySeller, "ended_at": timestamp.Format(*l.EndedAt)})
	if s.atMarket("live") != 0 || s.waiting() != 0 {
		t.Errorf("got %d live listings and %d rows of work, want none", s.atMarket("live"), s.waiting())
	}
	again, err := s.Publish(t.Context(), s.account, l.CardID, PublishInput{}, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.processed(again, Live)
}

// wantData checks that the data of an event has exactly the fields of the card and the listing, and the given ones.
func wantData(t *testing.T, data map[string]any, l Listing, more map[string]any) {
	t.Helper()
	want := map[string]any{
		"card_id": l.CardID, "title": "Ember Fox", "set": "Dawn of Cinders", "number": "54/167",
		"listing_id": l.ID, "marketplace": "sandbox", "external_id": *l.ExternalID,
	}
	maps.Copy(want, more)
	if diff := cmp.Diff(want, data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}

func TestWorker_DetectsListingsEndedAtMarketplace(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "end")
	s.pass(time.Second)
	if l = s.processed(l, Ended); *l.EndReason != EndedAtMarketplace {
		t.Errorf("EndReason: got %s, want %s", *l.EndReason, EndedAtMarketplace)
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
		t.Errorf("got the failure %+v and %d rows of work, want that of the refusal and none", l.Failure, s.waiting())
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
		t.Errorf("SoldPrice: got %v, want %v", *l.SoldPrice, l.Price)
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
	listings := make([]Listing, n)
	for i := range listings {
		listings[i] = s.publish()
	}
	var wait sync.WaitGroup
	for i, l := range listings {
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
	for i, l := range listings {
		if i%2 == 0 {
			s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
		} else {
			s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.ended", "listed→priced")
		}
	}
	if published.Load() != n || s.waiting() != 0 {
		t.Errorf("got %d calls of Publish and %d rows of work, want %d and none", published.Load(), s.waiting(), n)
	}
}

func TestWorker_OfferDescribesCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	card := s.card()
	cert := "123"
	l := Listing{ID: "lst_1", Title: "Fox", Price: money.Money{Amount: 5, Currency: "USD"}}
	want := marketplaces.Offer{
		ListingID: "lst_1", Title: "Fox", Price: l.Price,
		ImageURLs: []string{"https://photos.example/" + card.Photos[0].ID},
		Name:      "Ember Fox", Game: "other", Set: "Dawn of Cinders", Number: "54/167", Condition: "NM",
	}
	offer := s.worker.offer(l, card)
	if diff := cmp.Diff(want, offer); diff != "" {
		t.Errorf("offer (-want +got):\n%s", diff)
	}
	if err := offer.Check(); err != nil {
		t.Errorf("Check: %v", err)
	}
	year, language, variant := int32(2024), "ja", "Holo"
	card.Identification.Year, card.Identification.Language = &year, &language
	card.Identification.Variant = &variant
	if offer := s.worker.offer(l, card); offer.Year != "2024" || offer.Language != "ja" || offer.Variant != "Holo" {
		t.Errorf("offer: got %+v, want the year, the language and the variant", offer)
	}
	card.Identification.Grade = graded("PSA", "9", &cert)
	grade := &marketplaces.Grade{Company: "PSA", Value: "9", CertNumber: "123"}
	if diff := cmp.Diff(grade, s.worker.offer(l, card).Grade); diff != "" {
		t.Errorf("grade (-want +got):\n%s", diff)
	}
}

// hang blocks the first call of Publish until release is called, and closes started when it blocks.
func (s *shop) hang() (started chan struct{}, release func()) {
	started, free := make(chan struct{}), make(chan struct{})
	var hung atomic.Bool
	s.setHook(func(call string, next func() error) error {
		if call == "publish" && hung.CompareAndSwap(false, true) {
			close(started)
			<-free
		}
		return next()
	})
	return started, func() { close(free) }
}

func TestWorker_HangingPublishBlocksNoOther(t *testing.T) {
	t.Parallel()
	s := setup(t)
	started, release := s.hang()
	slow := s.publish()
	if err := s.worker.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-started
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

func (m stuck) Publish(ctx context.Context, _ []marketplaces.Offer) []marketplaces.Result {
	close(m.asked)
	<-ctx.Done()
	return []marketplaces.Result{{Err: ctx.Err()}}
}

// A worker is stopped while the marketplace does not respond. The next one does not wait for the lease.
func TestWorker_InterruptedPublishResumesAtOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	asked := make(chan struct{})
	s.sell(func(account string) marketplaces.Marketplace { return stuck{s.seller(account), asked} })
	l := s.publish()
	loop := s.worker.requests
	if err := loop.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-asked
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := loop.Stop(canceled); !errors.Is(err, context.Canceled) {
		t.Fatalf("Stop = %v, want the error of its context", err)
	}
	s.sell(s.seller)
	s.want(l, Publishing)
	s.processed(l, Live)
}
