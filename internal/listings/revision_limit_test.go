package listings

import (
	"testing"
	"time"
)

// revisedToday sets how often the listing was revised today.
func (s *shop) revisedToday(l Listing, n int) {
	s.t.Helper()
	_, err := s.db.Exec(s.t.Context(), `UPDATE listings SET revised_on = $3::date, revisions = $4
		WHERE account_id = $1 AND id = $2`, s.account, l.ID, s.clock.Time().UTC().Format(time.DateOnly), n)
	if err != nil {
		s.t.Fatal(err)
	}
}

// wantDelayed checks that the revision to a price waits for the next day while the marketplace offers another one.
func (s *shop) wantDelayed(l Listing, price int64, offered string) {
	s.t.Helper()
	l = s.wantRevision(l, RevisionPending, dollars(price), offered)
	next := s.clock.Time().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
	if until := l.Revision.DelayedUntil; until == nil || !until.Equal(next) {
		s.t.Fatalf("the revision waits until %v, want %v", until, next)
	}
}

// midday moves the clocks to the middle of the next day, so that no test passes midnight.
func (s *shop) midday() {
	now := s.clock.Time().UTC()
	s.pass(now.Truncate(24 * time.Hour).Add(36 * time.Hour).Sub(now))
}

// A listing can be revised 250 times a day. Later prices wait for the next day, and then the last one is sent.
func TestWorker_DelaysRevisionsAboveTheLimit(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T) *shop{
		"alone": setup, "together": func(t *testing.T) *shop { s, _ := setupBulk(t); return s },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			s.midday()
			made := s.publishAll(2)
			s.processDue()
			l, other := made[0], made[1]
			s.revisedToday(l, maxRevisions-1)
			s.reprice(l, dollars(900))
			s.processDue()
			s.wantRevision(l, RevisionDone, dollars(900), shownName+"9.00")
			s.reprice(l, dollars(800))
			s.reprice(other, dollars(850))
			s.processDue()
			s.wantDelayed(l, 800, shownName+"9.00")
			s.wantRevision(other, RevisionDone, dollars(850), shownName+"8.50")
			s.reprice(l, dollars(700))
			if l = s.want(l, Live); l.Revision.DelayedUntil != nil {
				t.Errorf("a new price is delayed before it was tried: %+v", l.Revision)
			}
			s.processDue()
			s.wantDelayed(l, 700, shownName+"9.00")
			s.pass(11 * time.Hour)
			s.processDue()
			s.wantDelayed(l, 700, shownName+"9.00")
			s.midday()
			s.processDue()
			s.wantRevision(l, RevisionDone, dollars(700), shownName+"7.00")
		})
	}
}

const shownName = name + " " // before the price that the marketplace offers

// A new title is a change of its own.
func TestWorker_CountsNewTitles(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.midday()
	l := s.live()
	s.revisedToday(l, maxRevisions-2)
	title := "Ember Fox, foil"
	for _, want := range []RevisionStatus{RevisionDone, RevisionPending} {
		if _, err := s.Update(t.Context(), s.account, l.ID, UpdateInput{Title: &title}, nil); err != nil {
			t.Fatal(err)
		}
		if l = s.processed(l, Live); l.Revision.Status != want {
			t.Errorf("revision to %q = %+v, want it %s", title, l.Revision, want)
		}
		title += "!"
	}
}
