package exports

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

func TestService_DeletesExpired(t *testing.T) {
	t.Parallel()
	s := setup(t)
	e := s.request()
	s.run()
	if _, err := s.sweep(t.Context()); err != nil || len(s.files()) != 1 {
		t.Fatalf("sweep before the end: %v, files %v, want one", err, s.files())
	}
	s.set(`expires_at = now()`)
	if list, err := s.Service.List(t.Context(), s.account); err != nil || len(list) != 0 {
		t.Errorf("List of an expired export: %+v, %v, want none", list, err)
	}
	if _, _, err := s.Service.Open(t.Context(), s.account, e.ID); !fault.Is(err, fault.ExportNotFound) {
		t.Errorf("Open of an expired export: got %v, want export_not_found", err)
	}
	if _, err := s.sweep(t.Context()); err != nil || len(s.files()) != 0 {
		t.Fatalf("sweep: %v, files %v, want none", err, s.files())
	}
	var rows int
	if err := s.db.Get(t.Context(), &rows, `SELECT count(*) FROM account_exports`); err != nil || rows != 0 {
		t.Errorf("%d rows, %v, want none", rows, err)
	}
}

// maxKept is the number of archives that are kept by default.
const maxKept = 3

func TestService_KeepsNewest(t *testing.T) {
	t.Parallel()
	s := setup(t)
	var made []string
	for range maxKept + 1 {
		made = append(made, s.request().ID)
		s.run()
	}
	list, err := s.Service.List(t.Context(), s.account)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for i := range list {
		kept = append(kept, list[len(list)-1-i].ID)
	}
	if diff := cmp.Diff(made[1:], kept); diff != "" {
		t.Errorf("kept exports (-want +got):\n%s", diff)
	}
	if _, err := s.sweep(t.Context()); err != nil || len(s.files()) != maxKept {
		t.Errorf("sweep: %v, files %v, want %d", err, s.files(), maxKept)
	}
}

func TestService_RetriesThenFails(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.request()
	s.before = func(line int) error {
		if line == 0 {
			return nil
		}
		return errors.New("the list cannot be read")
	}
	for attempt := range maxAttempts {
		if got := s.only(); got.Status != Queued {
			t.Fatalf("before attempt %d: %+v, want queued", attempt+1, got)
		}
		s.set(`due_at = now()`)
		s.run()
	}
	got := s.only()
	if got.Status != Failed || got.FinishedAt == nil || len(s.files()) != 0 {
		t.Fatalf("export: %+v, files %v, want one that failed, without a file", got, s.files())
	}
	s.before = nil
	if again := s.request(); again.ID == got.ID {
		t.Error("Request returns the failed export, want another one")
	}
}

// A process that crashed left a claim and a part of the archive.
func TestService_ContinuesAfterCrash(t *testing.T) {
	t.Parallel()
	s := setup(t)
	e := s.request()
	c, err := s.claim(t.Context())
	if err != nil || c == nil || c.ClaimID == "" {
		t.Fatalf("claim: %+v, %v", c, err)
	}
	folder := filepath.Join(s.dir, "exports", s.account)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, e.ID+".zip.18.tmp"), []byte("PK"), 0o600); err != nil {
		t.Fatal(err)
	}
	if other, err := s.again().claim(t.Context()); err != nil || other != nil {
		t.Fatalf("claim within the lease: %+v, %v, want none", other, err)
	}
	s.set(`due_at = now()`) // the lease has expired
	s.run()
	if got := s.only(); got.Status != Ready {
		t.Errorf("export: %+v, want ready", got)
	}
	if got := s.files(); len(got) != 1 || got[0] != e.ID+".zip" {
		t.Errorf("stored files: %v, want the archive alone", got)
	}
	if err := s.finish(t.Context(), c, 2); !errors.Is(err, errLost) {
		t.Errorf("finish of the crashed process: got %v, want errLost", err)
	}
}

func TestService_RetriesAfterPanic(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.request()
	s.before = func(line int) error {
		if line > 0 {
			panic("boom")
		}
		return nil
	}
	s.run()
	if got := s.only(); got.Status != Queued || len(s.files()) != 0 {
		t.Errorf("export: %+v, files %v, want queued without a file", got, s.files())
	}
}

func TestService_GivesUpAfterCrashes(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.request()
	for range maxAttempts {
		if _, err := s.claim(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.set(`due_at = now()`)
	}
	s.run()
	if got := s.only(); got.Status != Failed {
		t.Errorf("export: %+v, want failed", got)
	}
}

// The lease of a process that was frozen expired, and another process wrote the archive.
func TestService_AbandonsLostClaim(t *testing.T) {
	t.Parallel()
	s := setup(t)
	e := s.request()
	thawed := false
	s.before = func(line int) error {
		if line == 0 || thawed {
			return nil
		}
		thawed = true
		s.set(`due_at = now()`)
		other := s.again()
		_, err := other.loop.Once(t.Context())
		return err
	}
	s.run()
	got := s.only()
	if got.Status != Ready || got.ID != e.ID {
		t.Fatalf("export: %+v, want ready", got)
	}
	if files := s.read(got); strings.Count(files["things.jsonl"], "\n") != s.lines {
		t.Errorf("things.jsonl has %d lines, want %d", strings.Count(files["things.jsonl"], "\n"), s.lines)
	}
}

func TestService_StopsBetweenPages(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.request()
	reached, stopping := make(chan struct{}), make(chan struct{})
	s.before = func(line int) error {
		if line == paging.MaxLimit {
			close(reached)
			<-stopping
		}
		return nil
	}
	if err := s.loop.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-reached
	stopped := make(chan error)
	go func() { stopped <- s.loop.Stop(t.Context()) }()
	for !s.loop.Stopping() {
		runtime.Gosched()
	}
	close(stopping)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	var row struct {
		Status   Status `db:"status"`
		Attempts int    `db:"attempts"`
		Due      bool   `db:"due"`
	}
	err := s.db.Get(t.Context(), &row, `SELECT status, attempts, due_at <= now() AS due FROM account_exports`)
	if err != nil || row.Status != Queued || row.Attempts != 0 || !row.Due || len(s.files()) != 0 {
		t.Fatalf("after Stop: %+v, %v, files %v, want queued, due at once, no attempt and no file", row, err, s.files())
	}
	s.before = nil
	next := s.again()
	if _, err := next.loop.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.only(); got.Status != Ready {
		t.Errorf("export of the next process: %+v, want ready", got)
	}
}

// A process dies while it writes an export. Another one writes it at once, and the claim of the first one is lost.
func TestService_ReleaseOfDeadProcess(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.request()
	lost, err := s.claim(t.Context())
	if err != nil || lost.ClaimID == "" {
		t.Fatalf("claim: %+v, %v", lost, err)
	}
	other := s.again()
	if again, err := other.claim(t.Context()); err != nil || again != nil {
		t.Fatalf("claim of another process: %+v, %v, want none", again, err)
	}
	if err := other.Release(t.Context(), s.db.Process().ID()); err != nil {
		t.Fatal(err)
	}
	if again, err := other.claim(t.Context()); err != nil || again == nil || again.Attempts != 2 {
		t.Fatalf("claim after Release: %+v, %v, want the second attempt", again, err)
	}
	if err := s.renew(t.Context(), lost, progress{}); !errors.Is(err, errLost) {
		t.Errorf("renew of the lost claim: %v, want errLost", err)
	}
}
