package jobs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// deleted has cards deleted by a job.
func (s *shop) deleted(t testing.TB, ids ...string) Job {
	t.Helper()
	job := s.finish(t, s.accept(t, Request{Kind: Delete, CardIDs: ids}))
	if job.Done != len(ids) {
		t.Fatalf("the job has deleted %d cards, want %d", job.Done, len(ids))
	}
	return job
}

// read returns a card, or nil if the account does not have it.
func (s *shop) read(t testing.TB, cardID string) *cards.Card {
	t.Helper()
	card, err := s.cards.Get(t.Context(), s.account, cardID)
	if fault.Is(err, fault.CardNotFound) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return &card
}

// deletions returns the cards in the list of deletions.
func (s *shop) deletions(t testing.TB) (ids []string) {
	t.Helper()
	found, err := s.cards.Deletions(t.Context(), s.account, &time.Time{}, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found.Data {
		ids = append(ids, d.CardID)
	}
	return ids
}

// happened returns the kinds of the events of a card, oldest first.
func (s *shop) happened(t testing.TB, cardID string) (kinds []string) {
	t.Helper()
	found, err := s.events.List(t.Context(), s.account, events.Filter{CardID: cardID}, paging.Request{})
	if err != nil {
		t.Fatal(err)
	}
	for _, event := range slices.Backward(found.Data) {
		_, rest, _ := strings.Cut(string(event), `"event":"`)
		kind, _, _ := strings.Cut(rest, `"`)
		kinds = append(kinds, kind)
	}
	return kinds
}

// versionsOf returns the versions in a card's history, newest first.
func (s *shop) versionsOf(t testing.TB, cardID string) (versions []int64) {
	t.Helper()
	found, err := s.cards.History(t.Context(), s.account, cardID, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range found.Data {
		versions = append(versions, entry.Version)
	}
	return versions
}

// rich creates a card that has a value in every field that an owner sets, and a history.
func (s *shop) rich(t testing.TB, batchID string) cards.Card {
	t.Helper()
	usd := func(amount int64) money.Money { return money.Money{Amount: amount, Currency: "USD"} }
	made, err := s.cards.Create(t.Context(), s.account, []cards.Draft{{
		Patch: cards.Patch{
			Title: cards.Set("Ember Fox"), Set: cards.Set("Dawn"), Number: cards.Set("54/167"),
			Game: cards.Set("pokemon"), Year: cards.Set[int32](1999), Variant: cards.Set("holo"),
			Language: cards.Set("en"), Condition: cards.Set("NM"), CatalogID: cards.Set("ember-54"),
			AskingPrice: cards.Set(usd(1250)),
			Grade:       cards.Set(cards.Grade{Company: "PSA", Value: "9.5", CertNumber: new("82137741")}),
			FloorPrice:  cards.Set(usd(900)), Cost: cards.Set(usd(300)), Location: cards.Set("Room A/Shelf 2"),
			SKU: cards.Set("F-1"), ExternalID: cards.Set("shop-1"), Notes: cards.Set("bent"),
			BatchID: cards.Set(batchID), Metadata: cards.Set(map[string]*string{"color": new("red")}),
		},
		Hints: catalog.Hints{Set: "Dawn"},
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.photograph(t, made[0].ID)
	s.edit(t, made[0].ID, cards.Patch{Location: cards.Set("Room B")})
	return *s.read(t, made[0].ID)
}

// A deleted card is nowhere until the job is undone. Then it is what it was, in its next version.
func TestService_UndoDelete(t *testing.T) {
	t.Parallel()
	s := setup(t)
	batch, err := s.batches.Create(t.Context(), s.account, "Spring fair", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	before, other := s.rich(t, batch.ID), s.create(t, 1)[0]
	job := s.deleted(t, before.ID, other)
	s.gone(t, before, batch.ID)
	if job.UndoableUntil() == nil {
		t.Fatal("the job cannot be undone")
	}
	undo := s.finish(t, s.undo(t, job))
	if undo.Kind != Restore || undo.Done != 2 || undo.UndoableUntil() != nil {
		t.Errorf("got the undo %+v, want 2 cards restored, for good", undo)
	}
	after := s.read(t, before.ID)
	if after == nil {
		t.Fatal("the card did not come back")
	}
	if !after.UpdatedAt.After(*job.FinishedAt) || after.Version != before.Version+1 {
		t.Errorf("got version %d of %v, want the next one, after the deletion", after.Version, after.UpdatedAt)
	}
	if diff := cmp.Diff(before, *after, cmpopts.IgnoreFields(cards.Card{}, "Version", "UpdatedAt")); diff != "" {
		t.Errorf("the card (-before the deletion, +after the undo):\n%s", diff)
	}
	if diff := cmp.Diff([]int64{4, 3, 2, 1}, s.versionsOf(t, before.ID)); diff != "" {
		t.Errorf("versions in the history (-want +got):\n%s", diff)
	}
	if hints, err := s.cards.Hints(t.Context(), s.account, before.ID); err != nil || hints.Set != "Dawn" {
		t.Errorf("hints: got %+v, %v, want them kept", hints, err)
	}
	if found, err := s.batches.Get(t.Context(), s.account, batch.ID); err != nil || found.CardCount != 1 {
		t.Errorf("batch: got %+v, %v, want one card", found, err)
	}
	kinds := s.happened(t, before.ID)
	if !slices.Equal(kinds[len(kinds)-2:], []string{"card.deleted", "card.restored"}) {
		t.Errorf("got the events %v, want card.deleted and card.restored last", kinds)
	}
	if left := s.deletions(t); len(left) > 0 {
		t.Errorf("the list of deletions still has %v", left)
	}
	for _, table := range []string{"deleted_cards", "deleted_card_history"} {
		if n := s.rows(t, table); n != 0 {
			t.Errorf("%s has %d rows after the undo, want none", table, n)
		}
	}
	if _, err := s.Undo(t.Context(), s.account, undo.ID, nil); !fault.Is(err, fault.JobNotUndoable) {
		t.Errorf("undo of the undo: got %v, want job_not_undoable", err)
	}
}

// gone reports an error if anything still shows a deleted card, or if its photo is not kept.
func (s *shop) gone(t testing.TB, card cards.Card, batchID string) {
	t.Helper()
	ctx := t.Context()
	if s.read(t, card.ID) != nil {
		t.Error("the card still exists")
	}
	for name, filter := range map[string]cards.Filter{
		"all": {}, "q": {Query: new("ember")}, "sku": {SKU: card.SKU}, "external_id": {ExternalID: card.ExternalID},
		"batch": {Batch: &batchID}, "ids": {IDs: []string{card.ID}}, "updated": {UpdatedSince: &time.Time{}},
	} {
		found, err := s.cards.List(ctx, s.account, filter, paging.Request{})
		if err != nil || len(found.Data) > 0 {
			t.Errorf("list by %s: got %+v, %v, want no card", name, found.Data, err)
		}
		summary, err := s.cards.SummarizeNow(ctx, s.account, filter, "status")
		if err != nil || summary.Total.Count > 0 {
			t.Errorf("summary by %s: got %+v, %v, want no card", name, summary, err)
		}
	}
	history, err := s.cards.AccountHistory(ctx, s.account, paging.Request{})
	if err != nil || len(history.Data) > 0 {
		t.Errorf("history of the account: got %+v, %v, want none of a deleted card", history.Data, err)
	}
	if _, err := s.cards.Update(ctx, s.account, card.ID, cards.Patch{}, nil); !fault.Is(err, fault.CardNotFound) {
		t.Errorf("update: got %v, want card_not_found", err)
	}
	photos, _, err := s.cards.PhotoIDs(ctx, s.account, "", 10)
	if err != nil || !slices.Equal(photos, []string{card.Photos[0].ID}) || len(s.images) > 0 {
		t.Errorf("photos in use: got %v, %v, removed %v, want the one of the card", photos, err, s.images)
	}
	if deleted := s.deletions(t); !slices.Contains(deleted, card.ID) {
		t.Errorf("the list of deletions has %v, want the card", deleted)
	}
}

// A card whose SKU or external id was taken, or whose batch is complete, stays deleted. Once the obstacle is gone, the
// job can be undone again.
func TestService_UndoDeleteRefuses(t *testing.T) {
	t.Parallel()
	s := setup(t)
	batch, err := s.batches.Create(t.Context(), s.account, "Spring fair", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ids := s.create(t, 7)
	for i, patch := range []cards.Patch{
		{ExternalID: cards.Set("shop-1")}, {SKU: cards.Set("made")}, {SKU: cards.Set("changed")},
		{SKU: cards.Set("shared")}, {BatchID: cards.Set(batch.ID)}, {SKU: cards.Set("shared")}, {},
	} {
		s.edit(t, ids[i], patch)
	}
	job := s.deleted(t, ids[0], ids[1], ids[2], ids[3], ids[4])
	if _, err := s.batches.Complete(t.Context(), s.account, batch.ID, nil); err != nil {
		t.Fatal(err)
	}
	taker := s.create(t, 1)[0]
	s.edit(t, taker, cards.Patch{ExternalID: cards.Set("shop-1"), SKU: cards.Set("made")})
	s.edit(t, ids[6], cards.Patch{SKU: cards.Set("changed")})
	s.edit(t, ids[5], cards.Patch{Notes: cards.Set("has the shared SKU as before")})
	undo := s.finish(t, s.undo(t, job))
	want := map[string]string{
		ids[0]: "external_id_taken", ids[1]: "sku_taken", ids[2]: "sku_taken", ids[4]: "batch_complete",
	}
	if diff := cmp.Diff(want, s.refusals(t, undo)); diff != "" {
		t.Errorf("refusals (-want +got):\n%s", diff)
	}
	if s.read(t, ids[3]) == nil || s.read(t, ids[0]) != nil {
		t.Error("want the card back that nothing stops, and the others deleted")
	}
	if diff := cmp.Diff([]string{ids[0], ids[1], ids[2], ids[4]}, s.deletions(t)); diff != "" {
		t.Errorf("deletions (-want +got):\n%s", diff)
	}
	s.edit(t, taker, cards.Patch{ExternalID: cards.Clear[string](), SKU: cards.Clear[string]()})
	again := s.finish(t, s.undo(t, job))
	want = map[string]string{ids[2]: "sku_taken", ids[4]: "batch_complete"}
	if diff := cmp.Diff(want, s.refusals(t, again)); diff != "" || again.Done != 3 || s.versions(t, ids[3]) != 3 {
		t.Errorf("second undo: %+v, refusals (-want +got):\n%s", again, diff)
	}
	if again.Changed() != 2 || again.Unchanged != 1 {
		t.Errorf("second undo: %d cards came back and %d were there, want 2 and 1", again.Changed(), again.Unchanged)
	}
}

// A card that came back and was deleted again belongs to the second job.
func TestService_UndoDeleteOfAnotherJob(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 2)
	first := s.deleted(t, ids...)
	s.finish(t, s.undo(t, first))
	second := s.deleted(t, ids[0])
	if _, err := s.cards.Delete(t.Context(), s.account, ids[1], nil); err != nil {
		t.Fatal(err)
	}
	if n := s.rows(t, "deleted_card_history"); n != 2 {
		t.Errorf("%d rows of history are kept, want the two versions of one card", n)
	}
	if again := s.undo(t, first); *s.get(t, first).UndoneBy != again.ID || again.Status != Done {
		t.Errorf("a second undo of the first job is %+v, want the first undo", again)
	}
	s.finish(t, s.undo(t, second))
	if s.read(t, ids[0]) == nil || s.read(t, ids[1]) != nil {
		t.Error("want the card back that the second job has deleted, and not the one that a request has deleted")
	}
}

// A restore that is interrupted in a transaction brings each card back once.
func TestService_UndoDeleteAfterInterruption(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 30)
	job := s.deleted(t, ids...)
	clear(s.changes.times)
	undo, calls := s.undo(t, job), 0
	s.changes.fail = func() bool { calls++; return calls%2 == 1 }
	for finished := false; !finished; {
		var err error
		if finished, _, err = s.advance(t.Context(), s.account, undo.ID, 7); err != nil && calls%2 == 0 {
			t.Fatal(err)
		}
	}
	s.want(t, undo, Done, 30, 30, 0)
	s.changedOnce(t, ids)
	if left := s.deletions(t); len(left) > 0 {
		t.Errorf("%d deletions are left", len(left))
	}
}

// What a card waited for when it was deleted goes on when it comes back.
func TestService_UndoDeleteOfWaitingCards(t *testing.T) {
	t.Parallel()
	s := setup(t)
	made, err := s.cards.Create(t.Context(), s.account, []cards.Draft{
		{Photos: []cards.NewPhoto{{URL: "https://images.example/fox.jpg", Role: cards.RoleFront}}},
		{Stored: []cards.Photo{{
			ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady,
			ContentType: "image/jpeg", Width: 600, Height: 800,
		}}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	queued := func() string {
		return fmt.Sprint(s.rows(t, "photo_fetches"), " fetched, ", s.rows(t, "identifications"), " identified")
	}
	before := queued()
	job := s.deleted(t, made[0].ID, made[1].ID)
	if got := queued(); got != "0 fetched, 0 identified" {
		t.Errorf("work of deleted cards: %s", got)
	}
	s.finish(t, s.undo(t, job))
	if got := queued(); got != before || before != "1 fetched, 1 identified" {
		t.Errorf("work of restored cards: %s, want %s", got, before)
	}
	var url string
	err = s.db.Get(t.Context(), &url, `SELECT url FROM photo_fetches WHERE account_id = $1`, s.account)
	if err != nil || url != "https://images.example/fox.jpg" {
		t.Errorf("the photo is fetched from %q, %v", url, err)
	}
}

// An old process cannot read the mark, so it leaves jobs that restore cards to others.
func TestKeptMark(t *testing.T) {
	t.Parallel()
	s := setup(t)
	job := s.deleted(t, s.create(t, 1)...)
	undo := s.undo(t, job)
	undo.Kind = Update
	err := s.db.InTx(t.Context(), func(tx *postgres.Tx) error {
		_, err := takeEdits(t.Context(), tx, &undo, 10)
		return err
	})
	if err == nil {
		t.Error("an earlier version reads the mark as an edit")
	}
}
