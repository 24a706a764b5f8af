package queue_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
	"github.com/cardvault/cardvault/internal/waiting"
)

// failure is why attempts of tests fail.
var failure = queue.Failure{Reason: waiting.Marketplace, Err: errors.New("boom")}

// row returns the row card_a of acc_a.
func row(t *testing.T, db *postgres.DB, q *queue.Queue) queue.Row {
	t.Helper()
	rows, err := q.Rows(t.Context(), db, "acc_a", "card_a", "card_missing")
	if err != nil || len(rows) != 1 {
		t.Fatalf("got %v, %v, want one row", rows, err)
	}
	return rows["card_a"]
}

// A row says why it waits, from its first claim to its end. A retry keeps the time since which it waits.
func TestQueue_Waiting(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	enqueue(t, db, q, "acc_a", "card_a")
	since := row(t, db, q).Since
	check := func(step string, reason waiting.Reason, next bool, text string) {
		t.Helper()
		got := row(t, db, q)
		w := got.Waiting()
		if w.Reason != reason || (w.NextAttemptAt != nil) != next || got.LastError != text || !w.Since.Equal(since) {
			t.Errorf("%s: got %+v of %+v, want %s since %v, a next attempt: %v, the error %q",
				step, w, got, reason, since, next, text)
		}
	}
	check("enqueued", waiting.Queued, true, "")
	first := claim(t, db, q)[0]
	check("claimed", waiting.InProgress, false, "")
	if begun := row(t, db, q).LastAttemptAt; begun == nil || begun.Before(since) {
		t.Errorf("the attempt began at %v, want a time after %v", begun, since)
	}
	if held, err := q.Retry(ctx, db, first, time.Hour, failure); err != nil || !held {
		t.Fatalf("Retry = %v, %v", held, err)
	}
	check("failed", waiting.Marketplace, true, "boom")
	if wait := time.Until(*row(t, db, q).Waiting().NextAttemptAt); wait < 50*time.Minute {
		t.Errorf("the next attempt is in %v, want an hour", wait)
	}
	queuetest.Pass(t, db, time.Hour)
	second := claim(t, db, q)[0]
	check("claimed again", waiting.Marketplace, false, "boom")
	if held, err := q.Requeue(ctx, db, second, 0); err != nil || !held {
		t.Fatalf("Requeue = %v, %v", held, err)
	}
	check("requeued", waiting.Marketplace, true, "boom")

	enqueue(t, db, q, "acc_a", "card_a")
	since = row(t, db, q).Since
	check("asked for again", waiting.Queued, true, "")
	claim(t, db, q)
	queuetest.Pass(t, db, time.Hour)
	check("the lease has expired", waiting.Interrupted, true, "")
	if held, err := q.Finish(ctx, db, claim(t, db, q)[0]); err != nil || !held {
		t.Fatalf("Finish = %v, %v", held, err)
	}
	if w, err := q.Waiting(ctx, db, "acc_a", "card_a"); err != nil || w != nil {
		t.Errorf("finished: got %+v, %v, want nil", w, err)
	}
}

// Work that repeats waits since its last success, for the reason that it gives.
func TestQueue_WaitingAfterRepeat(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	enqueue(t, db, q, "acc_a", "card_a")
	since := row(t, db, q).Since
	if _, err := q.Retry(ctx, db, claim(t, db, q)[0], 0, failure); err != nil {
		t.Fatal(err)
	}
	if _, err := q.RepeatBecause(ctx, db, claim(t, db, q)[0], 0, waiting.RevisionLimit); err != nil {
		t.Fatal(err)
	}
	got := row(t, db, q)
	if got.Reason != waiting.RevisionLimit || got.LastError != "" || got.Attempts != 0 || !got.Since.After(since) {
		t.Errorf("got %+v, want the reason, no error, and a time after %v", got, since)
	}
	if _, err := q.Repeat(ctx, db, claim(t, db, q)[0], 0); err != nil {
		t.Fatal(err)
	}
	if got := row(t, db, q).Waiting().Reason; got != waiting.Queued {
		t.Errorf("after a success without a reason: got %s, want queued", got)
	}
}

// A runner stores the reason of a failure, or service_problem, and its error.
func TestRunner_StoresFailure(t *testing.T) {
	t.Parallel()
	for name, reason := range map[string]func(error) waiting.Reason{
		"marketplace_unavailable": func(error) waiting.Reason { return waiting.Marketplace }, "service_problem": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, q := pgtest.New(t), identifications()
			runner := &queue.Runner{
				Queue: q, DB: db, Parallel: 1, Lease: time.Minute, PollInterval: time.Hour, Reason: reason,
				Backoff: func(queue.Claim, error) time.Duration { return time.Hour },
				Handle:  func(context.Context, queue.Claim) error { return errors.New("shop.example is down") },
			}
			loop := runner.Loop("errands")
			enqueue(t, db, q, "acc_a", "card_a")
			if _, err := loop.Once(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := row(t, db, q); string(got.Reason) != name || got.LastError != "shop.example is down" {
				t.Errorf("got %+v, want the reason and the error", got)
			}
		})
	}
}

// An error is stored as text that PostgreSQL takes, and not at any length.
func TestFailure_Text(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"short": "boom", "NUL": "a\x00b", "bytes": "a\xffb", "long": strings.Repeat("ä", 900), "empty": "",
	} {
		got := queue.Failure{Err: errors.New(text)}.Text()
		if len(got) > 1000 || !utf8.ValidString(got) || strings.Contains(got, "\x00") || (got == "") != (text == "") {
			t.Errorf("%s: got %d bytes %q", name, len(got), got)
		}
	}
}

// The operator's list has work that fails and work that no worker takes, of one account or of all.
func TestQueue_Stuck(t *testing.T) {
	t.Parallel()
	db, q, ctx := pgtest.New(t), identifications(), t.Context()
	enqueue(t, db, q, "acc_a", "card_a")
	if _, err := q.Retry(ctx, db, claim(t, db, q)[0], time.Hour, failure); err != nil {
		t.Fatal(err)
	}
	enqueue(t, db, q, "acc_b", "card_old")
	_, err := db.Exec(ctx, `
		UPDATE identifications SET due_at = now() - interval '2 minutes' WHERE card_id = 'card_old'`)
	if err != nil {
		t.Fatal(err)
	}
	enqueue(t, db, q, "acc_b", "card_new")
	keys := func(account string, limit int) (keys []string) {
		rows, err := q.Stuck(ctx, db, account, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			keys = append(keys, row.Key)
		}
		return keys
	}
	got := map[string][]string{
		"all": keys("", 10), "first": keys("", 1), "acc_b": keys("acc_b", 10), "acc_c": keys("acc_c", 10),
	}
	want := map[string][]string{"all": {"card_a", "card_old"}, "first": {"card_a"}, "acc_b": {"card_old"}, "acc_c": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("work that is stuck (-want +got):\n%s", diff)
	}
}
