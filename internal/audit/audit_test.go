package audit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

var bob = caller.Actor{Type: caller.UserActor, ID: "usr_bob"}

func newLog(t *testing.T, db *postgres.DB) *audit.Log {
	t.Helper()
	cursors, err := paging.NewCursors(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	return audit.NewLog(db, cursors)
}

// record records an entry of the account about the subject in a transaction that ends with the error.
func record(t *testing.T, db *postgres.DB, account, subject string, with error) {
	t.Helper()
	ctx := caller.WithActor(t.Context(), bob)
	err := db.InTx(ctx, func(tx *postgres.Tx) error {
		return errors.Join(audit.Record(ctx, tx, account, audit.TokenCreated, subject, "read"), with)
	})
	if !errors.Is(err, with) {
		t.Fatal(err)
	}
}

func TestLog_List(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	log := newLog(t, db)
	for i := range 5 {
		record(t, db, "acc_a", fmt.Sprintf("token %d", i), nil)
	}
	record(t, db, "acc_a", "rolled back", context.Canceled)
	record(t, db, "acc_b", "another account's", nil)
	var subjects []string
	request := paging.Request{Limit: 2}
	for range 3 {
		found, err := log.List(t.Context(), "acc_a", request)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found.Data {
			subjects = append(subjects, e.Subject)
			want := audit.Entry{Kind: audit.TokenCreated, Actor: bob, Subject: e.Subject, Detail: "read"}
			if diff := cmp.Diff(want, e, cmpopts.IgnoreFields(audit.Entry{}, "At")); diff != "" {
				t.Errorf("entry (-want +got):\n%s", diff)
			}
		}
		if found.NextCursor == nil {
			break
		}
		request.Cursor = *found.NextCursor
	}
	if diff := cmp.Diff([]string{"token 4", "token 3", "token 2", "token 1", "token 0"}, subjects); diff != "" {
		t.Errorf("subjects (-want +got):\n%s", diff)
	}
	if _, err := log.List(t.Context(), "acc_b", request); !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("a cursor of another account: got %v, want invalid_cursor", err)
	}
}

func TestNewUpkeep_DropsOldEntries(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	log := newLog(t, db)
	record(t, db, "acc_a", "now", nil)
	work := func(now time.Time) {
		t.Helper()
		at := clock.Clock{Now: func() time.Time { return now }}
		if _, err := audit.NewUpkeep(db, at).Work(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	kept := func() int {
		t.Helper()
		found, err := log.List(t.Context(), "acc_a", paging.Request{})
		if err != nil {
			t.Fatal(err)
		}
		return len(found.Data)
	}
	work(time.Now())
	record(t, db, "acc_a", "later", nil)
	work(time.Now().Add(audit.Retention - 24*time.Hour))
	if got := kept(); got != 2 {
		t.Errorf("entries within the retention: got %d, want 2", got)
	}
	work(time.Now().Add(audit.Retention + 62*24*time.Hour))
	if got := kept(); got != 0 {
		t.Errorf("entries after the retention: got %d, want 0", got)
	}
}
