package cards_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

var fromTheStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func (i inventory) takeClock(ctx context.Context, tx *postgres.Tx) (clock.Stamp, error) {
	return clock.System.Lock(ctx, tx, i.account)
}

// annotate returns an update that no rule forbids.
func annotate(n int) cards.UpdateFunc {
	return func(c *cards.Card, _ time.Time) ([]events.Data, error) {
		notes := fmt.Sprint(n)
		c.Notes = &notes
		return nil, nil
	}
}

// summarize formats an event as "kind", or as "from>to" for a change of status.
func summarize(t testing.TB, body []byte) string {
	t.Helper()
	var e struct {
		Event string
		Data  struct {
			PreviousStatus string `json:"previous_status"`
			Status         string
		}
	}
	if err := json.Unmarshal(body, &e); err != nil {
		t.Fatal(err)
	}
	if e.Data.Status != "" {
		return e.Data.PreviousStatus + ">" + e.Data.Status
	}
	return e.Event
}

func usd(amount int64) money.Money { return money.Money{Amount: amount, Currency: "USD"} }

func TestService_RecordsEventsOfCardLife(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	card := i.create(t, cards.Draft{})
	if card.Status != cards.Imported || card.Version != 1 || len(i.happened(t)) != 0 {
		t.Fatalf("new card %+v, events %v, want version 1 and no events", card, i.happened(t))
	}

	patch := cards.Patch{
		Title: cards.Set("Ember Fox"), Set: cards.Set("Dawn of Cinders"), Number: cards.Set("54/167"),
		AskingPrice: cards.Set(usd(1250)),
	}
	card, err := i.cards.Update(ctx, i.account, card.ID, patch, nil)
	if err != nil {
		t.Fatal(err)
	}
	if card.Status != cards.Priced || card.Version != 2 || *card.Identification.Source != cards.SourceManual ||
		card.Pricing.PricedAt == nil {
		t.Fatalf("patched card %+v, want it priced, version 2, identified manually", card)
	}
	want := []string{"card.identified", "card.priced", "imported>identified", "identified>priced"}
	if diff := gocmp.Diff(want, i.happened(t)); diff != "" {
		t.Fatalf("events (-want +got):\n%s", diff)
	}

	same, err := i.cards.Update(ctx, i.account, card.ID, cards.Patch{Notes: cards.Clear[string]()}, nil)
	if err != nil || same.Version != 2 {
		t.Fatalf("patch without a change: version %d, %v, want version 2", same.Version, err)
	}
	for _, price := range []cards.Field[money.Money]{cards.Clear[money.Money](), cards.Set(usd(1300))} {
		if _, err := i.cards.Update(ctx, i.account, card.ID, cards.Patch{AskingPrice: price}, nil); err != nil {
			t.Fatal(err)
		}
	}
	want = append(want, "priced>identified", "identified>priced") // no second card.priced
	if diff := gocmp.Diff(want, i.happened(t)); diff != "" {
		t.Fatalf("events (-want +got):\n%s", diff)
	}
	stored, err := i.cards.Get(ctx, i.account, card.ID)
	if err != nil || stored.Version != 4 || stored.Pricing.AskingPrice.Amount != 1300 ||
		*stored.Identification.Set != "Dawn of Cinders" {
		t.Fatalf("stored %+v, %v, want version 4 with the last price and the first set", stored, err)
	}
}

func TestUpdate_RefusesInvalidPatch(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	card := i.create(t, cards.Draft{Patch: cards.Patch{Title: cards.Set("Ember Fox")}})
	never := func(int64) bool { return false }
	unknownCurrency, unknownBatch := money.Money{Amount: 1, Currency: "ZZZ"}, "bat_01k5w0q2m7t9c3r5v8x0z1b4d6"
	for name, tc := range map[string]struct {
		id    string
		patch cards.Patch
		match cards.Match
		code  fault.Code
	}{
		"unknown card":     {id: "card_01k5w0q2m7t9c3r5v8x0z1b4d6", code: fault.CardNotFound},
		"malformed id":     {id: "card_'; DROP TABLE cards", code: fault.CardNotFound},
		"other version":    {match: never, code: fault.VersionMismatch},
		"no title":         {patch: cards.Patch{Title: cards.Clear[string]()}, code: fault.InvalidRequest},
		"negative price":   {patch: cards.Patch{AskingPrice: cards.Set(usd(-1))}, code: fault.InvalidRequest},
		"unknown currency": {patch: cards.Patch{Cost: cards.Set(unknownCurrency)}, code: fault.InvalidRequest},
		"unknown batch":    {patch: cards.Patch{BatchID: cards.Set(unknownBatch)}, code: fault.BatchNotFound},
		"malformed batch":  {patch: cards.Patch{BatchID: cards.Set("x")}, code: fault.BatchNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			cardID := cmp.Or(tc.id, card.ID)
			if _, err := i.cards.Update(ctx, i.account, cardID, tc.patch, tc.match); !fault.Is(err, tc.code) {
				t.Errorf("got %v, want %s", err, tc.code)
			}
		})
	}
	if stored, err := i.cards.Get(ctx, i.account, card.ID); err != nil || stored.Version != 1 {
		t.Errorf("stored %+v, %v, want version 1", stored, err)
	}
}

func TestCreate_IsAtomic(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	drafts := make([]cards.Draft, 10)
	drafts[7].AskingPrice = cards.Set(money.Money{Amount: 1, Currency: "nope"})
	_, err := i.cards.Create(ctx, i.account, drafts, nil)
	var item *cards.ItemError
	if !errors.As(err, &item) || item.Index != 7 || !fault.Is(err, fault.InvalidRequest) {
		t.Fatalf("Create = %v, want invalid_request for card 7", err)
	}
	found, err := i.cards.List(ctx, i.account, cards.Filter{}, paging.Request{})
	if err != nil || len(found.Data) != 0 {
		t.Fatalf("%d cards, %v, want none", len(found.Data), err)
	}
}

func TestCheckDraft(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	var ids []string
	for _, name := range []string{"Open", "Complete"} {
		b, err := i.batches.Create(ctx, i.account, name, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, b.ID)
	}
	if _, err := i.batches.Complete(ctx, i.account, ids[1], nil); err != nil {
		t.Fatal(err)
	}
	other := onMachine(t, i.db, clock.System, "")
	in := func(batchID string) cards.Patch { return cards.Patch{BatchID: cards.Set(batchID)} }
	for name, tc := range map[string]struct {
		account string
		patch   cards.Patch
		code    fault.Code // "" if the draft can be created
	}{
		"nothing":                  {i.account, cards.Patch{}, ""},
		"open batch":               {i.account, in(ids[0]), ""},
		"upper case":               {i.account, in(strings.ToUpper(ids[0])), ""},
		"complete batch":           {i.account, in(ids[1]), fault.BatchComplete},
		"batch of another account": {other.account, in(ids[0]), fault.BatchNotFound},
		"malformed batch":          {i.account, in("bat_1"), fault.BatchNotFound},
		"wrong value":              {i.account, cards.Patch{Game: cards.Set("chess")}, fault.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			err := i.cards.CheckDraft(ctx, tc.account, cards.Draft{Patch: tc.patch})
			if f, _ := fault.As(err); tc.code == "" && err != nil || tc.code != "" && (f == nil || f.Code != tc.code) {
				t.Errorf("CheckDraft = %v, want %q", err, tc.code)
			}
		})
	}
}

func TestService_KeepsBatchCounts(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	fair, err := i.batches.Create(ctx, i.account, "Spring fair", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := i.batches.Create(ctx, i.account, "Other", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := cards.Patch{BatchID: cards.Set(fair.ID)}
	made, err := i.cards.Create(ctx, i.account, []cards.Draft{{Patch: in}, {Patch: in}, {}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, patch := range []cards.Patch{
		{BatchID: cards.Set(other.ID)}, {BatchID: cards.Set(other.ID)}, {BatchID: cards.Clear[string]()}, in,
	} {
		if _, err := i.cards.Update(ctx, i.account, made[0].ID, patch, nil); err != nil {
			t.Fatal(err)
		}
	}
	count := func(id string, want int) {
		t.Helper()
		if b, err := i.batches.Get(ctx, i.account, id); err != nil || b.CardCount != want {
			t.Errorf("batch %s has %d cards, %v, want %d", b.Name, b.CardCount, err, want)
		}
	}
	count(fair.ID, 2)
	count(other.ID, 0)

	for range 2 { // the second Complete changes nothing and records no event
		if b, err := i.batches.Complete(ctx, i.account, fair.ID, nil); err != nil || b.Status != batches.Complete {
			t.Fatalf("Complete = %+v, %v", b, err)
		}
	}
	if got := i.happened(t); !slices.Equal(got, []string{"batch.completed"}) {
		t.Errorf("events %v, want one batch.completed", got)
	}
	out := cards.Patch{BatchID: cards.Clear[string]()}
	if _, err := i.cards.Update(ctx, i.account, made[0].ID, out, nil); !fault.Is(err, fault.BatchComplete) {
		t.Errorf("moving a card out of a complete batch: %v, want batch_complete", err)
	}
	if _, err := i.cards.Update(ctx, i.account, made[2].ID, in, nil); !fault.Is(err, fault.BatchComplete) {
		t.Errorf("moving a card into a complete batch: %v, want batch_complete", err)
	}
	if b, err := i.batches.Reopen(ctx, i.account, fair.ID, nil); err != nil || b.CompletedAt != nil {
		t.Fatalf("Reopen = %+v, %v", b, err)
	}
	if _, err := i.cards.Update(ctx, i.account, made[2].ID, in, nil); err != nil {
		t.Fatal(err)
	}
	count(fair.ID, 3)
}

func TestService_HidesCardsOfOtherAccounts(t *testing.T) {
	t.Parallel()
	i, ctx := setup(t), t.Context()
	other := onMachine(t, i.db, clock.System, "")
	card := i.create(t, cards.Draft{})
	if _, err := other.cards.Get(ctx, other.account, card.ID); !fault.Is(err, fault.CardNotFound) {
		t.Errorf("Get: %v, want card_not_found", err)
	}
	patch := cards.Patch{Notes: cards.Set("mine")}
	if _, err := other.cards.Update(ctx, other.account, card.ID, patch, nil); !fault.Is(err, fault.CardNotFound) {
		t.Errorf("Update: %v, want card_not_found", err)
	}
	if _, err := other.cards.DeletePhoto(ctx, other.account, card.ID, "pho_x"); !fault.Is(err, fault.CardNotFound) {
		t.Errorf("DeletePhoto: %v, want card_not_found", err)
	}
}
