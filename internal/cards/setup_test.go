package cards_test

import (
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// inventory is an account in a database of its own, as one process sees it.
type inventory struct {
	db      *postgres.DB
	queues  cards.Queues
	cards   *cards.Service
	batches *batches.Service
	events  *events.Reader
	account string
}

func setup(t testing.TB) inventory {
	t.Helper()
	return onMachine(t, pgtest.New(t), clock.System, "")
}

// onMachine returns the service of a process with this clock. It creates an account if account is "".
func onMachine(t testing.TB, db *postgres.DB, c clock.Clock, account string) inventory {
	t.Helper()
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // without webhooks
	b := batches.New(db, c, cursors, recorder)
	queues := cards.NewQueues()
	if account == "" {
		made, err := accounts.New(db, c).Create(t.Context(), "Test", false)
		if err != nil {
			t.Fatal(err)
		}
		account = made.ID
	}
	return inventory{
		db: db, queues: queues, batches: b, account: account,
		cards: cards.New(db, c, cursors, recorder, b, queues), events: events.NewReader(db, cursors),
	}
}

// create creates one card.
func (i inventory) create(t testing.TB, d cards.Draft) cards.Card {
	t.Helper()
	made, err := i.cards.Create(t.Context(), i.account, []cards.Draft{d}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made[0]
}

// happened returns the account's events, oldest first, as "kind" or "from>to".
func (i inventory) happened(t testing.TB) []string {
	t.Helper()
	since := fromTheStart
	found, err := i.events.List(t.Context(), i.account, events.Filter{CreatedSince: &since}, paging.Request{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, body := range found.Data {
		list = append(list, summarize(t, body))
	}
	return list
}
