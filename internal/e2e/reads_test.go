package e2e

import (
	"net/http"
	"testing"
)

// TestServe_SlowReadsDoNotBlockOthers locks the table of cards, so that reads of it with one token wait in the
// database, and reads something else with another token.
func TestServe_SlowReadsDoNotBlockOthers(t *testing.T) {
	t.Parallel()
	const reads, concurrent = 60, 24 / 4
	s := start(t)
	slow, quick := s.client(t, false), s.client(t, false)
	quick.do("GET", "/batches", nil).want(t, http.StatusOK, nil)
	lock, err := s.DB.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Rollback()
	if _, err := lock.ExecContext(t.Context(), `LOCK TABLE cards IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	responses := make(chan response, reads)
	for range reads {
		go func() { responses <- slow.do("GET", "/cards?q=em", nil) }()
	}
	eventually(t, "the reads wait for the lock", func() bool {
		var waiting int
		err := lock.QueryRowContext(t.Context(), `
			SELECT count(*) FROM pg_locks
			WHERE NOT granted AND relation = 'cards'::regclass`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
		return waiting >= concurrent
	})
	for range 10 {
		quick.do("GET", "/batches", nil).want(t, http.StatusOK, nil)
	}
	for range reads - concurrent {
		got := <-responses
		if got.refused(t, "rate_limited"); got.header.Get("Retry-After") == "" {
			t.Error("the response has no Retry-After")
		}
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range concurrent {
		(<-responses).want(t, http.StatusOK, nil)
	}
}
