package cards_test

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// poller is a client that polls for changes as the contract describes.
type poller struct {
	inventory
	since time.Time
	seen  map[string]int64 // the highest version seen, by card
}

// poll reads all pages from the last seen time.
func (p *poller) poll(t *testing.T) {
	t.Helper()
	since := p.since
	request := paging.Request{Limit: 3}
	for {
		found, err := p.cards.List(t.Context(), p.account, cards.Filter{UpdatedSince: &since}, request)
		if err != nil {
			t.Error(err)
			return
		}
		for _, c := range found.Data {
			p.seen[c.ID] = max(p.seen[c.ID], c.Version)
			if c.UpdatedAt.Before(p.since) {
				t.Errorf("a card of %v follows one of %v, want ascending times", c.UpdatedAt, p.since)
			}
			p.since = c.UpdatedAt
		}
		if found.NextCursor == nil {
			return
		}
		request.Cursor = *found.NextCursor
	}
}

// Writers on two machines, whose clocks differ by five seconds and whose transactions commit late, run concurrently
// with a polling client. The client must see the last version of every card.
func TestList_PollingMissesNoUpdate(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ahead := clock.Clock{Now: func() time.Time { return time.Now().Add(5 * time.Second) }}
	one := onMachine(t, db, clock.System, "")
	other := onMachine(t, db, ahead, one.account)

	const writers, writes = 6, 25
	var mine []cards.Card
	for range writers {
		mine = append(mine, one.create(t, cards.Draft{}))
	}
	client := &poller{inventory: one, since: fromTheStart, seen: map[string]int64{}}
	var running atomic.Int32
	running.Store(writers)
	var writing sync.WaitGroup
	for w := range writers {
		machine := []inventory{one, other}[w%2]
		writing.Go(func() {
			defer running.Add(-1)
			for n := range writes {
				changeLate(t, machine, mine[w].ID, n)
			}
		})
	}
	for running.Load() > 0 {
		client.poll(t)
	}
	writing.Wait()
	client.poll(t)
	for _, c := range mine {
		if client.seen[c.ID] != writes+1 {
			t.Errorf("card %s: the client saw version %d, want %d", c.ID, client.seen[c.ID], writes+1)
		}
	}
}

// changeLate updates a card in a transaction that stays open for 2 ms after it got its time.
func changeLate(t *testing.T, i inventory, cardID string, n int) {
	t.Helper()
	ctx := t.Context()
	err := i.db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err := i.takeClock(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := i.cards.UpdateIn(ctx, tx, stamp, cardID, annotate(n)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `SELECT pg_sleep(0.002)`)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Paging by updated_since ends and misses no update although cards change between the pages.
func TestList_PagingByUpdatedSinceWhileCardsChange(t *testing.T) {
	t.Parallel()
	i := setup(t)
	made, err := i.cards.Create(t.Context(), i.account, make([]cards.Draft, 20), nil)
	if err != nil {
		t.Fatal(err)
	}
	since, request := fromTheStart, paging.Request{Limit: 4}
	last := map[string]int64{}
	changed := 0
	for {
		found, err := i.cards.List(t.Context(), i.account, cards.Filter{UpdatedSince: &since}, request)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found.Data {
			last[c.ID] = c.Version
		}
		if found.NextCursor == nil {
			break
		}
		request.Cursor = *found.NextCursor
		if changed < 5 { // each change moves a card, seen or not, to the end of the list
			changeLate(t, i, made[changed*4].ID, changed)
			changed++
		}
	}
	for n, c := range made {
		want := int64(1)
		if n%4 == 0 && n/4 < changed {
			want = 2
		}
		if last[c.ID] != want {
			t.Errorf("card %d: the pages show version %d, want %d", n, last[c.ID], want)
		}
	}
}

// importTitled creates cards that only have a title, in one call.
func (i inventory) importTitled(t *testing.T, count int) []cards.Card {
	t.Helper()
	drafts := make([]cards.Draft, count)
	for n := range drafts {
		drafts[n].Title = cards.Set("Ember Fox")
	}
	made, err := i.cards.Create(t.Context(), i.account, drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// Get finds each event of an import by its identifier, also if the times of the import span many milliseconds.
func TestCreate_EventsOfImportAreFound(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	made := i.importTitled(t, 2500)
	since, found, before := fromTheStart, 0, ""
	for request := (paging.Request{Limit: 200}); ; {
		read, err := i.events.List(ctx, i.account, events.Filter{CreatedSince: &since}, request)
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range read.Data {
			var event struct{ ID string }
			if err := json.Unmarshal(body, &event); err != nil {
				t.Fatal(err)
			}
			if _, err := i.events.Get(ctx, i.account, event.ID); err != nil {
				t.Fatalf("Get of event %d, %s: %v", found, event.ID, err)
			}
			if event.ID <= before {
				t.Fatalf("event %s follows %s, want ascending identifiers", event.ID, before)
			}
			found, before = found+1, event.ID
		}
		if read.NextCursor == nil {
			break
		}
		request.Cursor = *read.NextCursor
	}
	if found < len(made) {
		t.Errorf("%d events of %d cards, want at least one of each", found, len(made))
	}
}

// A client that polled a large import continues after it. Only the last card and its events are returned again,
// because the bound is inclusive. The time of the next update is later, also in a process whose clock is behind.
func TestCreate_PollReturnsImportOnce(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	made := i.importTitled(t, 50)
	last := made[len(made)-1].UpdatedAt
	found, err := i.cards.List(ctx, i.account, cards.Filter{UpdatedSince: &last}, paging.Request{Limit: 200})
	if err != nil || len(found.Data) != 1 || found.Data[0].ID != made[len(made)-1].ID {
		t.Errorf("the poll returns %d cards, %v, want the last of the import", len(found.Data), err)
	}
	read, err := i.events.List(ctx, i.account, events.Filter{CreatedSince: &last}, paging.Request{Limit: 200})
	if err != nil || len(read.Data) == 0 || len(read.Data) > 2 {
		t.Errorf("the poll returns %d events, %v, want 1 or 2 of the last card", len(read.Data), err)
	}
	behind := onMachine(t, i.db, clock.Clock{Now: func() time.Time { return time.Now().Add(-time.Hour) }}, i.account)
	changed, err := behind.cards.Update(ctx, i.account, made[0].ID, cards.Patch{Notes: cards.Set("changed")}, nil)
	if err != nil || !changed.UpdatedAt.After(last) {
		t.Errorf("the next update is at %v, %v, want it after %v", changed.UpdatedAt, err, last)
	}
}
