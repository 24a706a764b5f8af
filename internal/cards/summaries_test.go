package cards

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// A summary is computed again when the account has changed; one that took long only after a while.
func TestSummaries_StaleAsLongAsWorthIt(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		took    time.Duration
		elapsed time.Duration // after the change
		want    int           // computations
	}{
		"fast":                 {exactBelow - 1, 0, 2},
		"slow":                 {exactBelow, 0, 1},
		"slow, after a while":  {exactBelow, staleFactor * exactBelow, 2},
		"slower":               {time.Second, maxStale - time.Millisecond, 1},
		"slower, after 5 s":    {time.Second, maxStale, 2},
		"slow, but no changes": {time.Second, -1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, now, computed := pgtest.New(t), time.Now(), 0
			account, err := accounts.New(db, clock.System).Create(t.Context(), "Test", false)
			if err != nil {
				t.Fatal(err)
			}
			s := newSummaries()
			s.now = func() time.Time { return now }
			read := func() {
				t.Helper()
				_, err := s.get(t.Context(), db, account.ID, "key", func(context.Context) (*Summary, error) {
					computed++
					now = now.Add(tc.took)
					return &Summary{}, nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			read()
			if tc.elapsed < 0 {
				now = now.Add(time.Hour)
			} else {
				now = now.Add(tc.elapsed)
				nothing := func(*postgres.Tx, clock.Stamp) error { return nil }
				err = clock.System.Write(t.Context(), db, account.ID, nothing)
				if err != nil {
					t.Fatal(err)
				}
			}
			if read(); computed != tc.want {
				t.Errorf("%d computations, want %d", computed, tc.want)
			}
		})
	}
}

func TestSummaries_FailureIsNotKept(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	account, err := accounts.New(db, clock.System).Create(t.Context(), "Test", false)
	if err != nil {
		t.Fatal(err)
	}
	s, broken := newSummaries(), errors.New("broken")
	for _, want := range []error{broken, nil} {
		_, err := s.get(t.Context(), db, account.ID, "key", func(context.Context) (*Summary, error) {
			return &Summary{}, want
		})
		if !errors.Is(err, want) {
			t.Errorf("get = %v, want %v", err, want)
		}
	}
}

// A computation that hangs does not keep later requests from starting another one.
func TestSummaries_HungComputationIsNotJoined(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	account, err := accounts.New(db, clock.System).Create(t.Context(), "Test", false)
	if err != nil {
		t.Fatal(err)
	}
	s, started, hang := newSummaries(), make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		_, err := s.get(t.Context(), db, account.ID, "key", func(context.Context) (*Summary, error) {
			close(started)
			<-hang
			return &Summary{}, nil
		})
		first <- err
	}()
	<-started
	deadline, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for found := (*Summary)(nil); found == nil; {
		ctx, cancel := context.WithTimeout(deadline, summaryJoinTime/4)
		found, err = s.get(ctx, db, account.ID, "key", func(context.Context) (*Summary, error) {
			return &Summary{}, nil
		})
		cancel()
		if deadline.Err() != nil {
			t.Fatalf("get = %v, want a summary that another computation returned", err)
		}
	}
	close(hang)
	if err := <-first; err != nil {
		t.Errorf("the computation that hung: %v", err)
	}
}

func TestSummaries_KeepsLaterState(t *testing.T) {
	t.Parallel()
	s, later := newSummaries(), &Summary{}
	s.put("key", summaryEntry{summary: later, change: 2})
	s.put("key", summaryEntry{summary: &Summary{}, change: 1})
	if got := s.entries["key"]; got.summary != later {
		t.Errorf("entry: got that of change %d, want that of change 2", got.change)
	}
}
