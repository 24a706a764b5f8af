package catalog

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// wantNearest checks the number of cards that a search finds, and the distance of the nearest.
func wantNearest(t *testing.T, s *Service, h Hints, count, distance int) {
	t.Helper()
	found, err := s.ByFingerprint(t.Context(), h, [64]byte{}, 12)
	if err != nil || len(found) != count || count > 0 && found[0].Distance != distance {
		t.Errorf("ByFingerprint: got %+v, %v, want %d cards, the nearest at %d", found, err, count, distance)
	}
}

// A search sees every change that was committed before it, also one of another process.
func TestService_ByFingerprintAfterChanges(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	writer, s := New(db), New(db)
	wantNearest(t, s, Hints{}, 0, 0)
	mustImport(t, writer, CSV, write(t, "cards.csv", "id,game,name,set\np1,pokemon,Fox,Dawn\n"), "1/1/0/0/0")
	wantNearest(t, s, Hints{}, 0, 0)
	prints := write(t, "prints.json", fmt.Sprintf(`{"p1": {"hash": "%x"}}`, [64]byte{7}))
	mustImport(t, writer, Fingerprints, prints, "1/1/0/0/0")
	wantNearest(t, s, Hints{}, 1, 3)
	wantNearest(t, s, Hints{Game: "magic"}, 0, 0)

	mustImport(t, writer, CSV, write(t, "cards.csv", "id,game,name,set\np1,magic,Fox,Dawn\n"), "1/0/1/0/0")
	wantNearest(t, s, Hints{Game: "magic"}, 1, 3)
	saved := []Fingerprint{{CardID: "p1", Hash: [64]byte{1}, Image: ImageVersion{Modified: time.Now()}}}
	if err := writer.SaveFingerprints(t.Context(), saved); err != nil {
		t.Fatal(err)
	}
	wantNearest(t, s, Hints{}, 1, 1)
}

func TestService_VersionChangesWithContent(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	s := New(db)
	version := func() int64 {
		v, err := currentVersion(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	cards := write(t, "cards.csv", "id,name\np1,Fox\n")
	prints := write(t, "prints.json", fmt.Sprintf(`{"p1": {"hash": "%x"}}`, [64]byte{7}))
	save := func(cardID string) {
		saved := Fingerprint{CardID: cardID, Image: ImageVersion{Modified: time.Now()}}
		if err := s.SaveFingerprints(t.Context(), []Fingerprint{saved}); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name    string
		do      func()
		changes int64
	}{
		{"new cards", func() { mustImport(t, s, CSV, cards, "1/1/0/0/0") }, 1},
		{"the same cards", func() { mustImport(t, s, CSV, cards, "1/0/0/1/0") }, 0},
		{"new fingerprints", func() { mustImport(t, s, Fingerprints, prints, "1/1/0/0/0") }, 1},
		{"the same fingerprints", func() { mustImport(t, s, Fingerprints, prints, "1/0/0/1/0") }, 0},
		{"a saved fingerprint", func() { save("p1") }, 1},
		{"a fingerprint of an unknown card", func() { save("none") }, 0},
	} {
		before := version()
		step.do()
		if got := version() - before; got != step.changes {
			t.Errorf("%s: the version rose by %d, want %d", step.name, got, step.changes)
		}
	}
}

// A search whose context ends while it loads the index does not stop the load for another one.
func TestService_ByFingerprintSharesLoad(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	s := New(db)
	type result struct {
		index *fingerprintIndex
		err   error
	}
	search := func(ctx context.Context) <-chan result {
		done := make(chan result, 1)
		go func() {
			index, err := s.fingerprints.current(ctx)
			done <- result{index, err}
		}()
		return done
	}
	first, cancel := context.WithCancel(t.Context())
	defer cancel()
	var canceled, second, third <-chan result
	err := db.InTx(t.Context(), func(tx *postgres.Tx) error {
		if _, err := tx.Exec(t.Context(), `LOCK TABLE catalog_fingerprints`); err != nil {
			return err
		}
		canceled = search(first)
		for waiting := 0; waiting == 0; time.Sleep(time.Millisecond) {
			if err := tx.Get(t.Context(), &waiting, `SELECT count(*)
				FROM pg_locks l JOIN pg_database d ON d.oid = l.database
				WHERE d.datname = current_database() AND l.relation = 'catalog_fingerprints'::regclass
					AND NOT l.granted`); err != nil {
				return err
			}
		}
		second, third = search(t.Context()), search(t.Context())
		cancel()
		if got := <-canceled; !errors.Is(got.err, context.Canceled) {
			t.Errorf("search whose context ended: got %v, want context.Canceled", got.err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	one, other := <-second, <-third
	if one.err != nil || other.err != nil || one.index != other.index {
		t.Errorf("other searches: got %v and %v, want one index", one, other)
	}
}
