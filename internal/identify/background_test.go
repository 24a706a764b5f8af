package identify_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
	"github.com/cardvault/cardvault/internal/waiting"
)

func TestBackground_IdentifiesWaitingCardOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.waiting()
	stop := w.run()
	<-w.asked
	w.answer <- sure
	stop()
	got := w.get(card.ID)
	if got.Status != cards.Identified || *got.Identification.Provider != "played" ||
		*got.Identification.Number != "54/167" {
		t.Fatalf("got %+v, want the card identified as 54/167", got)
	}
	select {
	case <-w.asked:
		t.Fatal("the provider was asked twice")
	default:
	}
}

func TestBackground_KeepsConcurrentManualIdentification(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.waiting()
	stop := w.run()
	<-w.asked
	_, err := w.cards.Update(t.Context(), w.account, card.ID, cards.Patch{Title: cards.Set("My own")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.answer <- sure
	stop()
	got := w.get(card.ID).Identification
	if *got.Title != "My own" || *got.Source != cards.SourceManual {
		t.Fatalf("got %+v, want the manual identification", got)
	}
}

// A worker loses its claim during a provider call. The next one identifies the card, and the late result
// changes nothing.
func TestBackground_ReclaimsCardOfCrashedWorker(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.waiting()
	stopFirst := w.run()
	<-w.asked
	queuetest.Pass(t, w.db, time.Hour) // the lease expires
	stopSecond := w.run()
	<-w.asked
	w.answer <- sure // both workers get the same answer, in any order
	w.answer <- sure
	stopFirst()
	stopSecond()
	got := w.get(card.ID)
	if got.Status != cards.Identified || got.Version != card.Version+1 {
		t.Fatalf("got %s in version %d, want the card identified once, in version %d",
			got.Status, got.Version, card.Version+1)
	}
}

// A provider that fails is asked again before the identification fails.
func TestBackground_RetriesAfterOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.waiting()
	for attempt := range 3 {
		stop := w.run()
		<-w.asked
		w.answer <- answer{err: errors.New("away")}
		stop()
		got := w.get(card.ID)
		if failed := got.Status == cards.NeedsReview; failed != (attempt == 2) {
			t.Fatalf("status after attempt %d: got %s, want needs_review only after the third", attempt+1, got.Status)
		}
		waits, err := w.cards.Waiting(t.Context(), w.account, card.ID)
		unavailable := waits.Identification != nil && waits.Identification.Reason == waiting.Identification
		if err != nil || unavailable != (attempt < 2) {
			t.Errorf("after attempt %d: the card waits for %+v, %v", attempt+1, waits.Identification, err)
		}
		queuetest.Pass(t, w.db, time.Hour)
	}
}

// A photo that no provider can process is invalid: a retry would not help.
func TestBackground_FailsOnUnreadablePhoto(t *testing.T) {
	t.Parallel()
	tooLarge := fmt.Errorf("played: %w", vision.ErrTooLarge)
	for name, tc := range map[string]struct {
		err  error
		want fault.Code
	}{
		"too large": {tooLarge, fault.PhotoInvalid},
		"outage":    {errors.New("away"), fault.UpstreamError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			go func() { <-w.asked; w.answer <- answer{err: tc.err} }()
			if err := w.photo(); !fault.Is(err, tc.want) {
				t.Errorf("Photo = %v, want %s", err, tc.want)
			}
		})
	}
	t.Run("in the background", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		card := w.waiting()
		stop := w.run()
		<-w.asked
		w.answer <- answer{err: tooLarge}
		stop()
		if got := w.get(card.ID); got.Status != cards.NeedsReview {
			t.Errorf("status: got %s, want needs_review", got.Status)
		}
	})
}

// The clock of one account stays locked. The cards of other accounts are identified.
func TestBackground_LockedAccountDelaysNoOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	locked := w.waiting()
	blocker, err := w.db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer blocker.Rollback()
	if _, err := blocker.Exec(`SELECT FROM account_clock WHERE account_id = $1 FOR UPDATE`, w.account); err != nil {
		t.Fatal(err)
	}
	other, err := accounts.New(w.db, clock.System).Create(t.Context(), "Other", false)
	if err != nil {
		t.Fatal(err)
	}
	w.account = other.ID
	stop := w.run()
	<-w.asked
	w.answer <- sure // for the first card, whose result cannot be stored
	free := w.waiting()
	select {
	case <-w.asked:
		w.answer <- sure
	case <-time.After(time.Minute):
		t.Fatal("the worker still waits for the locked account")
	}
	stop()
	if got := w.get(free.ID); got.Status != cards.Identified {
		t.Errorf("status of the other account's card: got %s, want identified", got.Status)
	}
	if err := blocker.Rollback(); err != nil {
		t.Fatal(err)
	}
	got, err := w.cards.Get(t.Context(), locked.AccountID, locked.ID)
	if err != nil || got.Status == cards.Identified {
		t.Errorf("status of the locked account's card: got %s, %v, want it not identified", got.Status, err)
	}
}

// A card that gets no slot is not changed, and this does not count as an attempt.
func TestBackground_RetriesWhenBusy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.waiting()
	free := w.slots.TakeAll(w.t.Context())
	if free == nil {
		t.Fatal("no slot is free")
	}
	for range 4 {
		w.once()
		queuetest.Pass(t, w.db, time.Minute)
	}
	if _, _, err := w.service.Card(t.Context(), w.account, card.ID, nil, nil); !errors.Is(err, identify.ErrBusy) {
		t.Fatalf("Card = %v, want ErrBusy", err)
	}
	if err := w.photo(); !errors.Is(err, identify.ErrBusy) {
		t.Fatalf("Photo = %v, want ErrBusy", err)
	}
	if got := w.get(card.ID); got.Version != card.Version {
		t.Fatalf("the card changed to %+v", got)
	}
	free()
	for range 2 { // of the three attempts that an outage has
		stop := w.run()
		<-w.asked
		w.answer <- answer{err: errors.New("away")}
		stop()
		queuetest.Pass(t, w.db, time.Hour)
	}
	if got := w.get(card.ID); got.Version != card.Version || len(w.recorded()) != 0 {
		t.Fatalf("the card changed to %+v, events %v", got, w.recorded())
	}
}

func TestIdentify_RequestCompletesQueuedWork(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.waiting()
	go func() { <-w.asked; w.answer <- sure }()
	outcome, got, err := w.service.Card(t.Context(), w.account, card.ID, nil, nil)
	if err != nil || outcome.Accepted == nil || got.Status != cards.Identified {
		t.Fatalf("Card = %+v, %+v, %v, want the card identified", outcome, got, err)
	}
	w.once()
	select {
	case <-w.asked:
		t.Fatal("the provider was asked again in the background")
	default:
	}
}

// TestService_Progress counts the cards that wait, of this account only, and those that were identified lately.
func TestService_Progress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 3 {
		w.waiting()
	}
	exec := func(statement string, args ...any) {
		t.Helper()
		if _, err := w.db.Exec(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	const done = `INSERT INTO card_candidates (account_id, card_id, at, candidates)
		SELECT $1, 'card_' || $2 || n, now() - $3 * interval '1 second', '[]' FROM generate_series(1, $4) n`
	exec(done, w.account, "a", 60, 6)
	exec(done, w.account, "b", 180, 50) // too long ago
	exec(done, "acc_other", "c", 60, 50)
	got, err := w.service.Progress(t.Context(), w.account)
	if err != nil || got != (identify.Progress{Waiting: 3, Left: time.Minute}) {
		t.Errorf("Progress: got %+v, %v, want 3 cards and a minute", got, err)
	}
}
