package batches_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// world is an account with batches.
type world struct {
	*batches.Service
	db      *postgres.DB
	account string
}

func newWorld(t *testing.T) world {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	account, err := accounts.New(db, clock.System).Create(t.Context(), "Test", false)
	if err != nil {
		t.Fatal(err)
	}
	return world{batches.New(db, clock.System, cursors, events.NewRecorder(nil)), db, account.ID}
}

func (w world) create(t *testing.T, name string) batches.Batch {
	t.Helper()
	made, err := w.Create(t.Context(), w.account, name, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func (w world) adjust(t *testing.T, deltas map[string]int) error {
	t.Helper()
	return clock.System.Write(t.Context(), w.db, w.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		return w.Adjust(t.Context(), tx, stamp, deltas)
	})
}

func TestService_CompleteAndReopen(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	b := w.create(t, "Fair")
	done, err := w.Complete(ctx, w.account, b.ID, nil)
	if err != nil || done.Status != batches.Complete || done.CompletedAt == nil || done.Version != 2 {
		t.Fatalf("Complete = %+v, %v", done, err)
	}
	again, err := w.Complete(ctx, w.account, b.ID, nil)
	if err != nil || again.Version != 2 || !again.CompletedAt.Equal(*done.CompletedAt) {
		t.Fatalf("second Complete = %+v, %v, want the batch unchanged", again, err)
	}
	if err := w.adjust(t, map[string]int{b.ID: 1}); !fault.Is(err, fault.BatchComplete) {
		t.Errorf("adding to a complete batch: %v, want batch_complete", err)
	}
	open, err := w.Reopen(ctx, w.account, b.ID, nil)
	if err != nil || open.Status != batches.Open || open.CompletedAt != nil || open.Version != 3 {
		t.Fatalf("Reopen = %+v, %v", open, err)
	}
}

func TestService_Update(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	b := w.create(t, "Fair")
	fair, bought, none, blank, lines := "Spring fair", "Bought in May.", "", " ", "a\nb"
	for _, step := range []struct {
		patch                   batches.Patch
		wantName, wantDescribed string
		wantVersion             int64
	}{
		{batches.Patch{Name: &fair}, fair, none, 2},
		{batches.Patch{Name: &fair}, fair, none, 2},
		{batches.Patch{}, fair, none, 2},
		{batches.Patch{Description: &bought}, fair, bought, 3},
		{batches.Patch{Name: &fair, Description: &bought}, fair, bought, 3},
		{batches.Patch{Description: &none}, fair, none, 4},
	} {
		updated, err := w.Update(ctx, w.account, b.ID, step.patch, nil)
		if err != nil {
			t.Fatal(err)
		}
		stored, err := w.Get(ctx, w.account, b.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []batches.Batch{updated, stored} {
			described := none
			if got.Description != nil {
				described = *got.Description
			}
			if got.Name != step.wantName || described != step.wantDescribed || got.Version != step.wantVersion {
				t.Errorf("after %+v: %+v, want %+v", step.patch, got, step)
			}
		}
	}
	for _, name := range []*string{&blank, &lines} {
		_, err := w.Update(ctx, w.account, b.ID, batches.Patch{Name: name}, nil)
		if !fault.Is(err, fault.InvalidRequest) {
			t.Errorf("the name %q: %v, want invalid_request", *name, err)
		}
	}
	other, err := accounts.New(w.db, clock.System).Create(ctx, "Other", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Update(ctx, other.ID, b.ID, batches.Patch{Name: &fair}, nil); !fault.Is(err, fault.BatchNotFound) {
		t.Errorf("by another account: %v, want batch_not_found", err)
	}
}

func TestService_Names(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	a, b := w.create(t, "A"), w.create(t, "B")
	w.create(t, "C")
	other, err := accounts.New(w.db, clock.System).Create(ctx, "Other", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		account string
		ids     []string
		want    map[string]string
	}{
		{w.account, []string{a.ID, b.ID, "bat_unknown"}, map[string]string{a.ID: "A", b.ID: "B"}},
		{w.account, nil, nil},
		{other.ID, []string{a.ID}, map[string]string{}},
	} {
		got, err := w.Names(ctx, tc.account, tc.ids)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("names of %v (-want +got):\n%s", tc.ids, diff)
		}
	}
}

func TestService_AdjustIsAtomic(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	a, b := w.create(t, "A"), w.create(t, "B")
	if err := w.adjust(t, map[string]int{a.ID: 3, b.ID: 1}); err != nil {
		t.Fatal(err)
	}
	if err := w.adjust(t, map[string]int{a.ID: -1, "bat_unknown": 1}); !fault.Is(err, fault.BatchNotFound) {
		t.Errorf("unknown batch: %v, want batch_not_found", err)
	}
	if got, err := w.Get(ctx, w.account, a.ID); err != nil || got.CardCount != 3 {
		t.Errorf("batch A has %d cards, error %v, want 3 cards", got.CardCount, err)
	}
}

func TestService_ListFilters(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	first := w.create(t, "A")
	w.create(t, "B")
	if _, err := w.Complete(ctx, w.account, first.ID, nil); err != nil {
		t.Fatal(err)
	}
	open := batches.Open
	for name, tc := range map[string]struct {
		filter batches.Filter
		want   string
	}{
		"all":           {batches.Filter{}, "BA"},
		"open":          {batches.Filter{Status: &open}, "B"},
		"updated since": {batches.Filter{UpdatedSince: &first.CreatedAt}, "BA"},
	} {
		t.Run(name, func(t *testing.T) {
			got, request := "", paging.Request{Limit: 1}
			for {
				found, err := w.List(t.Context(), w.account, tc.filter, request)
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range found.Data {
					got += b.Name
				}
				if found.NextCursor == nil {
					break
				}
				request.Cursor = *found.NextCursor
			}
			if got != tc.want {
				t.Errorf("pages of one batch list %q, want %q", got, tc.want)
			}
		})
	}
}

func TestService_HidesBatchesOfOtherAccounts(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	b := w.create(t, "A")
	other, err := accounts.New(w.db, clock.System).Create(ctx, "Other", false)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Get from another account":           failure(w.Get(ctx, other.ID, b.ID)),
		"Complete from another account":      failure(w.Complete(ctx, other.ID, b.ID, nil)),
		"Reopen from another account":        failure(w.Reopen(ctx, other.ID, b.ID, nil)),
		"Reopen with a malformed identifier": failure(w.Reopen(ctx, w.account, "bat_malformed", nil)),
	} {
		if !fault.Is(err, fault.BatchNotFound) {
			t.Errorf("%s: %v, want batch_not_found", name, err)
		}
	}
}

// failure returns the error of a call.
func failure(_ batches.Batch, err error) error { return err }
