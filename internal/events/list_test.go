package events_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// A page examines a limited number of events, so with a rare kind it may be empty, and the next one continues.
func TestReader_ListLimitsScan(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	_, err := db.Exec(ctx, `
		INSERT INTO events (account_id, created_at, id, event, body)
		SELECT 'acc_a', timestamptz '2026-05-11' + n * interval '1 second', 'evt_' || lpad(n::text, 26, '0'),
			CASE WHEN n = 1 THEN 'batch.completed' ELSE 'card.priced' END, '{}'
		FROM generate_series(1, $1::int) AS n`, 2*paging.MaxScan+1)
	if err != nil {
		t.Fatal(err)
	}
	cursors, err := paging.NewCursors(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	reader, request := events.NewReader(db, cursors), paging.Request{}
	for _, want := range []int{0, 0, 1} {
		found, err := reader.List(ctx, "acc_a", events.Filter{Kinds: []events.Kind{"batch.completed"}}, request)
		if err != nil {
			t.Fatal(err)
		}
		if more := want == 0; len(found.Data) != want || (found.NextCursor != nil) != more {
			t.Fatalf("page has %d events, another follows: %v, want %d, %v",
				len(found.Data), found.NextCursor != nil, want, more)
		}
		if found.NextCursor != nil {
			request.Cursor = *found.NextCursor
		}
	}
}

// A text of a card that looks like another card's field does not match.
func TestReader_ListByCard(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	account, err := accounts.New(db, clock.System).Create(ctx, "Ada's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	wanted, other := id.New(id.Card, at), id.New(id.Card, at)
	err = clock.System.Write(ctx, db, account.ID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		return events.NewRecorder(nil).Record(ctx, tx, stamp,
			events.CardIdentified{Card: events.Card{CardID: wanted, Title: "Ember Fox"}},
			events.CardIdentified{Card: events.Card{CardID: other, Title: `"card_id":"` + wanted + `"`}},
			events.BatchCompleted{BatchID: "bat_a", Name: `","card_id":"` + wanted},
			events.CardDeleted{Card: events.Card{CardID: wanted}})
	})
	if err != nil {
		t.Fatal(err)
	}
	cursors, err := paging.NewCursors(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	list := func(f events.Filter) (kinds []string, err error) {
		found, err := events.NewReader(db, cursors).List(ctx, account.ID, f, paging.Request{})
		for _, body := range found.Data {
			var e struct{ Event string }
			if err := json.Unmarshal(body, &e); err != nil {
				t.Fatal(err)
			}
			kinds = append(kinds, e.Event)
		}
		return kinds, err
	}
	got, err := list(events.Filter{CardID: strings.ToUpper(wanted)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"card.deleted", "card.identified"}, got); diff != "" {
		t.Errorf("events of the card (-want +got):\n%s", diff)
	}
	got, err = list(events.Filter{CardID: wanted, Kinds: []events.Kind{events.KindCardDeleted}})
	if err != nil || !cmp.Equal([]string{"card.deleted"}, got) {
		t.Errorf("events of the card and a kind: got %v, %v, want card.deleted", got, err)
	}
	if _, err := list(events.Filter{Kinds: []events.Kind{"card.eaten"}}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("an unknown kind: got %v, want invalid_request", err)
	}
	if _, err := list(events.Filter{CardID: "Ember Fox"}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a text that is no identifier: got %v, want invalid_request", err)
	}
}
