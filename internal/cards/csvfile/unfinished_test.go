package csvfile

import (
	"errors"
	"testing"

	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/waiting"
)

// unfinished returns the imports of the vault's account that have not ended.
func (v vault) unfinished(t testing.TB) []Unfinished {
	t.Helper()
	list, err := v.Unfinished(t.Context(), v.account)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// An accepted import says why it waits and how much is left, until all of its rows are applied.
func TestService_Unfinished(t *testing.T) {
	t.Parallel()
	v := setup(t)
	file, _ := v.stageText(t, "title,quantity\nEmber Fox,3\n", ImportOptions{})
	if got := v.unfinished(t); len(got) != 0 {
		t.Errorf("before the import is accepted: %+v, want none", got)
	}
	err := v.accept(t.Context(), &staging{
		db: v.db, accountID: v.account, importID: file.ImportID, stored: file.Chunks,
	})
	if err != nil {
		t.Fatal(err)
	}
	got := v.unfinished(t)
	if len(got) != 1 || got[0].ImportID != file.ImportID || got[0].Left != 3 || got[0].Reason != waiting.Queued {
		t.Fatalf("accepted: got %+v, want the import queued with 3 cards left", got)
	}
	for _, table := range []string{"queue_accounts", "card_imports"} { // the head start is over
		if _, err := v.db.Exec(t.Context(), `UPDATE `+table+` SET due_at = now()`); err != nil {
			t.Fatal(err)
		}
	}
	claims, err := v.imports.Claim(t.Context(), v.db, v.account, 1, importLease)
	if err != nil || len(claims) != 1 {
		t.Fatalf("claimed %v, %v, want the import", claims, err)
	}
	failure := queue.Failure{Reason: waiting.Problem, Err: errors.New("boom")}
	if _, err := v.imports.Retry(t.Context(), v.db, claims[0], importRetry, failure); err != nil {
		t.Fatal(err)
	}
	w, err := v.Waiting(t.Context(), v.account, file.ImportID)
	if err != nil || w == nil || w.Reason != waiting.Problem {
		t.Errorf("after a failed attempt: got %+v, %v, want service_problem", w, err)
	}
	_, err = v.applyChunks(t.Context(), v.account, file.ImportID, func(int) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if got := v.unfinished(t); len(got) != 0 {
		t.Errorf("after the import: %+v, want none", got)
	}
	if w, err := v.Waiting(t.Context(), v.account, file.ImportID); err != nil || w != nil {
		t.Errorf("after the import: got %+v, %v, want nil", w, err)
	}
}
