package csvfile

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/sharedtest"
)

// vault is a Service with an account, a database and a photo store of its own.
type vault struct {
	*Service
	account string
	batches *batches.Service
	store   string // the directory of the photo store
}

func setup(t testing.TB) vault {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors(make([]byte, 32))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil) // without webhooks
	grouped := batches.New(db, clock.System, cursors, recorder)
	inventory := cards.New(db, clock.System, cursors, recorder, grouped, cards.NewQueues())
	dir := t.TempDir()
	store, err := photos.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	kept := photos.NewService(inventory, store, nil, clock.System)
	account, err := accounts.New(db, clock.System).Create(t.Context(), "Ada's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	return vault{New(db, clock.System, inventory, grouped, kept), account.ID, grouped, dir}
}

// load imports a file.
func (v vault) load(ctx context.Context, content string, o ImportOptions) (Report, error) {
	return v.Import(ctx, v.account, strings.NewReader(content), o, nil)
}

// all returns the account's cards, newest first.
func (v vault) all(t testing.TB) []cards.Card {
	t.Helper()
	found, err := v.cards.List(t.Context(), v.account, cards.Filter{}, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		t.Fatal(err)
	}
	return found.Data
}

// state returns the number of rows of every table, the account's clock and the files in the photo store.
func (v vault) state(t testing.TB) string {
	t.Helper()
	var tables []string
	err := v.db.Select(t.Context(), &tables, `
		SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`)
	if err != nil {
		t.Fatal(err)
	}
	var state strings.Builder
	for _, table := range tables {
		fmt.Fprintf(&state, "%s %d\n", table, v.count(t, table))
	}
	var last string
	err = v.db.Get(t.Context(), &last, `SELECT last_at::text FROM account_clock WHERE account_id = $1`, v.account)
	if err != nil {
		t.Fatal(err)
	}
	return state.String() + last + " " + strings.Join(v.pictures(t), " ")
}

// count returns the number of rows of a table.
func (v vault) count(t testing.TB, table string) (n int) {
	t.Helper()
	if err := v.db.Get(t.Context(), &n, `SELECT count(*) FROM `+table); err != nil {
		t.Fatal(err)
	}
	return n
}

// pictures returns the files in the photo store.
func (v vault) pictures(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(v.store, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// picture writes a small photo of one colour to dir.
func picture(t testing.TB, dir, name string, shade uint8) {
	t.Helper()
	img := image.NewGray(image.Rect(0, 0, 320, 400))
	for i := range img.Pix {
		img.Pix[i] = color.Gray{Y: shade}.Y
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// realInventory returns a file of real cards in the format of TCGplayer's exports.
func realInventory(t testing.TB, rows int) string {
	t.Helper()
	archive, err := zip.OpenReader(sharedtest.Path(t, "data/catalog/pokemon-tcg-data.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Write([]string{
		"Product Line", "Set Name", "Product Name", "Number", "Condition", "Total Quantity", "TCG Marketplace Price",
		"Cost", "Language", "Location", "SKU", "Notes",
	})
	conditions := []string{"Near Mint", "Lightly Played Holofoil", "Moderately Played Reverse Holofoil"}
	made := 0
	for _, f := range archive.File {
		if made == rows || !strings.Contains(f.Name, "/cards/") || !strings.HasSuffix(f.Name, ".json") {
			continue
		}
		set := strings.TrimSuffix(filepath.Base(f.Name), ".json")
		for _, c := range realCards(t, f) {
			if made == rows {
				break
			}
			made++
			price := fmt.Sprintf("%d.%02d", made%90, made%100)
			location := fmt.Sprintf("Room A/Shelf %d/Box %d/%d", made/1000, made/100, made%100)
			w.Write([]string{
				"Pokemon", set, c.Name, c.Number, conditions[made%3], "1", price,
				"0.10", "English", location, fmt.Sprintf("SKU-%05d", made), c.Flavor,
			})
		}
	}
	if w.Flush(); made < rows || w.Error() != nil {
		t.Fatalf("the archive contains %d cards, %v, want %d", made, w.Error(), rows)
	}
	return out.String()
}

// realCard is a card of the archive.
type realCard struct {
	Name, Number string
	Flavor       string `json:"flavorText"`
}

// realCards reads a file of the archive.
func realCards(t testing.TB, f *zip.File) (list []realCard) {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := json.NewDecoder(r).Decode(&list); err != nil {
		t.Fatal(err)
	}
	return list
}
