package listings

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
	"github.com/cardvault/cardvault/internal/sales"
	"github.com/cardvault/cardvault/internal/sandboxmarket/markettest"
	"github.com/cardvault/cardvault/internal/worker"
)

// shop is an account with the real services, the sandbox marketplace, and a clock that the test controls.
type shop struct {
	*Service
	t       *testing.T
	db      *postgres.DB
	cards   *cards.Service
	account string
	worker  *Worker
	gate    gate   // in front of the sandbox marketplace
	market  string // the sandbox marketplace's address
	ahead   *atomic.Int64
	// moved is signalled whenever a new state of a listing is committed.
	moved *sync.Cond
	// hook, if set, intercepts marketplace calls. call is "publish", "revise", "end", "status" or "sales", with
	// " many" for several listings; next makes the call.
	hook atomic.Pointer[func(call string, next func() error) error]
}

func setup(t *testing.T) *shop {
	t.Helper()
	s := &shop{t: t, db: pgtest.New(t), ahead: new(atomic.Int64), moved: sync.NewCond(new(sync.Mutex))}
	c := clock.Clock{Now: func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }}
	server := httptest.NewServer(s.gate.before(markettest.On(t, s.db)))
	t.Cleanup(server.Close)
	s.market = server.URL

	account, err := accounts.New(s.db, c).Create(t.Context(), "Ada's cards", true)
	if err != nil {
		t.Fatal(err)
	}
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(outbox{})
	s.account = account.ID
	s.cards = cards.New(s.db, c, cursors, recorder, batches.New(s.db, c, cursors, recorder), cards.NewQueues())
	reviser := NewReviser()
	s.cards.UseListings(reviser)
	s.Service = New(s.db, c, cursors, inventory{s.cards, s.moved}, Config{
		Markets: map[string]Market{"ebay": {Seller: s.seller}}, Default: "ebay",
		Sandbox: sandbox.Name,
		Sales:   sales.NewRecorder(recorder, s.cards),
		Reviser: reviser,
		ImageURLs: func(card cards.Card, _ time.Time) []string {
			return []string{"https://photos.example/" + card.Photos[0].ID}
		},
		PollInterval: 10 * time.Millisecond, StatusInterval: 10 * time.Millisecond,
	})
	s.sell(s.seller)
	s.worker = NewWorker(s.Service)
	return s
}

// maxRevisions is how often the sandbox marketplace revises a listing in a day.
const maxRevisions = wire.MaxRevisions

// sell makes the sandbox marketplace one with this access of accounts, and without bulk calls.
func (s *shop) sell(seller func(account string) marketplaces.Marketplace) {
	s.cfg.Markets[sandbox.Name] = Market{
		Seller: seller, Limits: marketplaces.Limits{RevisionsPerDay: maxRevisions},
	}
}

// pass advances the clocks of the service and the queues.
func (s *shop) pass(d time.Duration) {
	s.t.Helper()
	s.ahead.Add(int64(d))
	queuetest.Pass(s.t, s.db, d)
}

// card creates a card that can be published.
func (s *shop) card() cards.Card {
	s.t.Helper()
	ctx := s.t.Context()
	created, err := s.cards.Create(ctx, s.account, []cards.Draft{{Patch: cards.Patch{
		Title: cards.Set("Ember Fox"), Set: cards.Set("Dawn of Cinders"), Number: cards.Set("54/167"),
		Condition: cards.Set("NM"), Game: cards.Set("other"),
		AskingPrice: cards.Set(money.Money{Amount: 1250, Currency: "USD"}),
	}}}, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	photo := cards.Photo{
		ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady, ContentType: "image/jpeg",
		Width: 600, Height: 800,
	}
	card, _, err := s.cards.PutPhoto(ctx, s.account, created[0].ID, photo)
	if err != nil {
		s.t.Fatal(err)
	}
	return card
}

// publish requests to publish a new card.
func (s *shop) publish() Listing {
	s.t.Helper()
	l, err := s.Publish(s.t.Context(), s.account, s.card().ID, PublishInput{}, true, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return l
}

// live publishes a new card.
func (s *shop) live() Listing {
	s.t.Helper()
	return s.processed(s.publish(), Live)
}

// processDue makes the worker process all due work.
func (s *shop) processDue() {
	s.t.Helper()
	s.drain(func(w *Worker) *worker.Periodic { return w.requests })
}

// poll makes the worker poll for sales.
func (s *shop) poll() {
	s.t.Helper()
	s.pass(time.Second)
	s.drain(func(w *Worker) *worker.Periodic { return w.salesReports })
}

// drain processes all due work with a separate worker, so a hook can call it while another worker runs.
func (s *shop) drain(loop func(*Worker) *worker.Periodic) {
	s.t.Helper()
	once := loop(NewWorker(s.Service)).Once
	for more := true; more; {
		var err error
		if more, err = once(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// die makes a worker claim the due work in q and die after the marketplace responds, before it stores
// the result. Its claim is valid until the lease expires.
func (s *shop) die(q *queue.Queue, handle func(context.Context, queue.Claim) error) {
	s.t.Helper()
	ctx, kill := context.WithCancel(s.t.Context())
	s.setHook(func(_ string, next func() error) error { defer kill(); return next() })
	claims, err := q.Claim(ctx, s.db, s.account, 1, lease)
	if err != nil || len(claims) != 1 {
		s.t.Fatal(claims, err)
	}
	if err := handle(ctx, claims[0]); !errors.Is(err, context.Canceled) || ctx.Err() == nil {
		s.t.Fatalf("the worker ended with %v", err)
	}
	s.hook.Store(nil)
}

// processed makes the worker process all due work and checks the listing and its card.
func (s *shop) processed(l Listing, want Status) Listing {
	s.t.Helper()
	s.processDue()
	return s.want(l, want)
}

// want checks the listing and its card.
func (s *shop) want(l Listing, want Status) Listing {
	s.t.Helper()
	l, err := s.Get(s.t.Context(), s.account, l.ID)
	if err != nil || l.Status != want {
		s.t.Fatalf("listing: got %+v, %v, want it %s", l, err, want)
	}
	card := s.cardOf(l)
	if ref := l.ref(); (ref == nil) != (card.Listing == nil) || ref != nil && *ref != *card.Listing {
		s.t.Fatalf("the listing is %s, but its card refers to %+v", want, card.Listing)
	}
	status := map[Status]cards.Status{
		Publishing: cards.Priced, Live: cards.Listed, Ending: cards.Listed,
		Sold: cards.Sold, Ended: cards.Priced, Failed: cards.Priced,
	}[want]
	if card.Status != status {
		s.t.Fatalf("card of a listing that is %s: got %s, want %s", want, card.Status, status)
	}
	return l
}

// cardOf returns the card of the listing.
func (s *shop) cardOf(l Listing) cards.Card {
	s.t.Helper()
	card, err := s.cards.Get(s.t.Context(), s.account, l.CardID)
	if err != nil {
		s.t.Fatal(err)
	}
	return card
}

// wantEvents checks the events of a card since it got its photo, in order, as "event" or
// "previous_status→status", without those of sales.
func (s *shop) wantEvents(cardID string, want ...string) []map[string]any {
	s.t.Helper()
	var bodies []string
	err := s.db.Select(s.t.Context(), &bodies,
		`SELECT body FROM events WHERE account_id = $1 ORDER BY created_at, id`, s.account)
	if err != nil {
		s.t.Fatal(err)
	}
	var got []string
	var data []map[string]any
	for _, body := range bodies {
		var e struct {
			Event string         `json:"event"`
			Data  map[string]any `json:"data"`
		}
		if err := json.Unmarshal([]byte(body), &e); err != nil {
			s.t.Fatal(err)
		}
		if e.Data["card_id"] != cardID || strings.HasPrefix(e.Event, "sale.") {
			continue
		}
		name := e.Event
		if status, ok := e.Data["status"].(string); ok {
			name = e.Data["previous_status"].(string) + "→" + status
		}
		got, data = append(got, name), append(data, e.Data)
	}
	const before = 4 // identified, priced, imported→identified, identified→priced
	if diff := cmp.Diff(want, got[min(len(got), before):], cmpopts.EquateEmpty()); diff != "" {
		s.t.Fatalf("events %v, after the first %d (-want +got):\n%s", got, before, diff)
	}
	return data[before:]
}

// waiting returns the number of rows in the work table.
func (s *shop) waiting() (n int) {
	s.t.Helper()
	if err := s.db.Get(s.t.Context(), &n, `SELECT count(*) FROM listing_work`); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// inventory is a Cards that signals the test when a listing's new state is committed.
type inventory struct {
	*cards.Service
	moved *sync.Cond
}

func (i inventory) UpdateListing(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string, ref *cards.ListingRef,
	listingEvents func(*cards.Card) []events.Data,
) (cards.Card, error) {
	tx.AfterCommit(func() {
		i.moved.L.Lock()
		defer i.moved.L.Unlock()
		i.moved.Broadcast()
	})
	return i.Service.UpdateListing(ctx, tx, stamp, cardID, ref, listingEvents)
}

// outbox is an outbox that sends nothing, with an endpoint that names listing.updated.
type outbox struct{}

func (outbox) Enqueue(context.Context, *postgres.Tx, clock.Stamp, []events.Event) error { return nil }

func (outbox) Wants(_ context.Context, _ *postgres.Tx, _ clock.Stamp, kind events.Kind) (bool, error) {
	return kind == events.KindListingUpdated, nil
}

// subscribe gives the account the endpoint of outbox.
func (s *shop) subscribe() {
	s.t.Helper()
	if _, err := s.db.Exec(s.t.Context(),
		`UPDATE account_clock SET endpoints = 1 WHERE account_id = $1`, s.account); err != nil {
		s.t.Fatal(err)
	}
}

// await waits until the listing has the status or the test times out.
func (s *shop) await(l Listing, want Status) {
	s.moved.L.Lock()
	defer s.moved.L.Unlock()
	for {
		got, err := s.Get(s.t.Context(), s.account, l.ID)
		if err != nil {
			s.t.Error(err)
			return
		}
		if got.Status == want {
			return
		}
		s.moved.Wait()
	}
}
