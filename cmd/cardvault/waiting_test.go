package main

import (
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// The command lists work that fails with its error, and work that no worker takes.
func TestWaiting(t *testing.T) {
	t.Parallel()
	on := &terminalOf{t, pgtest.URL(t), t.TempDir()}
	first, second := on.newAccount("First"), on.newAccount("Second")
	db, err := postgres.Open(postgres.Config{URL: on.url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, statement := range []string{
		`INSERT INTO photo_fetches (account_id, photo_id, card_id, url, due_at, attempts, wait_reason, last_error)
		VALUES ($1, 'pho_x', 'card_x', 'https://photos.example/a', now() + interval '1 hour', 2, 'photo_unreachable',
			'503 from photos.example')`,
		`INSERT INTO job_work (account_id, job_id, due_at) VALUES ($1, 'job_new', now())`,
		`INSERT INTO job_work (account_id, job_id, due_at) VALUES ($1, 'job_old', now() - interval '5 minutes')`,
	} {
		if _, err := db.Exec(t.Context(), statement, first); err != nil {
			t.Fatal(err)
		}
	}
	var printed struct {
		Data []struct {
			Queue, Key, Reason string
			AccountID          string `json:"account_id"`
			LastError          string `json:"last_error"`
		}
	}
	on.object(&printed, "waiting")
	if len(printed.Data) != 2 {
		t.Fatalf("got %+v, want the fetch that fails and the job that no worker takes", printed.Data)
	}
	fetch, job := printed.Data[0], printed.Data[1]
	if fetch.Queue != "photo_fetches" || fetch.Key != "pho_x" || fetch.Reason != "photo_unreachable" ||
		fetch.AccountID != first || fetch.LastError != "503 from photos.example" {
		t.Errorf("got %+v, want the fetch with its error", fetch)
	}
	if job.Queue != "job_work" || job.Key != "job_old" || job.Reason != "queued" {
		t.Errorf("got %+v, want the job that no worker takes", job)
	}
	text, _ := on.run(exitDone, "waiting", "--account", first, "--limit", "1")
	if !strings.Contains(text, "LAST ERROR") || !strings.Contains(text, "503 from photos.example") ||
		strings.Contains(text, "job_old") {
		t.Errorf("the first line: got\n%s", text)
	}
	if text, _ := on.run(exitDone, "waiting", "--account", second); strings.Count(text, "\n") != 1 {
		t.Errorf("another account: got\n%s", text)
	}
	on.run(exitFailed, "waiting", "--account", "acc_00000000000000000000000000")
	on.run(exitBadUsage, "waiting", "--limit", "0")
}
