package listings

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
)

// Two changes follow each other before the worker runs. It sends the second only.
func TestRevision_LatestPriceWins(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l, calls := s.live(), 0
	s.setHook(func(call string, next func() error) error {
		if call == "revise" {
			calls++
		}
		return next()
	})
	s.reprice(l, dollars(999))
	s.reprice(l, dollars(888))
	s.processDue()
	s.wantRevision(l, RevisionDone, dollars(888), name+" 8.88")
	if calls != 1 {
		t.Errorf("got %d calls, want 1", calls)
	}
}

// The price changes while the marketplace is called, whether it takes the older price, refuses it or fails. The calls
// do not overlap, because the older one could arrive last.
func TestRevision_LatestPriceWinsDuringCall(t *testing.T) {
	t.Parallel()
	for outcome, result := range map[string]error{
		"taken": nil, "refused": &marketplaces.Refusal{Code: "no_way", Message: "Not here."},
		"failed": errors.New("connection reset"),
	} {
		t.Run(outcome, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			l := s.live()
			s.setHook(func(call string, next func() error) error {
				if call != "revise" {
					return next()
				}
				s.setHook(func(string, func() error) error { t.Error("calls overlap"); return nil })
				s.reprice(l, dollars(888))
				s.processDue() // another worker
				s.hook.Store(nil)
				if result != nil {
					return result
				}
				return next()
			})
			s.reprice(l, dollars(999))
			s.processDue()
			s.pass(time.Minute)
			s.processDue()
			s.wantRevision(l, RevisionDone, dollars(888), name+" 8.88")
		})
	}
}

func TestRevision_RefusalFailsUntilTriedAgain(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.subscribe()
	l := s.live()
	refuse := func(call string, next func() error) error {
		if call != "revise" {
			return next()
		}
		return errors.Join(errors.New("wrapped"), &marketplaces.Refusal{Code: "no_way", Message: "Not here."})
	}
	s.setHook(refuse)
	s.reprice(l, dollars(1))
	s.processDue()
	failed := s.wantRevision(l, RevisionFailed, dollars(1), name+" 12.50")
	if *failed.Revision.Failure != (Failure{"no_way", "Not here."}) {
		t.Errorf("failure: got %+v, want that of the refusal", failed.Revision.Failure)
	}
	s.pass(time.Hour)
	s.processDue()
	if again := s.wantRevision(l, RevisionFailed, dollars(1), name+" 12.50"); again.Version != failed.Version {
		t.Errorf("version: got %d, want %d, because a refused revision is not repeated", again.Version, failed.Version)
	}
	s.hook.Store(nil)
	price := dollars(1)
	if _, err := s.Update(t.Context(), s.account, l.ID, UpdateInput{Price: &price}, nil); err != nil {
		t.Fatal(err)
	}
	s.processDue()
	s.wantRevision(l, RevisionDone, price, name+" 0.01")
	s.wantEvents(l.CardID, "listing.published", "priced→listed",
		"listing.updated", "listing.updated", "listing.updated", "listing.updated")
}

// An unreachable marketplace is called again after seconds, not after the interval of status checks.
func TestRevision_RetriesUnreachableMarketplace(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.cfg.StatusInterval = time.Hour
	away := fault.New(fault.UpstreamError, "the marketplace does not answer")
	s.setHook(func(string, func() error) error { return away })
	s.reprice(l, dollars(999))
	s.processDue()
	s.wantRevision(l, RevisionPending, dollars(999), name+" 12.50")
	s.hook.Store(nil)
	s.pass(firstWait + time.Second)
	s.processDue()
	s.wantRevision(l, RevisionDone, dollars(999), name+" 9.99")
}

// A worker dies after the marketplace took the price, before it stored that. Another one sends it again.
func TestRevision_RecoversFromCrash(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.subscribe()
	l := s.live()
	s.reprice(l, dollars(999))
	s.die(s.work, s.worker.handleOne)
	s.processDue() // the claim of the dead worker is still valid
	s.wantRevision(l, RevisionPending, dollars(999), name+" 9.99")
	calls := 0
	s.setHook(func(call string, next func() error) error {
		if call == "revise" {
			calls++
		}
		return next()
	})
	s.pass(lease + time.Second)
	s.processDue()
	s.wantRevision(l, RevisionDone, dollars(999), name+" 9.99")
	if calls != 1 {
		t.Errorf("got %d more calls, want 1", calls)
	}
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.updated", "listing.updated")
}

// A buyer buys at the price before while a revision is pending. Either the poll or the revision learns of it first.
func TestRevision_SoldWhilePending(t *testing.T) {
	t.Parallel()
	for name, learn := range map[string]func(*shop){
		"by the poll": (*shop).poll, "by the revision": (*shop).processDue,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			l := s.live()
			s.reprice(l, dollars(999))
			s.visit(l, "buy")
			learn(s)
			sold := s.want(l, Sold)
			if sold.Revision != (Revision{Status: RevisionNone}) || *sold.SoldPrice != dollars(1250) {
				t.Errorf("got %+v, want it sold at the price before, without a revision", sold)
			}
			s.poll()
			s.processDue()
			s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
			if n := s.waiting(); n != 0 {
				t.Errorf("rows of work: got %d, want none", n)
			}
		})
	}
}

// The seller ends the listing while a revision is pending or under way.
func TestRevision_EndedWhilePending(t *testing.T) {
	t.Parallel()
	s := setup(t)
	one, many, during, site := s.live(), s.live(), s.live(), s.live()
	s.reprice(one, dollars(999))
	s.reprice(many, dollars(999))
	if _, err := s.End(t.Context(), s.account, one.ID, nil); err != nil {
		t.Fatal(err)
	}
	if results, err := s.EndMany(t.Context(), s.account, []string{many.ID}, true, nil); err != nil ||
		results[0].Listing.Revision.Status != RevisionNone {
		t.Fatalf("EndMany = %+v, %v, want no revision", results, err)
	}
	s.processDue()
	s.visit(site, "end")
	s.reprice(site, dollars(999))
	s.processDue()
	s.reprice(during, dollars(999))
	s.setHook(func(call string, next func() error) error {
		s.hook.Store(nil)
		err := next()
		if _, err := s.End(t.Context(), s.account, during.ID, nil); err != nil {
			t.Error(err)
		}
		return err
	})
	s.processDue()
	s.processDue() // the request that came during the call
	for _, l := range []Listing{one, many, during, site} {
		if l = s.want(l, Ended); l.Revision != (Revision{Status: RevisionNone}) {
			t.Errorf("revision: got %+v, want none", l.Revision)
		}
	}
}

// A price that changes during a status check does not wait for the next one, also if the check fails.
func TestRevision_RequestedDuringStatusCheck(t *testing.T) {
	t.Parallel()
	for outcome, result := range map[string]error{"succeeds": nil, "fails": errors.New("connection reset")} {
		t.Run("check "+outcome, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			l := s.live()
			s.pass(time.Second)
			s.cfg.StatusInterval = time.Hour
			s.setHook(func(call string, next func() error) error {
				s.hook.Store(nil)
				if call != "status" {
					t.Errorf("the worker called %s, want status", call)
				}
				s.reprice(l, dollars(999))
				if result != nil {
					return result
				}
				return next()
			})
			s.processDue()
			s.processDue()
			s.wantRevision(l, RevisionDone, dollars(999), name+" 9.99")
		})
	}
}
