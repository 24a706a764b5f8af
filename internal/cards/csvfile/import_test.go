package csvfile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
)

const sample = `title,set,number,condition,price,cost,quantity,location,batch,sku
Ember Fox,Dawn of Cinders,54/167,NM,12.50,3,1,Room A/Box 1,,EF-1
Tide Crab,Dawn of Cinders,55/167,LP,,,2,,Spring fair,
`

func TestImport(t *testing.T) {
	t.Parallel()
	v := setup(t)
	var last [2]int
	progress := func(done, total int) { last = [2]int{done, total} }
	report, err := v.Import(t.Context(), v.account, strings.NewReader(sample), ImportOptions{Batch: "Attic"}, progress)
	if err != nil || report.Cards != 3 || last != [2]int{3, 3} {
		t.Fatalf("Import = %+v, %v, progress %v, want 3 cards", report, err, last)
	}
	all := v.all(t)
	slices.Reverse(all)
	if len(all) != 3 || *all[0].Identification.Title != "Ember Fox" || all[0].Status != cards.Priced ||
		all[0].Pricing.Cost.Amount != 300 || *all[1].Identification.Title != "Tide Crab" ||
		all[2].Status != cards.Identified || *all[1].BatchID != *all[2].BatchID {
		t.Fatalf("cards %+v, want those of the file", all)
	}
	for i, want := range []struct {
		name  string
		count int
	}{{"Attic", 1}, {"Spring fair", 2}} {
		b, err := v.batches.Get(t.Context(), v.account, *all[i].BatchID)
		if err != nil || b.Name != want.name || b.CardCount != want.count {
			t.Errorf("batch %+v, %v, want %v", b, err, want)
		}
	}
}

func TestImport_ReusesOpenBatch(t *testing.T) {
	t.Parallel()
	v := setup(t)
	complete, err := v.batches.Create(t.Context(), v.account, "Attic", nil, nil)
	if err == nil {
		_, err = v.batches.Complete(t.Context(), v.account, complete.ID, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first import creates an open batch, the second one uses it
		if _, err := v.load(t.Context(), "title\nEmber Fox\n", ImportOptions{Batch: "Attic"}); err != nil {
			t.Fatal(err)
		}
	}
	all := v.all(t)
	if len(all) != 2 || *all[0].BatchID != *all[1].BatchID || *all[0].BatchID == complete.ID ||
		v.count(t, "batches") != 2 {
		t.Fatalf("cards %+v, want both in a new batch", all)
	}
}

func TestImport_InvalidFileChangesNothing(t *testing.T) {
	t.Parallel()
	v := setup(t)
	dir := t.TempDir()
	picture(t, dir, "good.jpg", 100)
	if err := os.WriteFile(filepath.Join(dir, "text.jpg"), []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "out.jpg")); err != nil {
		t.Fatal(err)
	}
	if _, err := v.load(t.Context(), sample, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	before := v.state(t)
	const unreadable = " is not a readable file in the photo directory"
	for name, tc := range map[string]struct{ content, want string }{
		"invalid row": {sample + "Mud Owl,,,superb,,,,,,\n",
			`line 4, condition: "superb" is not a condition: use one of NM, LP, MP, HP, DMG`},
		"missing photo": {"title,photo\nA,good.jpg\nB,gone.jpg\n",
			`line 3, photo_front: there is no file "gone.jpg" in the photo directory`},
		"not a photo": {"title,photo\nA,good.jpg\nB,text.jpg\nC,good.jpg\n",
			`line 3, photo_front: "text.jpg": the photo must be a JPEG, PNG, WebP, HEIC or AVIF image; ` +
				"this looks like text/plain"},
		"photo elsewhere": {"title,photo\nA,../../etc/hostname\n",
			`line 2, photo_front: "../../etc/hostname"` + unreadable},
		"link elsewhere": {"title,photo\nA,out.jpg\n", `line 2, photo_front: "out.jpg"` + unreadable},
		"directory":      {"title,photo\nA,.\n", `line 2, photo_front: "."` + unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := v.load(t.Context(), tc.content, ImportOptions{Photos: dir, Batch: "New"})
			if !isProblems(err) || err.Error() != tc.want {
				t.Errorf("got %v, want %s", err, tc.want)
			}
		})
	}
	if _, err := v.load(t.Context(), "title,photo\nA,good.jpg\n", ImportOptions{}); !isProblems(err) {
		t.Errorf("photos without a directory: %v, want problems", err)
	}
	longName := ImportOptions{Batch: strings.Repeat("x", 121)}
	if _, err := v.load(t.Context(), "title\nA\n", longName); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("batch with a long name: %v, want invalid_request", err)
	}
	if diff := cmp.Diff(before, v.state(t)); diff != "" {
		t.Errorf("state (-before +after):\n%s", diff)
	}
}

func TestImport_StoresPhotos(t *testing.T) {
	t.Parallel()
	v := setup(t)
	dir := t.TempDir()
	picture(t, dir, "front.jpg", 100)
	picture(t, dir, "listing.jpg", 150)
	content := "title,photo_front,photo_listing,price,quantity\n" +
		",front.jpg,,,1\nTide Crab,front.jpg,listing.jpg,5,2\nMud Owl,https://images.example/owl.jpg,,,\n"
	report, err := v.load(t.Context(), content, ImportOptions{Photos: dir})
	if err != nil || report.Cards != 4 || report.Photos != 5 {
		t.Fatalf("Import = %+v, %v, want 4 cards and 5 photos", report, err)
	}
	all := v.all(t)
	slices.Reverse(all)
	for i, want := range []struct {
		status cards.Status
		photos int
	}{{cards.Imported, 1}, {cards.Photographed, 2}, {cards.Photographed, 2}, {cards.Identified, 1}} {
		if all[i].Status != want.status || len(all[i].Photos) != want.photos {
			t.Errorf("card %d: %s with photos %+v, want %s with %d",
				i, all[i].Status, all[i].Photos, want.status, want.photos)
		}
	}
	if all[1].Photos[0].ID == all[2].Photos[0].ID || len(v.pictures(t)) != 5 {
		t.Errorf("copies share a photo: %+v, stored %v", all[1].Photos, v.pictures(t))
	}
	// The card without a title is enqueued to be identified, the photo URL to be fetched.
	if v.count(t, "identifications") != 1 || v.count(t, "photo_fetches") != 1 {
		t.Errorf("%d identifications and %d fetches are enqueued, want one each",
			v.count(t, "identifications"), v.count(t, "photo_fetches"))
	}
}

// An import that ends before it is accepted leaves nothing. Here its context ends after all photos are stored.
func TestImport_CancelledBeforeAcceptance(t *testing.T) {
	t.Parallel()
	v := setup(t)
	dir := t.TempDir()
	picture(t, dir, "front.jpg", 100)
	before := v.state(t)
	ctx, cancel := context.WithCancel(t.Context())
	content := "title,photo,quantity\nA,front.jpg,3\n" + strings.Repeat("B,,1\n", 2*maxChunkCards)
	_, err := v.Import(ctx, v.account, strings.NewReader(content), ImportOptions{Photos: dir}, func(done, _ int) {
		if done == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Import = %v, want context.Canceled", err)
	}
	if diff := cmp.Diff(before, v.state(t)); diff != "" {
		t.Errorf("state (-before +after):\n%s", diff)
	}
}

func TestExport_RoundTrips(t *testing.T) {
	t.Parallel()
	v := setup(t)
	content := realInventory(t, 450) // three pages
	if _, err := v.load(t.Context(), content, ImportOptions{Batch: "Attic"}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	var progress []int
	n, err := v.Export(t.Context(), &out, v.account, cards.Filter{},
		func(done int) { progress = append(progress, done) })
	if err != nil || n != 450 || !slices.Equal(progress, []int{200, 400, 450}) {
		t.Fatalf("Export = %d, %v, progress %v, want 450 cards on three pages", n, err, progress)
	}
	exported := read(t, out.String())
	imported := read(t, content)
	slices.Reverse(exported.Rows) // the export begins with the newest
	batch := "Attic"
	for i, got := range exported.Rows {
		want := imported.Rows[i]
		got.Line, want.Line, want.Batch, want.CardID = 0, 0, &batch, got.CardID
		if diff := cmp.Diff(want, got, allFields); diff != "" {
			t.Fatalf("row %d (-want +got):\n%s", i, diff)
		}
	}
}

func TestImport_FiveThousandRealCards(t *testing.T) {
	t.Parallel()
	v := setup(t)
	content := realInventory(t, 5000)
	begun := time.Now()
	report, err := v.load(t.Context(), content, ImportOptions{Batch: "Everything"})
	took := time.Since(begun)
	if err != nil || report.Cards != 5000 {
		t.Fatalf("Import = %+v, %v, want 5000 cards", report, err)
	}
	// Each card was identified and priced: card.identified, card.priced and two changes of status.
	if cards, events := v.count(t, "cards"), v.count(t, "events"); cards != 5000 || events != 20_000 {
		t.Errorf("%d cards and %d events, want 5000 and 20000", cards, events)
	}
	t.Logf("5,000 cards in %v", took)
}

func BenchmarkImport5000(b *testing.B) {
	v := setup(b)
	content := realInventory(b, 5000)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if _, err := v.load(b.Context(), content, ImportOptions{Batch: "Everything"}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(5000*float64(b.N)/b.Elapsed().Seconds(), "cards/s")
}

func TestImport_SkipsRowsWithoutStock(t *testing.T) {
	t.Parallel()
	v := setup(t)
	report, err := v.load(t.Context(), "title,quantity,condition\nEmber Fox,0,whatever\n", ImportOptions{})
	if err != nil || report.Cards != 0 || report.Skipped != 1 || v.count(t, "cards") != 0 {
		t.Errorf("Import = %+v, %v, want one skipped row", report, err)
	}
}

// New cards keep the hints of the import. Existing cards keep what they have.
func TestImport_Hints(t *testing.T) {
	t.Parallel()
	v := setup(t)
	old := catalog.Hints{Set: "First Light"}
	existing := titled("Ember Fox")
	existing.ExternalID, existing.Hints = cards.Set("shop-1"), old
	made := v.create(t, existing)[0]
	dir := t.TempDir()
	picture(t, dir, "a.jpg", 100)
	hints := catalog.Hints{Game: "magic", Language: "ja"}
	file := "external_id,title,photo_front,quantity,notes\nshop-1,,,1,changed\n,,a.jpg,2,new\n"
	if _, err := v.load(t.Context(), file, ImportOptions{Photos: dir, Hints: hints}); err != nil {
		t.Fatal(err)
	}
	all := v.all(t)
	if len(all) != 3 {
		t.Fatalf("got %d cards, want 3", len(all))
	}
	for _, card := range all {
		want := hints
		if card.ID == made.ID {
			want = old
		}
		if got, err := v.cards.Hints(t.Context(), v.account, card.ID); err != nil || !cmp.Equal(got, want) {
			t.Errorf("hints of %s: got %+v, %v, want %+v", *card.Notes, got, err, want)
		}
	}
	_, err := v.load(t.Context(), file, ImportOptions{Photos: dir, Hints: catalog.Hints{Game: "chess"}})
	if f, ok := fault.As(err); !ok || f.Details[0].Field != "hints.game" || len(v.all(t)) != 3 {
		t.Errorf("Import with an unknown game = %v, want an error of hints.game and no new card", err)
	}
}
