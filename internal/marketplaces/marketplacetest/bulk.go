package marketplacetest

import (
	"context"
	"strings"
	"sync"

	"github.com/cardvault/cardvault/internal/marketplaces"
)

// leastMany is the least limit with which calls for several listings are checked: the tests need as many.
const leastMany = 6

// offers returns n offers that can be published.
func offers(n int) []marketplaces.Offer {
	list := make([]marketplaces.Offer, n)
	for i := range list {
		list[i] = Offer()
	}
	return list
}

// publishMany publishes new offers together with one that is live, one that was ended, one that a crashed worker left
// half done, and two that are refused. Each has its own result.
func (s *checked) publishMany() {
	if s.Limits.Publish < leastMany {
		return
	}
	live, made := s.published()
	ended, _ := s.published()
	if _, err := End(s.t.Context(), s, marketplaces.Ref{ListingID: ended.ListingID}); err != nil {
		s.t.Fatal(err)
	}
	group := append(offers(s.Limits.Publish-4), live, ended, Offer(), Offer())
	untitled, broken := len(group)-2, len(group)-1
	group[untitled].Title = ""
	group[broken].Title = strings.Repeat("x", marketplaces.MaxTitle+1)
	results := s.Publish(s.t.Context(), group)
	if len(results) != len(group) {
		s.t.Fatalf("Publish returned %d results for %d offers", len(results), len(group))
	}
	s.wantRefused(results[len(group)-3].Err, marketplaces.CodeEnded)
	s.wantRefused(results[untitled].Err, marketplaces.CodeTitle)
	s.wantRefused(results[broken].Err, marketplaces.CodeTitle)
	if got := results[len(group)-4]; got.Err != nil || got.Status != made {
		s.t.Errorf("Publish of a live listing = %+v, want %+v", got, made)
	}
	fresh, seen := group[:len(group)-4], map[string]bool{made.ExternalID: true}
	for i := range fresh {
		got := results[i]
		if got.Err != nil || got.ExternalID == "" || seen[got.ExternalID] {
			s.t.Errorf("Publish of offer %d = %+v, want a listing of its own", i, got)
		}
		seen[got.ExternalID] = true
	}
	for i, again := range s.Publish(s.t.Context(), fresh) {
		if again != results[i] {
			s.t.Errorf("Publish again of offer %d = %+v, want %+v", i, again, results[i])
		}
	}
	for _, o := range fresh[:2] {
		s.wantStatus(o, marketplaces.Live)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	cancel()
	for _, r := range s.Publish(ctx, offers(2)) {
		if _, refused := marketplaces.AsRefusal(r.Err); r.Err == nil || refused {
			s.t.Errorf("Publish with a cancelled context: got %v, want an error that can be retried", r.Err)
		}
	}
}

// publishManyAtOnce publishes the same offers several times at once: together, and one by itself.
func (s *checked) publishManyAtOnce() {
	if s.Limits.Publish < leastMany {
		return
	}
	group := offers(3)
	var wait sync.WaitGroup
	var mu sync.Mutex
	seen := make([]map[string]bool, len(group))
	record := func(i int, got marketplaces.Result) {
		mu.Lock()
		defer mu.Unlock()
		if refusal, refused := marketplaces.AsRefusal(got.Err); refused {
			s.t.Errorf("got the refusal %v, which would fail a listing that is live", refusal)
		}
		if seen[i] == nil {
			seen[i] = map[string]bool{}
		}
		if got.Err == nil {
			seen[i][got.ExternalID] = true
		}
	}
	for range 3 {
		wait.Go(func() {
			for i, got := range s.Publish(s.t.Context(), group) {
				record(i, got)
			}
		})
	}
	wait.Go(func() {
		made, err := Publish(s.t.Context(), s, group[0])
		record(0, marketplaces.Result{Status: made, Err: err})
	})
	wait.Wait()
	for i, got := range s.Publish(s.t.Context(), group) {
		if got.Err != nil || len(seen[i]) > 1 || len(seen[i]) == 1 && !seen[i][got.ExternalID] {
			s.t.Errorf("offer %d has the listings %v, and %+v afterwards", i, seen[i], got)
		}
	}
}

// reviseMany revises live listings together with one that was sold, one that does not exist and one that is refused.
func (s *checked) reviseMany() {
	if s.Limits.Revise < leastMany {
		return
	}
	group := offers(5)
	for _, o := range group[:4] {
		if _, err := Publish(s.t.Context(), s, o); err != nil {
			s.t.Fatal(err)
		}
	}
	s.Buy(s.t, group[3].ListingID)
	for i := range group {
		group[i].Price.Amount = int64(900 + i)
	}
	group[1].Title = "Ember Fox, foil"
	group = append(group, group[2])
	group[5].ListingID, group[5].Title = Offer().ListingID, ""
	for range 2 {
		results := s.Revise(s.t.Context(), group)
		for i, want := range []marketplaces.State{
			marketplaces.Live, marketplaces.Live, marketplaces.Live, marketplaces.Sold, marketplaces.Unknown,
		} {
			got := results[i]
			if got.Err != nil || got.State != want || got.ListingID != group[i].ListingID {
				s.t.Errorf("Revise of offer %d = %+v, want it %s", i, got, want)
			}
		}
		if sold := results[3]; sold.SoldPrice == nil || *sold.SoldPrice != Offer().Price {
			s.t.Errorf("Revise of a sold listing = %+v, want the price of the sale", sold)
		}
		s.wantRefused(results[5].Err, marketplaces.CodeTitle)
	}
	for i := range 3 {
		s.Buy(s.t, group[i].ListingID)
		sold := s.wantStatus(group[i], marketplaces.Sold)
		if sold.SoldPrice == nil || *sold.SoldPrice != group[i].Price {
			s.t.Errorf("offer %d was sold at %v, want the new price %v", i, sold.SoldPrice, group[i].Price)
		}
	}
}

// endMany ends live listings together with one that was sold and one that does not exist.
func (s *checked) endMany() {
	if s.Limits.End < leastMany {
		return
	}
	refs := make([]marketplaces.Ref, 4)
	for i := range refs[:3] {
		o, _ := s.published()
		refs[i].ListingID = o.ListingID
	}
	refs[3].ListingID = Offer().ListingID
	s.Buy(s.t, refs[1].ListingID)
	for range 2 {
		results := s.End(s.t.Context(), refs)
		for i, want := range []marketplaces.State{
			marketplaces.Ended, marketplaces.Sold, marketplaces.Ended, marketplaces.Unknown,
		} {
			got := results[i]
			if got.Err != nil || got.State != want || got.ListingID != refs[i].ListingID {
				s.t.Errorf("End of listing %d = %+v, want it %s", i, got, want)
			}
		}
	}
}
