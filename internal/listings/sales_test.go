package listings

import (
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
)

func graded(company, value string, cert *string) *cards.Grade {
	return &cards.Grade{Company: company, Value: value, CertNumber: cert}
}

// through returns the time up to which sales of the sandbox were read, or nil.
func (s *shop) through() (through *time.Time) {
	s.t.Helper()
	err := s.db.Get(s.t.Context(), &through,
		`SELECT through FROM marketplace_polls WHERE account_id = $1 AND marketplace = 'sandbox'`, s.account)
	if err != nil {
		s.t.Fatal(err)
	}
	return through
}

// A listing is sold before the service knows that it is live. The card passes through listed, and the
// worker that still has a claim on the listing changes nothing.
func TestPoll_RecordsSaleWhilePublishing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	s.setHook(func(call string, next func() error) error {
		err := next()
		if call == "publish" {
			s.hook.Store(nil)
			s.visit(l, "buy")
			s.poll()
			s.want(l, Sold)
		}
		return err
	})
	s.processDue()
	l = s.want(l, Sold)
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
	if l.ExternalID == nil || l.URL == nil || s.waiting() != 0 {
		t.Errorf("got %+v and %d rows of work, want an identifier, a URL and no work", l, s.waiting())
	}
}

func TestPoll_RecordsSaleWhileEnding(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "buy")
	if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.poll()
	s.want(l, Sold)
	s.processDue()
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
}

// One call reads the sales of all listings, and the position is stored.
func TestPoll_MakesOneCallForAllListings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	listings := []Listing{s.live(), s.live(), s.live()}
	s.visit(listings[0], "buy")
	s.visit(listings[1], "buy")
	calls := 0
	s.setHook(func(call string, next func() error) error {
		if call == "sales" {
			calls++
		}
		return next()
	})
	s.poll()
	s.want(listings[0], Sold)
	s.want(listings[1], Sold)
	s.want(listings[2], Live)
	if calls != 1 || s.through() == nil || time.Since(*s.through()) > time.Hour/2 {
		t.Fatalf("got %d calls and the position %v, want one call and a recent position", calls, s.through())
	}
	through := *s.through()
	s.worker = NewWorker(New(s.db, s.clock, s.cursors, s.Service.cards, s.cfg))
	s.visit(listings[2], "buy")
	s.poll()
	s.want(listings[2], Sold)
	if s.through().Before(through) {
		t.Errorf("position of the second poll: got %v, before that of the first, %v", *s.through(), through)
	}
}

func TestPoll_MakesNoCallWithoutOpenListing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.processed(l, Ended)
	s.setHook(func(call string, next func() error) error { t.Errorf("the worker called %s", call); return next() })
	s.poll()
	if s.through() != nil {
		t.Errorf("position: got %v, want none", s.through())
	}
	s.pass(time.Minute)
	s.poll() // is not due
	s.hook.Store(nil)
	l = s.live() // makes the poll due
	s.visit(l, "buy")
	s.poll()
	s.want(l, Sold)
}

// A publish commits after the poll found no open listing and before it ends.
func TestPoll_IncludesListingPublishedMeanwhile(t *testing.T) {
	t.Parallel()
	s, ctx := setup(t), t.Context()
	l := s.live()
	s.visit(l, "buy")
	s.poll()
	s.pass(time.Hour)
	claims, err := s.polls.Claim(ctx, s.db, s.account, 1, lease)
	if err != nil || len(claims) != 1 {
		t.Fatal(claims, err)
	}
	next := s.live()
	if err := s.worker.storePoll(ctx, job{Claim: claims[0]}, nil, idlePollInterval); err != nil {
		t.Fatal(err)
	}
	s.visit(next, "buy")
	s.poll()
	s.want(next, Sold)
}

func TestPoll_ResumesAfterFailure(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "buy")
	s.setHook(func(_ string, next func() error) error { return errors.Join(next(), errors.New("connection reset")) })
	s.poll()
	s.want(l, Live)
	s.hook.Store(nil)
	s.pass(time.Minute)
	s.poll()
	s.want(l, Sold)
}

// A worker dies after the marketplace responded and before it stored the result, and two others
// receive the same sale at the same time.
func TestPoll_ConcurrentSalesFireOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "buy")
	s.pass(time.Second)
	s.die(s.polls, s.worker.handlePoll)
	s.want(l, Live)
	s.setHook(func(_ string, next func() error) error {
		s.hook.Store(nil)
		err := next()
		s.pass(lease + time.Second) // the claim expires, and another worker polls too
		s.poll()
		return err
	})
	s.pass(lease + time.Second)
	s.poll()
	s.want(l, Sold)
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
}
