package jobs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// After a day the deleted cards are erased, with their photos and histories. Until then, and while an undo runs, they
// are kept.
func TestService_ErasesDeletedCards(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, sweptCards+2)
	photo := s.photograph(t, ids[0])
	job, undone := s.deleted(t, ids[:sweptCards+1]...), s.deleted(t, ids[sweptCards+1])
	sweep := func(wantKept int) {
		t.Helper()
		if _, err := s.sweepEdits(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := s.rows(t, "deleted_cards"); got != wantKept {
			t.Errorf("%d deleted cards are kept, want %d", got, wantKept)
		}
		var counted int // deleted cards count against the quota until they are erased
		err := s.db.Get(t.Context(), &counted, `SELECT cards FROM account_clock WHERE account_id = $1`, s.account)
		if want := max(wantKept, s.rows(t, "cards")); err != nil || counted != want {
			t.Errorf("%d cards count, %v; want %d", counted, err, want)
		}
	}
	s.age(t, job, UndoTime-time.Minute)
	sweep(sweptCards + 2)
	s.age(t, job, 2*time.Minute)
	if _, err := s.Undo(t.Context(), s.account, job.ID, nil); !fault.Is(err, fault.JobNotUndoable) ||
		!strings.Contains(err.Error(), "erased") {
		t.Errorf("undo after a day: got %v, want job_not_undoable, which says that the cards are erased", err)
	}
	undo := s.undo(t, undone)
	s.age(t, undone, UndoTime+time.Minute)
	sweep(1)
	if !slices.Equal(s.images, []string{photo}) {
		t.Errorf("removed images: got %v, want %s", s.images, photo)
	}
	for _, table := range []string{"deleted_card_history", "card_history"} {
		if want := map[string]int{"deleted_card_history": 1, "card_history": 0}[table]; s.rows(t, table) != want {
			t.Errorf("%s has %d rows, want %d", table, s.rows(t, table), want)
		}
	}
	s.finish(t, undo)
	if s.read(t, ids[sweptCards+1]) == nil {
		t.Error("the undo that began in time did not bring its card back")
	}
	sweep(0)
	if _, err := s.sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
}
