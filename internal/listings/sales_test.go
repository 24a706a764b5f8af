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

// through returns how far the sales of the sandbox were read; nil if nothing was.
func (s *shop) through() (through *time.Time) {
	s.t.Helper()
	err := s.db.Get(s.t.Context(), &through, `SELECT through FROM marketplace_polls WHERE account_id = $1 AND marketplace = 'sandbox'`, s.account)
	if err != nil {
		s.t.Fatal(err)
	}
	return through
}

// The marketplace sold what the service has not yet learned is live: the card goes through listed,
// and the worker that still has the listing claimed changes nothing more.
func TestASaleIsSeenWhilePublishing(t *testing.T) {
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
	s.serve()
	l = s.want(l, Sold)
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
	if l.ExternalID == nil || l.URL == nil || s.waiting() != 0 {
		t.Errorf("%+v, %d rows of work are left", l, s.waiting())
	}
}

func TestASaleIsSeenWhileEnding(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "buy")
	if _, err := s.End(t.Context(), s.account, l.ID, nil); err != nil {
		t.Fatal(err)
	}
	s.poll()
	s.want(l, Sold)
	s.serve()
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
}

// One question learns the sales of all listings, and the position outlives the worker.
func TestOneQuestionForAllListings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	made := []Listing{s.live(), s.live(), s.live()}
	s.visit(made[0], "buy")
	s.visit(made[1], "buy")
	asked := 0
	s.setHook(func(call string, next func() error) error {
		if call == "sales" {
			asked++
		}
		return next()
	})
	s.poll()
	s.want(made[0], Sold)
	s.want(made[1], Sold)
	s.want(made[2], Live)
	if asked != 1 || s.through() == nil || time.Since(*s.through()) > time.Hour/2 {
		t.Fatalf("asked %d times, through %v", asked, s.through())
	}
	through := *s.through()
	s.worker = NewWorker(New(s.db, s.clock, s.cursors, s.Service.cards, s.cfg))
	s.visit(made[2], "buy")
	s.poll()
	s.want(made[2], Sold)
	if s.through().Before(through) {
		t.Errorf("from %v back to %v", through, *s.through())
	}
}

func TestNobodyIsAskedWithoutAListingUnderWay(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "buy")
	s.poll()
	s.want(l, Sold)
	s.setHook(func(call string, next func() error) error { t.Errorf("%s was asked", call); return next() })
	s.poll()
	if s.through() != nil {
		t.Errorf("through %v", s.through())
	}
	s.pass(time.Minute)
	s.poll() // not due for a while
	s.hook.Store(nil)
	l = s.live() // makes it due again
	s.visit(l, "buy")
	s.poll()
	s.want(l, Sold)
}

// A publish is committed between the poll's finding nothing under way and its end.
func TestAPollDoesNotOverlookWhatIsPublishedMeanwhile(t *testing.T) {
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
	if err := s.worker.polled(ctx, job{Claim: claims[0]}, nil, idleEvery); err != nil {
		t.Fatal(err)
	}
	s.visit(next, "buy")
	s.poll()
	s.want(next, Sold)
}

func TestAPollThatFailsIsRepeatedFromWhereItWas(t *testing.T) {
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

// A worker dies after the marketplace answered and before anything was written down, and two
// others hear of the same sale at the same time.
func TestASaleHeardByManyFiresOnce(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "buy")
	s.pass(time.Second)
	s.die(s.polls, s.worker.poll)
	s.want(l, Live)
	s.setHook(func(_ string, next func() error) error {
		s.hook.Store(nil)
		err := next()
		s.pass(lease + time.Second) // so slow that another one asks too
		s.poll()
		return err
	})
	s.pass(lease + time.Second)
	s.poll()
	s.want(l, Sold)
	s.wantEvents(l.CardID, "listing.published", "priced→listed", "listing.sold", "listed→sold")
}
