package jobs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
)

// undo accepts a job that undoes a job.
func (s *shop) undo(t testing.TB, job Job) Job {
	t.Helper()
	ctx := caller.With(t.Context(), caller.Caller{AccountID: s.account, TokenID: "tok_2"})
	undo, err := s.Undo(ctx, s.account, job.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	return undo
}

// amounts returns the asking prices of the cards.
func (s *shop) amounts(t testing.TB, ids []string) (list []int64) {
	t.Helper()
	for _, id := range ids {
		card, err := s.cards.Get(t.Context(), s.account, id)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, card.Pricing.AskingPrice.Amount)
	}
	return list
}

func (s *shop) edit(t testing.TB, cardID string, patch cards.Patch) {
	t.Helper()
	if _, err := s.cards.Update(t.Context(), s.account, cardID, patch, nil); err != nil {
		t.Fatal(err)
	}
}

var doubled = &cards.PriceChange{Hundredths: 100_00}

// The cards that still have the price of the job get theirs back, by the actor of the undo. The undo can
// be undone too.
func TestService_Undo(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 6)
	s.edit(t, ids[1], cards.Patch{AskingPrice: cards.Set(money.Money{Amount: 900, Currency: "USD"})})
	job := s.accept(t, Request{Kind: Update, CardIDs: ids, PriceChange: doubled})
	s.finish(t, job)
	s.edit(t, ids[2], cards.Patch{AskingPrice: cards.Set(money.Money{Amount: 700, Currency: "USD"})})
	s.edit(t, ids[3], cards.Patch{Location: cards.Set("Box 9")})
	if _, err := s.cards.Delete(t.Context(), s.account, ids[5], nil); err != nil {
		t.Fatal(err)
	}
	undo := s.undo(t, job)
	if again := s.undo(t, job); again.ID != undo.ID {
		t.Errorf("a second undo is the job %s, want %s", again.ID, undo.ID)
	}
	for !s.step(t, undo, 4) { // less than the job has changed in a transaction
	}
	s.want(t, undo, Done, 6, 4, 2)
	if diff := cmp.Diff([]int64{500, 900, 700, 500, 500}, s.amounts(t, ids[:5])); diff != "" {
		t.Errorf("prices after the undo (-want +got):\n%s", diff)
	}
	refused := map[string]string{ids[2]: "version_mismatch", ids[5]: "card_not_found"}
	if diff := cmp.Diff(refused, s.refusals(t, undo)); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
	history, err := s.cards.History(t.Context(), s.account, ids[0], paging.Request{})
	if want := (caller.Actor{Type: caller.TokenActor, ID: "tok_2"}); err != nil || history.Data[0].Actor != want {
		t.Errorf("%v; the newest version is by %v, want %v", err, history.Data[0].Actor, want)
	}
	if got, want := s.get(t, job), s.get(t, undo); *got.UndoneBy != undo.ID || *want.Undoes != job.ID {
		t.Errorf("%+v and %+v do not name each other", got, want)
	}
	s.finish(t, s.undo(t, undo))
	if diff := cmp.Diff([]int64{1000, 1800, 700, 1000, 1000}, s.amounts(t, ids[:5])); diff != "" {
		t.Errorf("prices after the undo of the undo (-want +got):\n%s", diff)
	}
	if s.rows(t, "job_work") != 0 || s.rows(t, "job_chunks") != 0 {
		t.Error("a finished job has work left")
	}
}

// Cards that were archived before the job stay archived. A listing that was ended stays so.
func TestService_UndoArchive(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 3)
	s.archive(t, ids[1])
	s.goLive(t, ids[2])
	job := s.accept(t, Request{Kind: Archive, CardIDs: ids})
	s.finish(t, job)
	undo := s.undo(t, job)
	s.finish(t, undo)
	s.want(t, undo, Done, 2, 2, 0)
	for i, want := range []bool{false, true, false} {
		card, err := s.cards.Get(t.Context(), s.account, ids[i])
		if err != nil || card.Archived != want {
			t.Errorf("card %d: archived %t, %v, want %t", i, card.Archived, err, want)
		}
	}
	found, err := s.events.List(t.Context(), s.account, events.Filter{CardID: ids[0]}, paging.Request{Limit: 1})
	const back = `"previous_status":"archived","status":"priced"`
	if err != nil || len(found.Data) == 0 || !strings.Contains(string(found.Data[0]), back) {
		t.Errorf("%v; the newest events are %s, want one with %s", err, found.Data, back)
	}
}

// A stopped job is undone as far as it came. A stopped undo can be started again, and goes on where it was.
func TestService_UndoStopped(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 10)
	job := s.accept(t, Request{Kind: Update, CardIDs: ids, PriceChange: doubled})
	s.step(t, job, 3)
	s.step(t, job, 4)
	stop := func(job Job) {
		t.Helper()
		if _, err := s.Cancel(t.Context(), s.account, job.ID, nil); err != nil {
			t.Fatal(err)
		}
	}
	stop(job)
	first := s.undo(t, job)
	s.step(t, first, 2)
	stop(first)
	s.want(t, first, Cancelled, 7, 2, 0)
	second := s.undo(t, job)
	if second.ID == first.ID {
		t.Fatal("a stopped undo cannot be started again")
	}
	s.finish(t, second)
	s.want(t, second, Done, 7, 7, 0)
	if diff := cmp.Diff(slices.Repeat([]int64{500}, 10), s.amounts(t, ids)); diff != "" {
		t.Errorf("prices after the undo (-want +got):\n%s", diff)
	}
	if versions := s.versions(t, ids[0]); versions != 3 {
		t.Errorf("the card that was set back first has version %d, want 3", versions)
	}
}

func (s *shop) versions(t testing.TB, cardID string) int64 {
	t.Helper()
	card, err := s.cards.Get(t.Context(), s.account, cardID)
	if err != nil {
		t.Fatal(err)
	}
	return card.Version
}

// A worker that is interrupted in a transaction of an undo changes no card twice.
func TestService_UndoAfterInterruption(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 30)
	job := s.accept(t, Request{Kind: Update, CardIDs: ids, PriceChange: doubled})
	s.finish(t, job)
	clear(s.changes.times)
	undo, calls := s.undo(t, job), 0
	s.changes.fail = func() bool { calls++; return calls%2 == 1 }
	for finished := false; !finished; {
		var err error
		if finished, _, err = s.advance(t.Context(), s.account, undo.ID, 7); err != nil && calls%2 == 0 {
			t.Fatal(err)
		}
	}
	s.want(t, undo, Done, 30, 30, 0)
	s.changedOnce(t, ids)
}

func TestService_UndoRefuses(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 2)
	place := &cards.Patch{Location: cards.Set("Box 1")}
	running := s.accept(t, Request{Kind: Update, CardIDs: ids, Patch: place})
	ended := s.accept(t, Request{Kind: End, CardIDs: ids})
	s.finish(t, ended)
	nothing := s.accept(t, Request{Kind: Update, CardIDs: []string{unknownCard}, Patch: place})
	s.finish(t, nothing)
	old := s.accept(t, Request{Kind: Update, CardIDs: ids, Patch: &cards.Patch{Notes: cards.Set("x")}})
	s.finish(t, old)
	s.age(t, old, UndoTime+time.Minute)
	for name, tc := range map[string]struct {
		jobID string
		code  fault.Code
	}{
		"running": {running.ID, fault.JobNotUndoable}, "another kind": {ended.ID, fault.JobNotUndoable},
		"nothing changed": {nothing.ID, fault.JobNotUndoable}, "too old": {old.ID, fault.JobNotUndoable},
		"unknown": {"job_01k5w0q2m7t9c3r5v8x0z1b4d6", fault.JobNotFound}, "malformed": {"x", fault.JobNotFound},
	} {
		if _, err := s.Undo(t.Context(), s.account, tc.jobID, nil); !fault.Is(err, tc.code) {
			t.Errorf("%s: got %v, want %s", name, err, tc.code)
		}
	}
	mine := s.account
	s.open(t)
	if _, err := s.Undo(t.Context(), s.account, nothing.ID, nil); !fault.Is(err, fault.JobNotFound) {
		t.Errorf("of another account: got %v, want job_not_found", err)
	}
	s.account = mine
}

// age moves the end of a job into the past.
func (s *shop) age(t testing.TB, job Job, by time.Duration) {
	t.Helper()
	_, err := s.db.Exec(t.Context(), `UPDATE jobs SET finished_at = finished_at - $3 * interval '1 second'
		WHERE account_id = $1 AND id = $2`, s.account, job.ID, by.Seconds())
	if err != nil {
		t.Fatal(err)
	}
}

// The edits of a job expire, unless it is being undone.
func TestService_SweepsEdits(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 2)
	var jobs []Job
	for _, notes := range []string{"a", "b", "c"} {
		job := s.accept(t, Request{Kind: Update, CardIDs: ids, Patch: &cards.Patch{Notes: cards.Set(notes)}})
		s.finish(t, job)
		jobs = append(jobs, job)
	}
	undo := s.undo(t, jobs[2])
	s.age(t, jobs[0], UndoTime+2*time.Hour)
	s.age(t, jobs[1], UndoTime-time.Minute)
	s.age(t, jobs[2], UndoTime+2*time.Hour)
	sweep := func(want ...int) {
		t.Helper()
		if _, err := s.sweepEdits(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, job := range jobs {
			if got := s.get(t, job).Edits; got != want[i] {
				t.Errorf("job %d has the edits of %d cards, want %d", i, got, want[i])
			}
		}
	}
	sweep(0, 2, 2)
	s.finish(t, undo)
	s.want(t, undo, Done, 2, 2, 0)
	sweep(0, 2, 0)
	if rows := s.rows(t, "job_edits"); rows != 2 { // of the second job and of the undo
		t.Errorf("%d rows of edits are left, want 2", rows)
	}
}

// An undo whose edits have disappeared ends.
func TestService_UndoWithoutEdits(t *testing.T) {
	t.Parallel()
	s := setup(t)
	job := s.accept(t, Request{Kind: Update, CardIDs: s.create(t, 2), PriceChange: doubled})
	s.finish(t, job)
	undo := s.undo(t, job)
	_, err := s.db.Exec(t.Context(), `DELETE FROM job_edits WHERE account_id = $1 AND job_id = $2`, s.account, job.ID)
	if err != nil {
		t.Fatal(err)
	}
	s.finish(t, undo)
	s.want(t, undo, Done, 0, 0, 0)
}

// A process of an earlier version cannot read the patch of an undo, so it leaves the job to others.
func TestUndoPatch(t *testing.T) {
	t.Parallel()
	patch := undoPatch
	if _, err := (&plan{Job: Job{Patch: &patch}}).priceChange(); err == nil {
		t.Error("an earlier version reads the patch as a price change")
	}
}
