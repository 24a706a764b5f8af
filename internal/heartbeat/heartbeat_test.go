package heartbeat

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// patience is how long tests wait for what takes about goneAfter on a quiet machine.
const patience = time.Minute

// member is a process of a test.
type member struct {
	*Heart
	db       *postgres.DB
	released chan postgres.ProcessID
}

// join starts a process on the database at url. Its Release sends the process whose leases it releases, and returns
// fail.
func join(t *testing.T, url string, fail error) *member {
	t.Helper()
	db, err := postgres.Open(postgres.Config{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	m := &member{db: db, released: make(chan postgres.ProcessID, 100)}
	m.Heart = New(db, url, func(_ context.Context, id postgres.ProcessID) error {
		m.released <- id
		return fail
	})
	if err := m.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.die(); db.Close() })
	return m
}

// die ends the process without a farewell.
func (m *member) die() {
	select {
	case <-m.done:
	default:
		close(m.quit)
		<-m.done
	}
	m.cancel()
	m.takeovers.Wait()
}

func (m *member) awaitRelease(t *testing.T, want postgres.ProcessID) {
	t.Helper()
	select {
	case got := <-m.released:
		if got != want {
			t.Fatalf("released the leases of process %d, want %d", got, want)
		}
	case <-time.After(patience):
		t.Fatalf("the leases of a dead process were not released within %v", patience)
	}
}

// ids returns the processes that have a row, except those that are marked as gone.
func (m *member) ids(t *testing.T) (ids []postgres.ProcessID) {
	t.Helper()
	if err := m.db.Select(t.Context(), &ids, `SELECT id FROM processes WHERE gone_at IS NULL ORDER BY id`); err != nil {
		t.Fatal(err)
	}
	return ids
}

func (m *member) awaitIDs(t *testing.T, want ...postgres.ProcessID) {
	t.Helper()
	deadline := time.After(patience)
	for diff := "-"; diff != ""; {
		if diff = cmp.Diff(want, m.ids(t)); diff == "" {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			t.Fatalf("processes with a row (-want +got):\n%s", diff)
		}
	}
}

func TestHeart_ReleasesLeasesOfDeadProcess(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	dead, other := join(t, url, nil), join(t, url, nil)
	dead.die()
	other.awaitRelease(t, dead.db.Process().ID())
	other.awaitIDs(t, other.db.Process().ID())
}

// The process that starts in the place of the only one that died takes over.
func TestHeart_ReleasesLeasesOfPredecessor(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	dead := join(t, url, nil)
	dead.die()
	next := join(t, url, nil)
	next.awaitRelease(t, dead.db.Process().ID())
}

// A process that marked a dead one cannot release its leases, and dies too. Another one releases them.
func TestHeart_HelpsProcessThatFailsToRelease(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	dead, failing := join(t, url, nil), join(t, url, errors.New("no connection"))
	dead.die()
	failing.awaitRelease(t, dead.db.Process().ID())
	failing.die()
	helper := join(t, url, nil)
	want := map[postgres.ProcessID]bool{dead.db.Process().ID(): true, failing.db.Process().ID(): true}
	for len(want) > 0 {
		select {
		case id := <-helper.released:
			delete(want, id)
		case <-time.After(patience):
			t.Fatalf("the leases of %v were not released within %v", want, patience)
		}
	}
}

// A process that was taken for dead continues under a new identity.
func TestHeart_ReplacesLostIdentity(t *testing.T) {
	t.Parallel()
	m := join(t, pgtest.URL(t), nil)
	before := m.db.Process().ID()
	if _, err := m.db.Exec(t.Context(), `UPDATE processes SET gone_at = now() WHERE id = $1`, before); err != nil {
		t.Fatal(err)
	}
	m.awaitRelease(t, before) // by itself, because no other process does
	after := m.db.Process().ID()
	if after == before {
		t.Error("the process continues under the identity that was taken over")
	}
	m.awaitIDs(t, after)
}

func TestHeart_StopReleasesAndRemovesRow(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	leaving, other := join(t, url, nil), join(t, url, nil)
	if err := leaving.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	leaving.awaitRelease(t, leaving.db.Process().ID())
	other.awaitIDs(t, other.db.Process().ID())
}

// observe decides when a process is gone.
func TestHeart_Observe(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	micros := func(d time.Duration) *int64 { n := d.Microseconds(); return &n }
	type beat struct {
		at     time.Duration // since the first beat
		seen   time.Duration // the time in the row of the other process, since the first beat
		marked *int64        // the time since the other process was marked
	}
	steps := func(from, to, step time.Duration, of func(time.Duration) beat) (beats []beat) {
		for at := from; at <= to; at += step {
			beats = append(beats, of(at))
		}
		return beats
	}
	silentSince := func(seen time.Duration) func(time.Duration) beat {
		return func(at time.Duration) beat { return beat{at: at, seen: seen} }
	}
	join := func(parts ...[]beat) (all []beat) {
		for _, part := range parts {
			all = append(all, part...)
		}
		return all
	}
	s := time.Second
	for name, tc := range map[string]struct {
		beats []beat
		gone  bool
	}{
		"silent for 4.1 s":          {steps(0, 4*s+100*time.Millisecond, s/10, silentSince(0)), false},
		"silent for 4.2 s":          {steps(0, 4*s+200*time.Millisecond, s/10, silentSince(0)), true},
		"silent when this one came": {steps(10*s, 12*s, s/2, silentSince(0)), false},
		"still silent 3 s later":    {steps(10*s, 13*s, s/2, silentSince(0)), true},
		"after an outage": {
			join(steps(0, 2*s, s/2, silentSince(0)), steps(20*s, 22*s, s/2, silentSince(0))), false,
		},
		"silent after an outage": {
			join(steps(0, 2*s, s/2, silentSince(0)), steps(20*s, 23*s, s/2, silentSince(0))), true,
		},
		"back after an outage": {
			join(steps(0, 2*s, s/2, silentSince(0)), steps(20*s, 24*s, s/2, silentSince(21*s))), false,
		},
		"the database's clock jumps ahead": {
			join(steps(0, s, s/2, silentSince(0)), steps(s+s/2, 3*s+s/2, s/2, silentSince(-time.Hour))), false,
		},
		"marked by another one a moment ago": {[]beat{{0, 0, micros(s)}}, false},
		"marked by another one long ago":     {[]beat{{0, 0, micros(takeoverTime)}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := New(nil, "")
			var rows []process
			for _, b := range tc.beats {
				rows = h.observe([]process{{
					ID: 7, Seen: begin.Add(b.seen), Silent: (b.at - b.seen).Microseconds(), Gone: b.marked,
				}}, begin.Add(b.at))
			}
			if gone := rows[0].left <= 0; gone != tc.gone {
				t.Errorf("gone = %t (%v left), want %t", gone, rows[0].left, tc.gone)
			}
		})
	}
}
