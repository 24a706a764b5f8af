package deletion

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/fault"
)

func TestService_DeletesAccount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	before := s.rows(s.other.ID)
	if account := s.request(); account.DeleteAt == nil || account.ID != s.account.ID {
		t.Fatalf("Request: %+v, want the time of the deletion", account)
	}
	s.pass(Wait - time.Minute)
	s.run()
	if got := s.rows(s.account.ID)["events_default"]; got != events {
		t.Fatalf("a minute before the deletion: %d events, want %d", got, events)
	}
	s.pass(time.Minute)
	s.run()
	if _, err := s.accounts.Get(t.Context(), s.account.ID); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("the account after the first turn: %v, want account_not_found", err)
	}
	// A request that had begun before stores something after all.
	_, err := s.db.SQL().Exec(`
		INSERT INTO events (account_id, created_at, id, event, body) VALUES ($1, now(), 'evt_late', 'x', '{}')`,
		s.account.ID)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first one finds the late row
		if s.rows(s.account.ID)[workTable] != 1 {
			t.Fatal("the deletion has ended before it found nothing")
		}
		s.pass(recheckDelay)
		s.run()
	}
	s.gone(before)
}

// A process is killed after some batches, and again when it has deleted all rows but not the files.
func TestService_ContinuesAfterCrash(t *testing.T) {
	t.Parallel()
	s := setup(t)
	before := s.rows(s.other.ID)
	s.request()
	s.pass(Wait)
	first := s.claim()
	if _, err := s.close(t.Context(), first.AccountID); err != nil {
		t.Fatal(err)
	}
	if n, err := s.deleteBatch(t.Context(), "events_default", first.AccountID); err != nil || n != batchSize {
		t.Fatalf("deleteBatch: %d, %v, want %d", n, err, batchSize)
	}
	if c := s.claim(); c != nil {
		t.Fatal("another process claims the deletion before the lease has expired")
	}
	s.pass(lease)
	s.crash = errors.New("killed")
	if err := s.handle(t.Context(), *s.claim()); !errors.Is(err, s.crash) {
		t.Fatalf("handle: %v, want the error of the files", err)
	}
	if err := s.handle(t.Context(), *first); !errors.Is(err, s.crash) { // the first process goes on: harmless
		t.Fatalf("handle: %v, want the error of the files", err)
	}
	if got := s.rows(s.account.ID); len(got) != 2 { // the deletion itself
		t.Fatalf("rows before the files were deleted: %v", got)
	}
	s.crash = nil
	s.pass(lease)
	s.run()
	s.pass(recheckDelay)
	s.run()
	s.gone(before)
}

func TestService_ClearEndsInTime(t *testing.T) {
	t.Parallel()
	s := setup(t)
	deleted, finished, err := s.clear(t.Context(), s.account.ID, time.Now().Add(-time.Second))
	if deleted != 0 || finished || err != nil {
		t.Errorf("clear after its time: %d, %v, %v, want nothing deleted", deleted, finished, err)
	}
	deleted, finished, err = s.clear(t.Context(), s.account.ID, time.Now().Add(time.Minute))
	if deleted < events+3 || !finished || err != nil {
		t.Errorf("clear: %d, %v, %v, want all rows and files deleted", deleted, finished, err)
	}
}

func TestService_Cancel(t *testing.T) {
	t.Parallel()
	s := setup(t)
	before := s.rows(s.account.ID)
	s.request()
	if account, err := s.Cancel(t.Context(), s.account.ID); err != nil || account.DeleteAt != nil {
		t.Fatalf("Cancel: %+v, %v, want an account that is kept", account, err)
	}
	if account, err := s.Cancel(t.Context(), s.account.ID); err != nil || account.DeleteAt != nil {
		t.Errorf("Cancel of a kept account: %+v, %v", account, err)
	}
	s.pass(Wait)
	s.run()
	after := s.rows(s.account.ID)
	for table, n := range before {
		if after[table] < n {
			t.Errorf("%s: %d rows of %d are left", table, after[table], n)
		}
	}
	for _, call := range []func(context.Context, string) (accounts.Account, error){
		s.Cancel, func(ctx context.Context, accountID string) (accounts.Account, error) {
			return s.Request(ctx, accountID, Wait)
		},
	} {
		if _, err := call(t.Context(), "acc_unknown"); !fault.Is(err, fault.AccountNotFound) {
			t.Errorf("an unknown account: %v, want account_not_found", err)
		}
	}
}

// A deletion that is cancelled while a worker has claimed it is not carried out.
func TestService_CancelBeatsClaim(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.request()
	s.pass(Wait)
	claimed := s.claim()
	if _, err := s.Cancel(t.Context(), s.account.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.handle(t.Context(), *claimed); err != nil {
		t.Fatal(err)
	}
	if got := s.rows(s.account.ID)["events_default"]; got != events || s.users != 0 {
		t.Errorf("%d events are left of a kept account, want %d", got, events)
	}
}

func TestService_RequestMovesForwardOnly(t *testing.T) {
	t.Parallel()
	s := setup(t)
	first := s.request()
	sooner, err := s.Request(t.Context(), s.account.ID, time.Hour)
	if err != nil || !sooner.DeleteAt.Before(*first.DeleteAt) {
		t.Fatalf("Request: %+v, %v, want an earlier deletion than %v", sooner, err, first.DeleteAt)
	}
	if later := s.request(); !later.DeleteAt.Equal(*sooner.DeleteAt) {
		t.Errorf("Request after it: %v, want %v still", later.DeleteAt, sooner.DeleteAt)
	}
	s.pass(time.Hour)
	s.run()
	if _, err := s.Cancel(t.Context(), s.account.ID); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("Cancel after the deletion: %v, want account_not_found", err)
	}
}

// closed checks that no one can act for the account, and that its inventory is still there.
func (s *shop) closed() {
	s.t.Helper()
	rows := s.rows(s.account.ID)
	if rows["events_default"] != events || rows["account_clock"] != 1 || rows["tokens"] != 0 || s.users != 1 {
		s.t.Errorf("rows of a closed account: %v, users deleted %d times, want its inventory only", rows, s.users)
	}
	if _, err := s.accounts.Get(s.t.Context(), s.account.ID); !fault.Is(err, fault.AccountNotFound) {
		s.t.Errorf("a closed account: %v, want account_not_found", err)
	}
	if _, err := s.Cancel(s.t.Context(), s.account.ID); !fault.Is(err, fault.AccountNotFound) {
		s.t.Errorf("Cancel of a closed account: %v, want account_not_found", err)
	}
}

// counted returns the number of listings that the metric counts.
func (s *shop) counted() float64 {
	s.t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(s.Metrics())
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		s.t.Fatalf("metrics: %v, %v, want one", families, err)
	}
	return families[0].GetMetric()[0].GetCounter().GetValue()
}

func TestService_WithdrawsListingsFirst(t *testing.T) {
	t.Parallel()
	s := setup(t)
	before := s.rows(s.other.ID)
	s.unfinished = 2
	s.request()
	s.pass(Wait - time.Minute)
	s.run()
	if s.withdrawn != 0 {
		t.Fatal("the listings are withdrawn before the deletion")
	}
	s.pass(time.Minute)
	s.run()
	s.closed()
	s.unfinished, s.published = 0, 1 // a job that had begun publishes a card
	s.pass(withdrawInterval)
	s.run()
	s.closed()
	s.published = 0
	for range 2 {
		s.pass(recheckDelay)
		s.run()
	}
	s.gone(before)
	if got := s.counted(); got != 0 || s.withdrawn != 3 {
		t.Errorf("%v listings are counted, WithdrawAll was called %d times, want 0 and 3", got, s.withdrawn)
	}
}

func TestService_DeletesDespiteMarketplace(t *testing.T) {
	t.Parallel()
	s := setup(t)
	before := s.rows(s.other.ID)
	s.unfinished = 3
	s.request()
	s.pass(Wait)
	s.run()
	s.pass(withdrawTime - time.Minute)
	s.run()
	s.closed()
	for range 2 {
		s.pass(recheckDelay)
		s.run()
	}
	s.gone(before)
	if got := s.counted(); got != 3 {
		t.Errorf("%v listings are counted, want 3", got)
	}
}
