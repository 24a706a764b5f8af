package queue_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
)

// byPrefix makes groups of at most size rows whose keys have the same part before "_".
func byPrefix(size int) func(context.Context, string, []queue.Due) ([][]string, error) {
	return func(_ context.Context, _ string, due []queue.Due) (groups [][]string, err error) {
		for _, d := range due {
			prefix, _, _ := strings.Cut(d.Key, "_")
			i := slices.IndexFunc(groups, func(g []string) bool {
				return len(g) < size && strings.HasPrefix(g[0], prefix+"_")
			})
			if i < 0 {
				groups = append(groups, []string{d.Key})
				continue
			}
			groups[i] = append(groups[i], d.Key)
		}
		return groups, nil
	}
}

func TestRunner_HandlesGroups(t *testing.T) {
	t.Parallel()
	db, q := pgtest.New(t), identifications()
	handled := make(chan []string, 10)
	failing := errors.New("boom")
	runner := &queue.Runner{
		Queue: q, DB: db, Parallel: 8, Lease: time.Minute, PollInterval: time.Hour,
		Handle: func(ctx context.Context, c queue.Claim) error {
			handled <- []string{c.Key}
			_, err := q.Finish(ctx, db, c)
			return err
		},
		Groups: &queue.Groups{Size: 3, Split: byPrefix(3),
			Handle: func(ctx context.Context, claims []queue.Claim) []error {
				var keys []string
				errs := make([]error, len(claims))
				for i, c := range claims {
					keys = append(keys, c.Key)
					if c.Key == "a_2" {
						errs[i] = failing
					} else if _, errs[i] = q.Finish(ctx, db, c); c.AccountID != "acc_a" {
						panic("lost")
					}
				}
				slices.Sort(keys)
				handled <- keys
				return errs
			}},
		Backoff: func(queue.Claim, error) time.Duration { return 0 },
	}
	for _, key := range []string{"a_1", "b_1", "a_2", "c_1", "a_3", "a_4"} {
		enqueue(t, db, q, "acc_a", key)
	}
	enqueue(t, db, q, "acc_b", "a_1", "a_2")
	loop := runner.Loop("groups")
	if _, err := loop.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	close(handled)
	var got []string
	for keys := range handled {
		got = append(got, strings.Join(keys, " "))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"a_1 a_2 a_3", "a_4", "b_1", "c_1"}, got); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	// The claim that failed is due again. So are those of the group whose handler panicked, except the one that it
	// finished.
	for account, want := range map[string][]string{"acc_a": {"a_2"}, "acc_b": {"a_2"}} {
		due, err := q.Due(t.Context(), db, account, 10)
		var keys []string
		for _, d := range due {
			if keys = append(keys, d.Key); d.Attempts != 1 {
				t.Errorf("%s %s: %d attempts, want 1", account, d.Key, d.Attempts)
			}
		}
		if diff := cmp.Diff(want, keys); err != nil || diff != "" {
			t.Errorf("due rows of %s (-want +got), %v:\n%s", account, err, diff)
		}
	}
}

func TestQueue_ClaimKeys(t *testing.T) {
	t.Parallel()
	db, q := pgtest.New(t), identifications()
	enqueue(t, db, q, "acc_a", "card_1", "card_2", "card_3")
	keys := func(claims []queue.Claim) (keys []string) {
		for _, c := range claims {
			keys = append(keys, c.Key)
		}
		slices.Sort(keys)
		return keys
	}
	claims, err := q.ClaimKeys(t.Context(), db, "acc_a", []string{"card_3", "card_1", "card_4"}, time.Minute)
	if diff := cmp.Diff([]string{"card_1", "card_3"}, keys(claims)); err != nil || diff != "" {
		t.Fatalf("ClaimKeys (-want +got), %v:\n%s", err, diff)
	}
	claims, err = q.ClaimKeys(t.Context(), db, "acc_a", []string{"card_3", "card_2"}, time.Minute)
	if diff := cmp.Diff([]string{"card_2"}, keys(claims)); err != nil || diff != "" {
		t.Fatalf("ClaimKeys of a claimed row (-want +got), %v:\n%s", err, diff)
	}
}
