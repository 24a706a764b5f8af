package cards_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// history returns the whole history of a card, newest first, as "version actor changes".
func (i inventory) history(t testing.TB, cardID string) []string {
	t.Helper()
	var list []string
	for p := (paging.Request{Limit: 2}); ; {
		found, err := i.cards.History(t.Context(), i.account, cardID, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found.Data {
			text := fmt.Sprintf("%d %s:%s", e.Version, e.Actor.Type, e.Actor.ID)
			for _, change := range e.Changes {
				text += fmt.Sprintf(" %s %s→%s", change.Field, change.From, change.To)
			}
			list = append(list, text)
		}
		if found.NextCursor == nil {
			return list
		}
		p.Cursor = *found.NextCursor
	}
}

// as returns a context of requests with this token.
func as(ctx context.Context, tokenID string) context.Context {
	return caller.With(ctx, caller.Caller{TokenID: tokenID})
}

func TestService_RecordsHistory(t *testing.T) {
	t.Parallel()
	i := setup(t)
	importing := caller.WithActor(t.Context(), caller.Actor{Type: caller.ImportActor, ID: "imp_1"})
	made, err := i.cards.Create(importing, i.account, []cards.Draft{{Patch: cards.Patch{SKU: cards.Set("A-1")}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	card := made[0]
	update := func(token string, p cards.Patch) {
		t.Helper()
		if card, err = i.cards.Update(as(t.Context(), token), i.account, card.ID, p, nil); err != nil {
			t.Fatal(err)
		}
	}
	update("tok_1", cards.Patch{Location: cards.Set("Room A")})
	update("tok_1", cards.Patch{Location: cards.Set("Room A")}) // changes nothing
	update("tok_2", cards.Patch{
		Grade: cards.Set(cards.Grade{Company: "PSA", Value: "9"}), Cost: cards.Set(usd(300)),
		SKU: cards.Clear[string](),
	})
	want := []string{
		`3 token:tok_2 identification.grade null→{"company":"PSA","value":"9","cert_number":null}` +
			` pricing.cost null→{"amount":300,"currency":"USD"} sku "A-1"→null`,
		`2 token:tok_1 location null→"Room A"`,
		`1 import:imp_1`,
	}
	if diff := cmp.Diff(want, i.history(t, card.ID)); diff != "" {
		t.Errorf("history:\n%s", diff)
	}
}

// Updates that share a transaction keep their own actors.
func TestService_HistoryNamesActorOfEachUpdateInGroup(t *testing.T) {
	t.Parallel()
	i := setup(t)
	const writers = 24
	list := make([]cards.Draft, writers)
	made, err := i.cards.Create(t.Context(), i.account, list, nil)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for n := range writers {
		group.Go(func() {
			ctx := as(t.Context(), fmt.Sprint("tok_", n))
			_, err := i.cards.Update(ctx, i.account, made[n].ID, cards.Patch{Notes: cards.Set("x")}, nil)
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for n := range writers {
		want := fmt.Sprintf(`2 token:tok_%d notes null→"x"`, n)
		if got := i.history(t, made[n].ID); len(got) != 2 || got[0] != want {
			t.Errorf("history of card %d: %v, want %s first", n, got, want)
		}
	}
}

// The history of an account has the changes of all of its cards, newest first, and of no other account's.
func TestService_AccountHistory(t *testing.T) {
	t.Parallel()
	i := setup(t)
	other, err := accounts.New(i.db, clock.System).Create(t.Context(), "Eve's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := i.cards.Create(t.Context(), other.ID, make([]cards.Draft, 1), nil); err != nil {
		t.Fatal(err)
	}
	first, second := i.create(t, cards.Draft{}), i.create(t, cards.Draft{})
	for _, id := range []string{first.ID, second.ID, first.ID} {
		ctx := as(t.Context(), "tok_1")
		if _, err := i.cards.Update(ctx, i.account, id, cards.Patch{Notes: cards.Set(rand.Text())}, nil); err != nil {
			t.Fatal(err)
		}
	}
	names := map[string]string{first.ID: "first", second.ID: "second"}
	var got []string
	for p := (paging.Request{Limit: 2}); ; {
		found, err := i.cards.AccountHistory(t.Context(), i.account, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range found.Data {
			text := fmt.Sprintf("%s %d by %s with %d", names[e.CardID], e.Version, e.Actor.ID, len(e.Changes))
			got = append(got, text)
		}
		if found.NextCursor == nil {
			break
		}
		p.Cursor = *found.NextCursor
	}
	want := []string{
		"first 3 by tok_1 with 1", "second 2 by tok_1 with 1", "first 2 by tok_1 with 1",
		"second 1 by cardvault with 0", "first 1 by cardvault with 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history of the account (-want +got):\n%s", diff)
	}
	if _, err := i.cards.AccountHistory(t.Context(), i.account, paging.Request{Cursor: "x"}); err == nil {
		t.Error("AccountHistory accepts an unknown cursor")
	}
}

func TestService_HistoryOfUnknownCard(t *testing.T) {
	t.Parallel()
	i := setup(t)
	_, err := i.cards.History(t.Context(), i.account, "card_x", paging.Request{})
	if !fault.Is(err, fault.CardNotFound) {
		t.Errorf("History = %v, want card_not_found", err)
	}
}

// deletions returns all deletions since a time, oldest first.
func (i inventory) deletions(t testing.TB, since time.Time) (list []string) {
	t.Helper()
	for p := (paging.Request{Limit: 2}); ; {
		found, err := i.cards.Deletions(t.Context(), i.account, &since, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range found.Data {
			list = append(list, d.CardID)
		}
		if found.NextCursor == nil {
			return list
		}
		p.Cursor = *found.NextCursor
	}
}

func TestService_Delete(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	batch, err := i.batches.Create(ctx, i.account, "Spring fair", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	card := i.create(t, cards.Draft{
		Patch:  cards.Patch{Title: cards.Set("Ember Fox"), BatchID: cards.Set(batch.ID)},
		Photos: []cards.NewPhoto{{URL: "https://images.example/fox.jpg", Role: cards.RoleFront}},
	})
	other := i.create(t, cards.Draft{})
	waiting := func(version int64) cards.Match { return func(at int64) bool { return at == version } }
	if _, err := i.cards.Delete(ctx, i.account, card.ID, waiting(7)); !fault.Is(err, fault.VersionMismatch) {
		t.Fatalf("Delete of another version = %v, want version_mismatch", err)
	}
	deleted, err := i.cards.Delete(ctx, i.account, card.ID, waiting(1))
	if err != nil || deleted.ID != card.ID || len(deleted.Photos) != 1 {
		t.Fatalf("Delete = %+v, %v", deleted, err)
	}
	for _, table := range []string{
		"cards WHERE id", "card_changes WHERE card_id", "card_prices WHERE card_id", "card_search WHERE card_id",
		"card_history WHERE card_id",
		"photo_fetches WHERE card_id",
	} {
		var rows int
		if err := i.db.Get(ctx, &rows, `SELECT count(*) FROM `+table+` = $1`, card.ID); err != nil || rows != 0 {
			t.Errorf("%s: %d rows, %v, want none", table, rows, err)
		}
	}
	if b, err := i.batches.Get(ctx, i.account, batch.ID); err != nil || b.CardCount != 0 {
		t.Errorf("batch after the deletion: %+v, %v", b, err)
	}
	for name, err := range map[string]error{
		"Get":    second(i.cards.Get(ctx, i.account, card.ID)),
		"Delete": second(i.cards.Delete(ctx, i.account, card.ID, nil)),
		"Update": second(i.cards.Update(ctx, i.account, card.ID, cards.Patch{Notes: cards.Set("x")}, nil)),
	} {
		if !fault.Is(err, fault.CardNotFound) {
			t.Errorf("%s of a deleted card = %v, want card_not_found", name, err)
		}
	}
	if _, err := i.cards.Delete(ctx, i.account, other.ID, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{card.ID, other.ID}, i.deletions(t, fromTheStart)); diff != "" {
		t.Errorf("deletions:\n%s", diff)
	}
	if got := i.happened(t); got[len(got)-1] != "card.deleted" {
		t.Errorf("events %v, want card.deleted last", got)
	}
}

func second[T any](_ T, err error) error { return err }

func TestService_DeleteIsRefused(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	price := cards.Patch{Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(usd(100))}
	listed := i.create(t, cards.Draft{
		Patch: price, Stored: []cards.Photo{{ID: "pho_1", Role: cards.RoleFront, Status: cards.PhotoReady}},
	})
	err := clock.System.Write(ctx, i.db, i.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		ref := cards.ListingRef{ID: "lst_1", Status: cards.ListingPublishing}
		_, err := i.cards.StartListing(ctx, tx, stamp, listed.ID, ref, nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := i.cards.Delete(ctx, i.account, listed.ID, nil); !fault.Is(err, fault.CardListed) {
		t.Errorf("Delete of a card with a listing under way = %v, want card_listed", err)
	}
	batch, err := i.batches.Create(ctx, i.account, "Done", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	counted := i.create(t, cards.Draft{Patch: cards.Patch{BatchID: cards.Set(batch.ID)}})
	if _, err := i.batches.Complete(ctx, i.account, batch.ID, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := i.cards.Delete(ctx, i.account, counted.ID, nil); !fault.Is(err, fault.BatchComplete) {
		t.Errorf("Delete of a card in a complete batch = %v, want batch_complete", err)
	}
	if len(i.deletions(t, fromTheStart)) != 0 {
		t.Error("a refused deletion is recorded")
	}
}
