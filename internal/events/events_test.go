package events_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/timestamp"
)

var (
	at   = time.Date(2026, 5, 11, 15, 32, 1, 120_000_000, time.UTC)
	card = events.Card{CardID: "card_1", Title: "Ember Fox", Set: "Dawn", Number: "54/167"}
	usd  = money.Money{Amount: 1250, Currency: "USD"}
)

// Parts of events in JSON.
const (
	four    = `"card_id":"card_1","title":"Ember Fox","set":"Dawn","number":"54/167"`
	listing = `"listing_id":"lst_1","marketplace":"ebay","external_id":"7"`
	price   = `{"amount":1250,"currency":"USD"}`
)

func TestData_JSON(t *testing.T) {
	t.Parallel()
	when := timestamp.Of(at)
	for kind, tc := range map[events.Kind]struct {
		data events.Data
		want string
	}{
		"card.identified": {events.CardIdentified{Card: card}, `{` + four + `}`},
		"card.priced": {
			events.CardPriced{Card: card, AskingPrice: usd},
			`{` + four + `,"asking_price":` + price + `}`,
		},
		"card.workflow_status_changed": {
			events.CardWorkflowStatusChanged{Card: card, PreviousStatus: "imported", Status: "identified"},
			`{` + four + `,"previous_status":"imported","status":"identified"}`,
		},
		"listing.published": {
			events.ListingPublished{
				Card: card, ListingID: "lst_1", Marketplace: "ebay", ExternalID: "7", URL: "https://x", Price: usd,
			},
			`{` + four + `,` + listing + `,"url":"https://x","price":` + price + `}`,
		},
		"listing.sold": {
			events.ListingSold{
				Card: card, ListingID: "lst_1", Marketplace: "ebay", ExternalID: "7", SoldPrice: usd, SoldAt: when,
			},
			`{` + four + `,` + listing + `,"sold_price":` + price + `,"sold_at":"2026-05-11T15:32:01.120000Z"}`,
		},
		"listing.ended": {
			events.ListingEnded{
				Card: card, ListingID: "lst_1", Marketplace: "ebay", ExternalID: "7", EndReason: "x", EndedAt: when,
			},
			`{` + four + `,` + listing + `,"end_reason":"x","ended_at":"2026-05-11T15:32:01.120000Z"}`,
		},
		"batch.completed": {
			events.BatchCompleted{BatchID: "bat_1", Name: "Fair", CardCount: 3, CompletedAt: when},
			`{"batch_id":"bat_1","name":"Fair","card_count":3,"completed_at":"2026-05-11T15:32:01.120000Z"}`,
		},
		"identify.failed": {
			events.IdentifyFailed{
				Card:     events.Card{CardID: "card_1"},
				Attempts: []events.IdentifyAttempt{{Provider: "ocr", Outcome: "no_match"}},
			},
			`{"card_id":"card_1","title":"","set":"","number":"",` +
				`"attempts":[{"provider":"ocr","outcome":"no_match","message":""}]}`,
		},
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			got, err := json.Marshal(tc.data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("JSON (-want +got):\n%s", diff)
			}
			if tc.data.Kind() != kind || !slices.Contains(events.Kinds, kind) {
				t.Errorf("Kind: got %s, want %s, which Kinds must contain", tc.data.Kind(), kind)
			}
		})
	}
}

// outbox records the events that it gets.
type outbox struct {
	enqueued [][]events.Event
	wanted   []events.Kind
}

func (o *outbox) Enqueue(_ context.Context, _ *postgres.Tx, _ clock.Stamp, recorded []events.Event) error {
	o.enqueued = append(o.enqueued, recorded)
	return nil
}

func (o *outbox) Wants(_ context.Context, _ *postgres.Tx, _ clock.Stamp, kind events.Kind) (bool, error) {
	return slices.Contains(o.wanted, kind), nil
}

// world is an account with a Recorder and a Reader.
type world struct {
	t       *testing.T
	db      *postgres.DB
	out     outbox
	reader  *events.Reader
	account string
}

func newWorld(t *testing.T, endpoints int) *world {
	t.Helper()
	db, ctx := pgtest.New(t), t.Context()
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, db: db, reader: events.NewReader(db, cursors), account: id.New(id.Account, at)}
	err = db.InTx(ctx, func(tx *postgres.Tx) error { return clock.System.Create(ctx, tx, w.account) })
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec(ctx, `UPDATE account_clock SET endpoints = $2 WHERE account_id = $1`, w.account, endpoints)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// record records the data in one transaction, which then returns the error then.
func (w *world) record(then error, data ...events.Data) error {
	return clock.System.Write(w.t.Context(), w.db, w.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		return errors.Join(events.NewRecorder(&w.out).Record(w.t.Context(), tx, stamp, data...), then)
	})
}

func (w *world) list(f events.Filter, p paging.Request) paging.Page[json.RawMessage] {
	w.t.Helper()
	found, err := w.reader.List(w.t.Context(), w.account, f, p)
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

func TestReader_ReturnsRecordedBytes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 1)
	card := card
	card.Title = "Salt & <Pepper>"
	err := w.record(nil, events.CardIdentified{Card: card}, events.CardPriced{Card: card, AskingPrice: usd})
	if err != nil {
		t.Fatal(err)
	}
	enqueued := w.out.enqueued[0]
	if len(w.out.enqueued) != 1 || len(enqueued) != 2 || enqueued[0].ID >= enqueued[1].ID {
		t.Fatalf("enqueued %+v, want two events in order", w.out.enqueued)
	}
	body, last := enqueued[0].Body, -1
	for _, field := range []string{
		`{"id":"` + enqueued[0].ID, `"event":"card.identified"`, `"created_at":"`, `"account_id":"` + w.account,
		`"data":{`, `Salt & <Pepper>`,
	} {
		at := strings.Index(body, field)
		if at <= last {
			t.Errorf("envelope lacks %s or has it in another place: %s", field, body)
		}
		last = at
	}
	read, err := w.reader.Get(t.Context(), w.account, strings.ToUpper(enqueued[0].ID))
	if err != nil || string(read) != body {
		t.Errorf("Get = %s, %v, want the recorded bytes", read, err)
	}
	since := time.Now().Add(-time.Hour)
	oldestFirst := w.list(events.Filter{CreatedSince: &since}, paging.Request{})
	if len(oldestFirst.Data) != 2 || string(oldestFirst.Data[0]) != body {
		t.Errorf("oldest first: %s", oldestFirst.Data)
	}
	priced := w.list(events.Filter{Kinds: []events.Kind{events.KindCardPriced}}, paging.Request{})
	if len(priced.Data) != 1 || string(priced.Data[0]) != enqueued[1].Body {
		t.Errorf("by kind: %s", priced.Data)
	}
}

func TestRecorder_WritesInTransaction(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	boom := errors.New("boom")
	if err := w.record(boom, events.CardIdentified{Card: card}); !errors.Is(err, boom) {
		t.Fatal(err)
	}
	if left := w.list(events.Filter{}, paging.Request{}); len(left.Data) != 0 {
		t.Errorf("events after a rollback: %s, want none", left.Data)
	}
	if err := w.record(nil, events.CardIdentified{Card: card}); err != nil {
		t.Fatal(err)
	}
	if len(w.out.enqueued) != 0 {
		t.Error("the outbox got an event of an account without endpoints")
	}
	if err := w.record(nil); err != nil || len(w.list(events.Filter{}, paging.Request{}).Data) != 1 {
		t.Errorf("recording no events: %v", err)
	}
}

// card.updated and listing.updated are recorded only for endpoints that name them.
func TestRecorder_RecordsUpdatesOnDemand(t *testing.T) {
	t.Parallel()
	updated := events.CardUpdated{CardID: "card_1", Version: 2, Changed: []string{"notes"}}
	revised := events.ListingUpdated{Card: card}
	for name, c := range map[string]struct {
		endpoints int
		wanted    []events.Kind
		want      int
	}{
		"no endpoint":                 {0, nil, 1},
		"endpoints of other kinds":    {1, events.DefaultKinds, 1},
		"an endpoint that names one":  {1, []events.Kind{events.KindCardUpdated}, 2},
		"an endpoint that names both": {1, []events.Kind{events.KindListingUpdated, events.KindCardUpdated}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.endpoints)
			w.out.wanted = c.wanted
			if err := w.record(nil, events.CardIdentified{Card: card}, updated, revised); err != nil {
				t.Fatal(err)
			}
			if got := w.list(events.Filter{}, paging.Request{}); len(got.Data) != c.want {
				t.Errorf("%d events, want %d: %s", len(got.Data), c.want, got.Data)
			}
		})
	}
}

func TestReader_ListsPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 0)
	for range 3 {
		if err := w.record(nil, events.CardIdentified{Card: card}, events.CardIdentified{Card: card}); err != nil {
			t.Fatal(err)
		}
	}
	seen, request := 0, paging.Request{Limit: 4}
	for {
		found := w.list(events.Filter{}, request)
		seen += len(found.Data)
		if found.NextCursor == nil {
			break
		}
		request.Cursor = *found.NextCursor
	}
	if seen != 6 {
		t.Errorf("pages have %d events, want 6", seen)
	}
	for _, unknown := range []string{"evt_x", id.New(id.Event, time.Now())} {
		if _, err := w.reader.Get(t.Context(), w.account, unknown); !fault.Is(err, fault.EventNotFound) {
			t.Errorf("Get(%s) = %v, want event_not_found", unknown, err)
		}
	}
	_, err := w.reader.List(t.Context(), "acc_other", events.Filter{}, request)
	if !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("List with another account's cursor = %v, want invalid_cursor", err)
	}
}
