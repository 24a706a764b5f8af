package csvfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
)

// create creates cards and returns them.
func (v vault) create(t testing.TB, drafts ...cards.Draft) []cards.Card {
	t.Helper()
	made, err := v.cards.Create(t.Context(), v.account, drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// find returns a card.
func (v vault) find(t testing.TB, cardID string) cards.Card {
	t.Helper()
	card, err := v.cards.Get(t.Context(), v.account, cardID)
	if err != nil {
		t.Fatal(err)
	}
	return card
}

// sell makes a card a sold one.
func (v vault) sell(t testing.TB, cardID string) {
	t.Helper()
	_, err := v.db.Exec(t.Context(),
		`UPDATE cards SET workflow_status = 'sold', sale_id = 'sale_x' WHERE id = $1`, cardID)
	if err != nil {
		t.Fatal(err)
	}
}

func titled(title string) cards.Draft {
	return cards.Draft{Patch: cards.Patch{Title: cards.Set(title)}}
}

func TestImport_OfExportChangesNothing(t *testing.T) {
	t.Parallel()
	v := setup(t)
	seen := map[string]bool{}
	rapid.Check(t, func(rt *rapid.T) {
		row := rapid.Custom(drawRow).Draw(rt, "row")
		if external := row.ExternalID.Value(); external != nil && seen[*external] {
			row.ExternalID = cards.Field[string]{}
		}
		draft := row.draft()
		if external := row.ExternalID.Value(); external != nil {
			seen[*external] = true
		}
		if title := row.Title.Value(); title != nil {
			draft.Title = cards.Set(" " + *title) // which files do not keep
		}
		if notes := row.Notes.Value(); notes != nil {
			draft.Notes = cards.Set(*notes + "\r\n")
		}
		if draft.Check() != nil {
			draft = titled("Too long with the space")
		}
		v.create(t, draft)
	})
	if _, err := v.load(t.Context(), "title,batch\nA,Attic\nB,Cellar\n", ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	n, err := v.Export(t.Context(), &out, v.account, cards.Filter{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := v.state(t)
	report, err := v.load(t.Context(), out.String(), ImportOptions{Batch: "Unused"})
	if err != nil || report.Unchanged != n || report.Cards != 0 || report.Updated != 0 {
		t.Fatalf("Import = %+v, %v, want %d unchanged cards", report, err, n)
	}
	if diff := cmp.Diff(before, v.state(t)); diff != "" {
		t.Errorf("state (-before +after):\n%s", diff)
	}
}

func TestImport_UpdatesExistingCards(t *testing.T) {
	t.Parallel()
	v := setup(t)
	first, second, third := titled("Ember Fox"), titled("Tide Crab"), titled("Glass Heron")
	first.Notes = cards.Set("kept")
	second.ExternalID, third.SKU = cards.Set("shop-2"), cards.Set("GH-1")
	made := v.create(t, first, second, third)
	file := "card_id,external_id,sku,title,asking_price,batch,metadata\n" +
		made[0].ID + ",,,,12.50,,\n" +
		",shop-2,,Tide Crab,3.00,Attic,\"{\"\"shelf\"\":\"\"A\"\"}\"\n" +
		",,GH-1,Glass Heron,4.00,,\n" +
		",shop-4,,Moss Bear,5.00,,\n" +
		",,,Moss Bear,,,\n"
	options := ImportOptions{Options: Options{MatchSKU: true}}
	report, err := v.load(t.Context(), file, options)
	if err != nil || report.Cards != 2 || report.Updated != 3 || report.Unchanged != 0 {
		t.Fatalf("Import = %+v, %v, want 2 new cards and 3 updates", report, err)
	}
	for i, amount := range []int64{1250, 300, 400} {
		after := v.find(t, made[i].ID)
		if after.Pricing.AskingPrice == nil || after.Pricing.AskingPrice.Amount != amount || after.Version != 2 {
			t.Errorf("card %d is %+v, want the price %d at version 2", i, after, amount)
		}
		if i == 0 && (*after.Notes != "kept" || *after.Identification.Title != "Ember Fox") {
			t.Errorf("card %+v, want the values of empty cells kept", after)
		}
		if i == 1 && (after.BatchID == nil || after.Metadata["shelf"] != "A") {
			t.Errorf("card %+v, want a batch and metadata", after)
		}
	}
	again, err := v.load(t.Context(), strings.TrimSuffix(file, ",,,Moss Bear,,,\n"), options)
	if err != nil || again.Unchanged != 4 || again.Cards+again.Updated != 0 {
		t.Errorf("the second import = %+v, %v, want 4 unchanged cards", again, err)
	}
}

func TestImport_KeepsAutomaticIdentification(t *testing.T) {
	t.Parallel()
	v := setup(t)
	made := v.create(t, titled("Ember Fox"))
	if _, err := v.db.Exec(t.Context(), `UPDATE cards SET source = 'provider', provider = 'ocr'`); err != nil {
		t.Fatal(err)
	}
	file := "card_id,title,cost\n" + made[0].ID + ",Ember Fox,1.00\n"
	if report, err := v.load(t.Context(), file, ImportOptions{}); err != nil || report.Updated != 1 {
		t.Fatalf("Import = %+v, %v, want 1 update", report, err)
	}
	if card := v.find(t, made[0].ID); card.Identification.Provider == nil || card.Pricing.Cost == nil {
		t.Errorf("card %+v, want the provider kept and the cost set", card)
	}
}

func TestImport_OnConflict(t *testing.T) {
	t.Parallel()
	for on, want := range map[cards.OnConflict]string{
		cards.SkipConflict: "Ember Fox", cards.UpdateConflict: "Ember Fox VMAX", "": "Ember Fox VMAX",
		cards.RefuseConflict: "Ember Fox",
	} {
		t.Run(string(on), func(t *testing.T) {
			t.Parallel()
			v := setup(t)
			draft := titled("Ember Fox")
			draft.ExternalID = cards.Set("shop-1")
			made := v.create(t, draft)
			_, err := v.load(t.Context(), "external_id,title\nshop-1,Ember Fox VMAX\n", ImportOptions{OnConflict: on})
			refused := "line 2, card_id: the card " + made[0].ID +
				" exists: remove the row, or update or skip such rows (--on-conflict)"
			if on == cards.RefuseConflict && (err == nil || err.Error() != refused) ||
				on != cards.RefuseConflict && err != nil {
				t.Errorf("Import = %v", err)
			}
			if got := *v.find(t, made[0].ID).Identification.Title; got != want {
				t.Errorf("title %q, want %q", got, want)
			}
		})
	}
}

func TestImport_ProblemsOfExistingCards(t *testing.T) {
	t.Parallel()
	v := setup(t)
	first, second, third := titled("Ember Fox"), titled("Tide Crab"), titled("Tide Crab")
	first.ExternalID, second.SKU, third.SKU = cards.Set("shop-1"), cards.Set("TC"), cards.Set("TC")
	made := v.create(t, first, second, third)
	one, two := made[0].ID, made[1].ID
	complete, err := v.batches.Create(t.Context(), v.account, "Done", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	inside := titled("Glass Heron")
	inside.BatchID = cards.Set(complete.ID)
	moved := v.create(t, inside)[0].ID
	if _, err := v.batches.Complete(t.Context(), v.account, complete.ID, nil); err != nil {
		t.Fatal(err)
	}
	sold := v.create(t, titled("Moss Bear"))[0].ID
	v.sell(t, sold)
	for name, tc := range map[string]struct{ content, want string }{
		"unknown card": {"card_id,title\ncard_01k5w0q2m7t9c3r5v8x0z1b4d6,A", "line 2, card_id: is no card of this " +
			"account: leave the cell empty to create a new card"},
		"malformed card_id": {"card_id,title\n7,A", "line 2, card_id: is no card of this account: " +
			"leave the cell empty to create a new card"},
		"external_id of another card": {"card_id,external_id\n" + two + ",shop-1",
			"line 2, external_id: is that of the card " + one},
		"SKU of several cards": {"sku,cost\nTC,1",
			"line 2, sku: is that of several cards: name the card by its card_id"},
		"a card twice": {"card_id,external_id,cost\n" + one + ",,1\n,shop-1,2",
			"line 3, card_id: names the card of line 2 again: combine the two rows"},
		"an external_id twice": {"title,external_id\nA,x\nB,x",
			"line 3, external_id: names the card of line 2 again: combine the two rows"},
		"a SKU twice":    {"title,sku\nA,x\nB,x", "line 3, sku: names the card of line 2 again: combine the two rows"},
		"several copies": {"title,sku,quantity\nA,UNIQUE,2", ""},
		"no title": {"external_id,cost\nshop-9,1", "line 2, title: is missing: no card matches this row, " +
			"and a new card needs a title or a photo"},
		"complete batch": {"card_id,batch\n" + moved + ",Attic",
			`line 2: Batch "Done" is complete; reopen it before moving cards in or out.`},
		"sold card": {"card_id,title\n" + sold + ",Other",
			"line 2: This card was sold; its identification can no longer be changed."},
	} {
		t.Run(name, func(t *testing.T) {
			before := v.state(t)
			_, err := v.load(t.Context(), tc.content, ImportOptions{Options: Options{MatchSKU: true}})
			if tc.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("got %v\nwant %s", err, tc.want)
			}
			if diff := cmp.Diff(before, v.state(t)); diff != "" {
				t.Errorf("state (-before +after):\n%s", diff)
			}
		})
	}
}

// Between acceptance and application, cards can change. Rows that have become impossible are refused one by one.
func TestImport_CardsChangedAfterAcceptance(t *testing.T) {
	t.Parallel()
	v := setup(t)
	made := v.create(t, titled("Ember Fox"), titled("Tide Crab"), titled("Glass Heron"))
	file := "card_id,external_id,title\n" +
		made[0].ID + ",,Ember Fox VMAX\n" + // is sold in between
		made[1].ID + ",,Tide Crab VMAX\n" + // is deleted in between
		made[2].ID + ",,Glass Heron VMAX\n" +
		",shop-1,New\n" // is created in between
	staged := &staging{db: v.db, accountID: v.account, importID: "imp_late"}
	if _, _, err := v.stage(t.Context(), staged, strings.NewReader(file), ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := v.accept(t.Context(), staged); err != nil {
		t.Fatal(err)
	}
	v.sell(t, made[0].ID)
	if _, err := v.cards.Delete(t.Context(), v.account, made[1].ID, nil); err != nil {
		t.Fatal(err)
	}
	late := titled("Late")
	late.ExternalID = cards.Set("shop-1")
	existing := v.create(t, late)[0]
	if err := v.apply(t.Context(), staged, func(int) {}); err != nil {
		t.Fatal(err)
	}
	refused, err := v.refusals(t.Context(), v.account, staged.importID)
	want := []Refusal{
		{2, "This card was sold; its identification can no longer be changed."},
		{3, "There is no card with this identifier in your account."},
	}
	if diff := cmp.Diff(want, refused); diff != "" || err != nil {
		t.Errorf("refusals, %v (-want +got):\n%s", err, diff)
	}
	if got := *v.find(t, made[2].ID).Identification.Title; got != "Glass Heron VMAX" {
		t.Errorf("title %q, want the imported one", got)
	}
	if got := *v.find(t, existing.ID).Identification.Title; got != "New" {
		t.Errorf("title %q, want that of the row with the same external_id", got)
	}
	if err := v.sweepRefusals(t.Context()); err != nil || v.count(t, "card_import_refusals") != 2 {
		t.Errorf("sweepRefusals = %v, want fresh refusals kept", err)
	}
	_, err = v.db.Exec(t.Context(), `UPDATE card_import_refusals SET refused_at = refused_at - interval '31 days'`)
	if err := errors.Join(err, v.sweepRefusals(t.Context())); err != nil || v.count(t, "card_import_refusals") != 0 {
		t.Errorf("sweepRefusals = %v, want old refusals removed", err)
	}
}

// A process that ends after acceptance loses no update, and a worker applies each once.
func TestImport_InterruptedUpdatesAreFinishedByWorker(t *testing.T) {
	t.Parallel()
	v := setup(t)
	const n = 250
	drafts := make([]cards.Draft, n)
	for i := range drafts {
		drafts[i] = titled(fmt.Sprintf("Card %d", i))
	}
	var file strings.Builder
	file.WriteString("card_id,asking_price\n")
	for _, card := range v.create(t, drafts...) {
		file.WriteString(card.ID + ",2.00\n")
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err := v.Import(ctx, v.account, strings.NewReader(file.String()), ImportOptions{}, func(done, _ int) {
		if done >= 100 {
			cancel()
		}
	})
	var unfinished *UnfinishedError
	if !errors.As(err, &unfinished) || unfinished.Made >= n {
		t.Fatalf("Import = %v, want it unfinished", err)
	}
	importID := v.onlyImport(t)
	if _, err := v.applyChunks(t.Context(), v.account, importID, func(int) bool { return true }); err != nil {
		t.Fatal(err)
	}
	versions := map[int64]int{}
	for c := range v.each(t) {
		versions[c.Version]++
	}
	if diff := cmp.Diff(map[int64]int{2: n}, versions); diff != "" {
		t.Errorf("cards by version (-want +got):\n%s", diff)
	}
}

// onlyImport returns the only accepted import.
func (v vault) onlyImport(t testing.TB) (importID string) {
	t.Helper()
	if err := v.db.Get(t.Context(), &importID, `SELECT import_id FROM card_imports`); err != nil {
		t.Fatal(err)
	}
	return importID
}

// each iterates over all cards of the account.
func (v vault) each(t testing.TB) func(yield func(cards.Card) bool) {
	t.Helper()
	var found map[string]cards.Card
	err := v.clock.Write(t.Context(), v.db, v.account, func(tx *postgres.Tx, _ clock.Stamp) error {
		var ids []string
		err := tx.Select(t.Context(), &ids, `SELECT id FROM cards WHERE account_id = $1`, v.account)
		if err == nil {
			found, err = v.cards.FindMany(t.Context(), tx, v.account, ids)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Values(slices.Collect(maps.Values(found)))
}
