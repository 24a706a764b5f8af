package csvfile

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
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
	report, err := v.Import(t.Context(), v.account, strings.NewReader(sample), ImportOptions{Batch: "Attic"}, func(done, total int) { last = [2]int{done, total} })
	if err != nil || report.Cards != 3 || last != [2]int{3, 3} {
		t.Fatalf("got %+v, %v, progress %v", report, err, last)
	}
	all := v.all(t)
	slices.Reverse(all)
	if len(all) != 3 || *all[0].Identification.Title != "Ember Fox" || all[0].Status != cards.Priced || all[0].Pricing.Cost.Amount != 300 ||
		*all[1].Identification.Title != "Tide Crab" || all[2].Status != cards.Identified || *all[1].BatchID != *all[2].BatchID {
		t.Fatalf("got %+v", all)
	}
	for i, want := range []struct {
		name  string
		count int
	}{{"Attic", 1}, {"Spring fair", 2}} {
		b, err := v.batches.Get(t.Context(), v.account, *all[i].BatchID)
		if err != nil || b.Name != want.name || b.CardCount != want.count {
			t.Errorf("got %+v, %v, want %v", b, err, want)
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
	for range 2 { // the first makes one beside the complete one, the second uses it
		if _, err := v.load(t.Context(), "title\nEmber Fox\n", ImportOptions{Batch: "Attic"}); err != nil {
			t.Fatal(err)
		}
	}
	all := v.all(t)
	if len(all) != 2 || *all[0].BatchID != *all[1].BatchID || *all[0].BatchID == complete.ID || v.count(t, "batches") != 2 {
		t.Fatalf("got %+v", all)
	}
}

func TestImport_BadFileChangesNothing(t *testing.T) {
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
	for _, tc := range []struct{ name, content, want string }{
		{"a bad row", sample + "Mud Owl,,,superb,,,,,,\n", `line 4, condition: "superb" is no condition: use one of NM, LP, MP, HP, DMG`},
		{"a missing picture", "title,photo\nA,good.jpg\nB,gone.jpg\n", `line 3, photo_front: there is no file "gone.jpg" in the directory of photos`},
		{"no picture", "title,photo\nA,good.jpg\nB,text.jpg\nC,good.jpg\n", `line 3, photo_front: "text.jpg": the photo must be a JPEG, PNG or WebP image; this looks like text/plain; charset=utf-8`},
		{"a picture elsewhere", "title,photo\nA,../../etc/hostname\n", `line 2, photo_front: "../../etc/hostname" is no file in the directory of photos that can be read`},
		{"a link elsewhere", "title,photo\nA,out.jpg\n", `line 2, photo_front: "out.jpg" is no file in the directory of photos that can be read`},
		{"a directory", "title,photo\nA,.\n", `line 2, photo_front: "." is no file in the directory of photos that can be read`},
	} {
		_, err := v.load(t.Context(), tc.content, ImportOptions{Photos: dir, Batch: "New"})
		if !isProblems(err) || err.Error() != tc.want {
			t.Errorf("%s: got %v, want %s", tc.name, err, tc.want)
		}
	}
	if _, err := v.load(t.Context(), "title,photo\nA,good.jpg\n", ImportOptions{}); !isProblems(err) {
		t.Errorf("photos without a directory: %v", err)
	}
	if _, err := v.load(t.Context(), "title\nA\n", ImportOptions{Batch: strings.Repeat("x", 121)}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a batch with a long name: %v", err)
	}
	if after := v.state(t); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

func TestImport_StoresPhotos(t *testing.T) {
	t.Parallel()
	v := setup(t)
	dir := t.TempDir()
	picture(t, dir, "front.jpg", 100)
	picture(t, dir, "listing.jpg", 150)
	report, err := v.load(t.Context(), "title,photo_front,photo_listing,price,quantity\n"+
		",front.jpg,,,1\nTide Crab,front.jpg,listing.jpg,5,2\nMud Owl,https://images.example/owl.jpg,,,\n", ImportOptions{Photos: dir})
	if err != nil || report.Cards != 4 || report.Photos != 5 {
		t.Fatalf("got %+v, %v", report, err)
	}
	all := v.all(t)
	slices.Reverse(all)
	for i, want := range []struct {
		status cards.Status
		photos int
	}{{cards.Imported, 1}, {cards.Photographed, 2}, {cards.Photographed, 2}, {cards.Identified, 1}} {
		if all[i].Status != want.status || len(all[i].Photos) != want.photos {
			t.Errorf("card %d: got %s, %+v", i, all[i].Status, all[i].Photos)
		}
	}
	if all[1].Photos[0].ID == all[2].Photos[0].ID || len(v.pictures(t)) != 5 {
		t.Errorf("copies share a picture: %+v, %v", all[1].Photos, v.pictures(t))
	}
	// The untitled card waits to be identified, the address to be fetched.
	if v.count(t, "identifications") != 1 || v.count(t, "photo_fetches") != 1 {
		t.Errorf("%d identifications and %d fetches wait", v.count(t, "identifications"), v.count(t, "photo_fetches"))
	}
}

// An import that ends before its acceptance, here because its context ends when all pictures are stored, leaves nothing.
func TestImport_UndoesWhatWasNotAccepted(t *testing.T) {
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
		t.Fatalf("got %v", err)
	}
	if after := v.state(t); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
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
	var told []int
	n, err := v.Export(t.Context(), &out, v.account, cards.Filter{}, func(done int) { told = append(told, done) })
	if err != nil || n != 450 || !slices.Equal(told, []int{200, 400, 450}) {
		t.Fatalf("got %d, %v, progress %v", n, err, told)
	}
	exported := read(t, out.String())
	imported := read(t, content)
	slices.Reverse(exported.Rows) // the newest stand first
	batch := "Attic"
	for i, got := range exported.Rows {
		want := imported.Rows[i]
		got.Line, want.Line, want.Batch = 0, 0, &batch
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("row %d\n got %q\nwant %q", i, got.cells(), want.cells())
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
		t.Fatalf("got %+v, %v", report, err)
	}
	// Each was identified and priced: two kinds of news and two steps.
	if n, told := v.count(t, "cards"), v.count(t, "events"); n != 5000 || told != 20_000 {
		t.Errorf("%d cards and %d events", n, told)
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
		t.Errorf("got %+v, %v", report, err)
	}
}
