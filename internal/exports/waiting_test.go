package exports

import (
	"errors"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/waiting"
)

// An export says why it waits until it is finished, and the operator's list has its error.
func TestService_Waiting(t *testing.T) {
	t.Parallel()
	s := setup(t)
	waits := func() (string, *waiting.Waiting) {
		t.Helper()
		exportID, w, err := s.Waiting(t.Context(), s.account)
		if err != nil {
			t.Fatal(err)
		}
		return exportID, w
	}
	if exportID, w := waits(); exportID != "" || w != nil {
		t.Errorf("without an export: got %s, %+v, want none", exportID, w)
	}
	e := s.request()
	exportID, w := waits()
	if exportID != e.ID || w.Reason != waiting.Queued || !w.Since.Equal(e.CreatedAt) || w.NextAttemptAt == nil {
		t.Errorf("a new export: got %s, %+v, want it queued since %v", exportID, w, e.CreatedAt)
	}
	s.before = func(int) error {
		if _, w := waits(); w.Reason != waiting.InProgress || w.NextAttemptAt != nil {
			t.Errorf("during the first attempt: got %+v, want in_progress", w)
		}
		return errors.New("the list cannot be read")
	}
	s.run()
	if _, w := waits(); w.Reason != waiting.Problem || !w.Since.Equal(e.CreatedAt) {
		t.Errorf("after a failed attempt: got %+v, want service_problem since %v", w, e.CreatedAt)
	}
	for account, want := range map[string]int{"": 1, s.account: 1, "acc_other": 0} {
		rows, err := s.Stuck(t.Context(), account, 10)
		if err != nil || len(rows) != want ||
			want > 0 && !strings.Contains(rows[0].LastError, "the list cannot be read") {
			t.Errorf("the operator's list of %q: %+v, %v, want %d with the error", account, rows, err, want)
		}
	}
	s.before = nil
	s.set(`due_at = now()`)
	s.run()
	if exportID, w := waits(); exportID != "" || w != nil || s.only().Status != Ready {
		t.Errorf("a finished export: got %s, %+v, want none", exportID, w)
	}
}
