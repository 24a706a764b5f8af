package e2e

import (
	"net/http"
	"testing"
)

// TestServe_SlowReadsOfOneTokenHoldUpNoOther locks the cards, so that every read of them hangs at the
// database, and reads something else with another token.
func TestServe_SlowReadsOfOneTokenHoldUpNoOther(t *testing.T) {
	t.Parallel()
	const reads, atOnce = 60, 24 / 4
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
	answers := make(chan response, reads)
	for range reads {
		go func() { answers <- slow.do("GET", "/cards?q=em", nil) }()
	}
	eventually(t, "the reads have come as far as they can", func() bool {
		var waiting int
		err := lock.QueryRowContext(t.Context(), `SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'cards'::regclass`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
		return waiting >= atOnce
	})
	for range 10 {
		quick.do("GET", "/batches", nil).want(t, http.StatusOK, nil)
	}
	for range reads - atOnce {
		a := <-answers
		if a.refused(t, "rate_limited"); a.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
	}
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range atOnce {
		(<-answers).want(t, http.StatusOK, nil)
	}
}
