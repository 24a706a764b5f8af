package queue

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// Processes of an older version enqueue without a mark.
func TestPoller_AuditFindsUnmarkedRows(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	enqueue(t, db, q, "acc_marked", "card_a")
	claim(t, db, q, "acc_marked", 1)
	_, err := db.Exec(ctx, `
		INSERT INTO identifications (account_id, card_id, due_at)
		VALUES ('acc_marked', 'card_b', now()), ('acc_unmarked', 'card_a', now()),
			('acc_unmarked', 'card_b', now() + interval '1 hour')`)
	if err != nil {
		t.Fatal(err)
	}
	if got := due(t, db, q); len(got) != 0 {
		t.Fatalf("due accounts before the audit: %v, want none", got)
	}
	if err := (&poller{queue: q}).audit(ctx, db); err != nil {
		t.Fatal(err)
	}
	got := due(t, db, q)
	slices.Sort(got)
	if diff := cmp.Diff([]string{"acc_marked", "acc_unmarked"}, got); diff != "" {
		t.Errorf("due accounts after the audit (-want +got):\n%s", diff)
	}
}

// An audit reads a slice at a time and starts again after its pause.
func TestPoller_AuditContinuesAfterSlice(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	fill(t, db, 2*auditSlice, time.Hour)
	if _, err := db.Exec(ctx, `DELETE FROM queue_accounts WHERE account_id >= 'acc_99'`); err != nil {
		t.Fatal(err)
	}
	p := poller{queue: q}
	for step := range 2 {
		if got := due(t, db, q); len(got) != 0 {
			t.Fatalf("due accounts before step %[2]d: %[1]v", got, step)
		}
		if err := p.audit(ctx, db); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(due(t, db, q)); got == 0 {
		t.Error("the second step found none of the unmarked accounts")
	}
	if err := p.audit(ctx, db); err != nil || p.audited.IsZero() || p.position != (auditPosition{}) {
		t.Errorf("the audit did not end after its last row: %+v, %v", p.position, err)
	}
}
