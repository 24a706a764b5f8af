package identify_test

import (
	"context"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/worker"
)

// world is an account with cards and a chain whose only provider is controlled by the test.
type world struct {
	t        *testing.T
	db       *postgres.DB
	accounts *accounts.Service
	cards    *cards.Service
	queues   cards.Queues
	slots    *identify.Slots // for two photos
	events   *events.Reader
	service  *identify.Service
	account  string
	asked    chan catalog.Hints        // of each photo
	search   func(ctx context.Context) // may be nil
	answer   chan answer
}

type answer struct {
	candidates []identify.Candidate
	err        error
}

// Name implements identify.Provider.
func (w *world) Name() string { return "played" }

// Identify implements identify.Provider. It passes the photo's hints to the test and waits for its answer.
func (w *world) Identify(ctx context.Context, photo identify.Photo) ([]identify.Candidate, error) {
	if w.search != nil {
		w.search(ctx)
	}
	w.asked <- photo.Hints
	select {
	case a := <-w.answer:
		return a.candidates, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Load implements identify.Photos.
func (w *world) Load(context.Context, string, cards.Photo) ([]byte, error) { return []byte("x"), nil }

// Fetch implements identify.Photos.
func (w *world) Fetch(context.Context, string, string) ([]byte, string, error) {
	return []byte("x"), "image/jpeg", nil
}

func newWorld(t *testing.T) *world {
	t.Helper()
	db, c := pgtest.New(t), clock.System
	w := &world{t: t, db: db, asked: make(chan catalog.Hints), answer: make(chan answer)}
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil)
	w.queues = cards.NewQueues()
	w.cards = cards.New(db, c, cursors, recorder, batches.New(db, c, cursors, recorder), w.queues)
	w.accounts = accounts.New(db, c)
	account, err := w.accounts.Create(t.Context(), "Test", false)
	if err != nil {
		t.Fatal(err)
	}
	w.account = account.ID
	w.slots, w.events = identify.NewSlots(2), events.NewReader(db, cursors)
	chain := identify.Chain{
		Threshold: 0.85, Timeout: time.Minute, Providers: []identify.Provider{w}, Wait: time.Nanosecond,
		Requests: identify.Resources{Slots: w.slots}, Background: identify.Resources{Slots: w.slots},
	}
	w.service = identify.New(db, c, chain, chain, w.accounts, w.cards, w, w.queues.Identifications)
	return w
}

// waiting creates a card that waits for identification.
func (w *world) waiting() cards.Card {
	w.t.Helper()
	created, err := w.cards.Create(w.t.Context(), w.account, make([]cards.Draft, 1), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.photographed(created[0].ID)
}

// photographed adds a photo of the front to a card.
func (w *world) photographed(cardID string) cards.Card {
	w.t.Helper()
	photo := cards.Photo{
		ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady, ContentType: "image/jpeg",
	}
	card, _, err := w.cards.PutPhoto(w.t.Context(), w.account, cardID, photo)
	if err != nil {
		w.t.Fatal(err)
	}
	return card
}

func (w *world) archive(cardID string, archived bool) cards.Card {
	w.t.Helper()
	card, err := w.cards.Update(w.t.Context(), w.account, cardID, cards.Patch{Archived: &archived}, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return card
}

// photo identifies the card on a photo at a URL.
func (w *world) photo() error {
	w.t.Helper()
	_, err := w.service.Photo(w.t.Context(), w.account, "https://example.com/photo.jpg", catalog.Hints{})
	return err
}

// run starts a worker. The returned function stops it after its current work.
func (w *world) run() (stop func()) {
	w.t.Helper()
	loop := w.service.Background(1)
	if err := loop.Start(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
	return func() {
		w.t.Helper()
		if err := loop.Stop(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
	}
}

// once makes a worker process the due work.
func (w *world) once() {
	w.t.Helper()
	if _, err := w.service.Background(1).(*worker.Periodic).Once(w.t.Context()); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) get(cardID string) cards.Card {
	w.t.Helper()
	card, err := w.cards.Get(w.t.Context(), w.account, cardID)
	if err != nil {
		w.t.Fatal(err)
	}
	return card
}

// recorded returns the account's events, oldest first.
func (w *world) recorded() []string {
	w.t.Helper()
	since := time.Unix(0, 0)
	filter := events.Filter{CreatedSince: &since}
	found, err := w.events.List(w.t.Context(), w.account, filter, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		w.t.Fatal(err)
	}
	var list []string
	for _, body := range found.Data {
		list = append(list, string(body))
	}
	return list
}

var sure = answer{candidates: []identify.Candidate{{Title: "Ember Fox", Number: "54/167", Confidence: 0.97}}}
