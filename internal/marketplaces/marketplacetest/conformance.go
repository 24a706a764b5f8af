// Package marketplacetest checks that an adapter does what marketplaces.Marketplace promises. Only tests import it.
package marketplacetest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
)

// Subject is an adapter at a marketplace that the test controls.
type Subject struct {
	marketplaces.Marketplace
	// Limits are the limits that the marketplace registers. Calls for one listing are always checked.
	Limits marketplaces.Limits
	// Buy buys a listing on the marketplace's site, and EndThere ends it there.
	Buy, EndThere func(t *testing.T, listingID string)
}

// Run runs the suite. setup returns a new subject for each test. Calls for several listings are checked as far as the
// subject's limits allow, and the methods of marketplaces.PictureHost if the adapter has them.
func Run(t *testing.T, setup func(t *testing.T) Subject) {
	t.Helper()
	for name, check := range map[string]func(s *checked){
		"publish": (*checked).publish, "publish at once": (*checked).publishAtOnce, "revise": (*checked).revise,
		"end": (*checked).end, "sale": (*checked).sale, "ended there": (*checked).endedThere,
		"refusals": (*checked).refusals, "cancelled call": (*checked).cancelled, "unknown listing": (*checked).unknown,
		"publish many": (*checked).publishMany, "publish many at once": (*checked).publishManyAtOnce,
		"revise many": (*checked).reviseMany, "end many": (*checked).endMany, "pictures": (*checked).pictures,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(&checked{setup(t), t})
		})
	}
}

// checked is a subject under test.
type checked struct {
	Subject
	t *testing.T
}

// Publish publishes one offer.
func Publish(ctx context.Context, m marketplaces.Marketplace, o marketplaces.Offer) (marketplaces.Status, error) {
	return one(m.Publish(ctx, []marketplaces.Offer{o}))
}

// Revise revises one listing.
func Revise(ctx context.Context, m marketplaces.Marketplace, o marketplaces.Offer) (marketplaces.Status, error) {
	return one(m.Revise(ctx, []marketplaces.Offer{o}))
}

// End ends one listing.
func End(ctx context.Context, m marketplaces.Marketplace, ref marketplaces.Ref) (marketplaces.Status, error) {
	return one(m.End(ctx, []marketplaces.Ref{ref}))
}

// one returns the only result of a call.
func one(results []marketplaces.Result) (marketplaces.Status, error) {
	if len(results) != 1 {
		return marketplaces.Status{}, fmt.Errorf("a call for one listing returned %d results", len(results))
	}
	return results[0].Status, results[0].Err
}

// Offer returns an offer that can be published.
func Offer() marketplaces.Offer {
	return marketplaces.Offer{
		ListingID: id.New(id.Listing, time.Now()), Title: "Ember Fox 54/167",
		Description: "Dawn of Cinders\nnever played", Price: money.Money{Amount: 1250, Currency: "USD"},
		ImageURLs: []string{"https://photos.example/1.jpg"},
		Game:      "pokemon", Set: "Dawn of Cinders", Number: "54/167", Condition: "NM",
	}
}

func (s *checked) published() (marketplaces.Offer, marketplaces.Status) {
	s.t.Helper()
	o := Offer()
	made, err := Publish(s.t.Context(), s, o)
	if err != nil {
		s.t.Fatal(err)
	}
	return o, made
}

func (s *checked) wantStatus(o marketplaces.Offer, want marketplaces.State) marketplaces.Status {
	s.t.Helper()
	got, err := s.Status(s.t.Context(), marketplaces.Ref{ListingID: o.ListingID})
	if err != nil || got.State != want || got.ListingID != o.ListingID {
		s.t.Errorf("Status = %+v, %v, want %s", got, err, want)
	}
	return got
}

func (s *checked) wantRefused(err error, code string) {
	s.t.Helper()
	if refusal, ok := marketplaces.AsRefusal(err); !ok || refusal.Code != code || refusal.Message == "" {
		s.t.Errorf("got %v, want a refusal with code %s", err, code)
	}
}

func (s *checked) publish() {
	o, made := s.published()
	if made.ExternalID == "" || !strings.Contains(made.URL, made.ExternalID) {
		s.t.Errorf("Publish = %+v, want an identifier and its URL", made)
	}
	if again, err := Publish(s.t.Context(), s, o); err != nil || again != made {
		s.t.Errorf("Publish again = %+v, %v, want %+v", again, err, made)
	}
	if seen := s.wantStatus(o, marketplaces.Live); seen.ExternalID != made.ExternalID || seen.URL != made.URL {
		s.t.Errorf("Status = %+v, want %+v", seen, made)
	}
	if _, other := s.published(); other.ExternalID == made.ExternalID {
		s.t.Errorf("two listings have the identifier %s", other.ExternalID)
	}
	graded := Offer()
	graded.Condition, graded.Grade = "", &marketplaces.Grade{Company: "PSA", Value: "9", CertNumber: "12345678"}
	if _, err := Publish(s.t.Context(), s, graded); err != nil {
		s.t.Errorf("Publish of a graded card: %v", err)
	}
}

func (s *checked) publishAtOnce() {
	o := Offer()
	var wait sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]bool{}
	for range 4 {
		wait.Go(func() {
			made, err := Publish(s.t.Context(), s, o)
			mu.Lock()
			defer mu.Unlock()
			if refusal, ok := marketplaces.AsRefusal(err); ok {
				s.t.Errorf("Publish at once: got the refusal %v, which would fail a listing that is live", refusal)
			}
			if err == nil {
				seen[made.ExternalID] = true
			}
		})
	}
	wait.Wait()
	if len(seen) > 1 {
		s.t.Errorf("one card has the listings %v", seen)
	}
	made, err := Publish(s.t.Context(), s, o)
	if err != nil || len(seen) == 1 && !seen[made.ExternalID] {
		s.t.Errorf("Publish afterwards = %+v, %v, want the listing of before %v", made, err, seen)
	}
}

func (s *checked) revise() {
	o, made := s.published()
	o.Title, o.Price.Amount = "Ember Fox, foil", 990
	for range 2 {
		seen, err := Revise(s.t.Context(), s, o)
		if err != nil || seen.State != marketplaces.Live || seen.ExternalID != made.ExternalID {
			s.t.Errorf("Revise = %+v, %v, want the live listing", seen, err)
		}
	}
	s.Buy(s.t, o.ListingID)
	sold := s.wantStatus(o, marketplaces.Sold)
	if sold.SoldPrice == nil || *sold.SoldPrice != o.Price {
		s.t.Errorf("sold at %v, want the new price", sold.SoldPrice)
	}
	if seen, err := Revise(s.t.Context(), s, o); err != nil || seen.State != marketplaces.Sold {
		s.t.Errorf("Revise of a sold listing = %+v, %v, want it sold", seen, err)
	}
}

func (s *checked) end() {
	o, _ := s.published()
	ref := marketplaces.Ref{ListingID: o.ListingID}
	for range 2 {
		if seen, err := End(s.t.Context(), s, ref); err != nil || seen.State != marketplaces.Ended {
			s.t.Errorf("End = %+v, %v, want it ended", seen, err)
		}
	}
	if seen := s.wantStatus(o, marketplaces.Ended); seen.EndReason != marketplaces.Withdrawn {
		s.t.Errorf("end reason: got %q, want %q", seen.EndReason, marketplaces.Withdrawn)
	}
	_, err := Publish(s.t.Context(), s, o)
	s.wantRefused(err, marketplaces.CodeEnded)
	if seen, err := Revise(s.t.Context(), s, o); err != nil || seen.State != marketplaces.Ended {
		s.t.Errorf("Revise of an ended listing = %+v, %v, want it ended", seen, err)
	}
}

func (s *checked) sale() {
	since := time.Now().Add(-time.Hour)
	before, err := s.Sales(s.t.Context(), since)
	if err != nil || len(before.Sold) != 0 || before.Through.Before(since) {
		s.t.Fatalf("Sales before a sale = %+v, %v", before, err)
	}
	o, made := s.published()
	s.Buy(s.t, o.ListingID)
	sold := s.wantStatus(o, marketplaces.Sold)
	if sold.SoldPrice == nil || *sold.SoldPrice != o.Price || sold.SoldAt == nil || sold.BuyerReference == "" {
		s.t.Errorf("Status = %+v, want the price, the time and the order", sold)
	}
	seen, err := End(s.t.Context(), s, marketplaces.Ref{ListingID: o.ListingID})
	if err != nil || seen.State != marketplaces.Sold || seen.SoldPrice == nil {
		s.t.Errorf("End of a sold listing = %+v, %v, want it sold", seen, err)
	}
	sales, err := s.Sales(s.t.Context(), before.Through)
	if err != nil || len(sales.Sold) != 1 || sales.Sold[0].ListingID != o.ListingID ||
		sales.Sold[0].ExternalID != made.ExternalID || sales.Through.Before(before.Through) {
		s.t.Fatalf("Sales = %+v, %v, want the sale", sales, err)
	}
	again, err := s.Sales(s.t.Context(), sales.Through)
	if err != nil || len(again.Sold) > 1 || again.Through.Before(sales.Through) {
		s.t.Errorf("Sales after the sale = %+v, %v", again, err)
	}
}

func (s *checked) endedThere() {
	o, _ := s.published()
	s.EndThere(s.t, o.ListingID)
	if seen := s.wantStatus(o, marketplaces.Ended); seen.EndReason != marketplaces.EndedAtMarketplace {
		s.t.Errorf("end reason: got %q, want %q", seen.EndReason, marketplaces.EndedAtMarketplace)
	}
	_, err := Publish(s.t.Context(), s, o)
	s.wantRefused(err, marketplaces.CodeEnded)
}

func (s *checked) refusals() {
	for code, spoil := range map[string]func(o *marketplaces.Offer){
		marketplaces.CodeTitle: func(o *marketplaces.Offer) { o.Title = strings.Repeat("x", marketplaces.MaxTitle+1) },
		marketplaces.CodePrice: func(o *marketplaces.Offer) { o.Price.Amount = 0 },
		marketplaces.CodePhoto: func(o *marketplaces.Offer) { o.ImageURLs = nil },
		marketplaces.CodeGrade: func(o *marketplaces.Offer) { o.Grade = &marketplaces.Grade{Company: "PSA"} },
	} {
		o := Offer()
		spoil(&o)
		_, err := Publish(s.t.Context(), s, o)
		s.wantRefused(err, code)
		s.wantStatus(o, marketplaces.Unknown)
	}
}

func (s *checked) cancelled() {
	ctx, cancel := context.WithCancel(s.t.Context())
	cancel()
	_, err := Publish(ctx, s, Offer())
	if _, refused := marketplaces.AsRefusal(err); err == nil || refused {
		s.t.Errorf("Publish with a cancelled context: got %v, want an error that can be retried", err)
	}
}

func (s *checked) unknown() {
	o := Offer()
	s.wantStatus(o, marketplaces.Unknown)
	if seen, err := End(s.t.Context(), s, marketplaces.Ref{ListingID: o.ListingID}); err != nil ||
		seen.State != marketplaces.Unknown {
		s.t.Errorf("End of an unknown listing = %+v, %v", seen, err)
	}
	if seen, err := Revise(s.t.Context(), s, o); err != nil || seen.State != marketplaces.Unknown {
		s.t.Errorf("Revise of an unknown listing = %+v, %v", seen, err)
	}
}
