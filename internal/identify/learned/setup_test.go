package learned

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// world is a database with a catalogue, accounts and a worker, whose photos the tests choose.
type world struct {
	t        testing.TB
	db       *postgres.DB
	accounts *accounts.Service
	cards    *cards.Service
	queues   cards.Queues
	catalog  *catalog.Service
	worker   *Worker
	account  string // of the cards

	mu     sync.Mutex
	photos map[string][]byte // by id
	onLoad func()            // may be nil; called once
}

func newWorld(t testing.TB) *world {
	t.Helper()
	db := pgtest.New(t)
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	recorder := events.NewRecorder(nil)
	w := &world{
		t: t, db: db, queues: cards.NewQueues(), catalog: catalog.New(db), accounts: accounts.New(db, clock.System),
		photos: map[string][]byte{},
	}
	w.cards = cards.New(db, clock.System, cursors, recorder, batches.New(db, clock.System, cursors, recorder), w.queues)
	w.cards.UseCatalogue(w.catalog)
	w.worker = &Worker{
		DB: db, Clock: clock.System, Catalogue: w.catalog, Cards: w.cards, Photos: w, Queue: w.queues.Learning,
		Slots: free{},
		Survey: func(_ context.Context, photo []byte) (vision.Survey, error) {
			picture, err := vision.Decode(photo)
			if err != nil {
				return vision.Survey{}, err
			}
			return vision.Examine(picture), nil
		},
	}
	w.account = w.newAccount()
	w.importFile(catalog.CSV, "id,name,set,number,language\n"+
		"ember-1,Ember Fox,Dawn,1,en\nember-2,Ash Owl,Dawn,2,en\nember-3,Coal Newt,Dawn,3,en\n")
	return w
}

func (w *world) newAccount() string {
	w.t.Helper()
	account, err := w.accounts.Create(w.t.Context(), "Test", false)
	if err != nil {
		w.t.Fatal(err)
	}
	return account.ID
}

func (w *world) importFile(format catalog.Format, content string) {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), "catalogue")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.catalog.Import(w.t.Context(), format, path, nil); err != nil {
		w.t.Fatal(err)
	}
}

// pictured gives the catalogue's card the fingerprint of a picture.
func (w *world) pictured(cardID string, img *image.RGBA) {
	w.t.Helper()
	w.importFile(catalog.Fingerprints, fmt.Sprintf(`{%q: {"hash": "%x"}}`, cardID, vision.Fingerprint(img)))
}

// Load implements Photos.
func (w *world) Load(_ context.Context, _ string, photo cards.Photo) ([]byte, error) {
	w.mu.Lock()
	onLoad := w.onLoad
	w.onLoad = nil
	data, ok := w.photos[photo.ID]
	w.mu.Unlock()
	if onLoad != nil {
		onLoad()
	}
	if !ok {
		return nil, fault.NotFound(fault.PhotoNotFound)
	}
	return data, nil
}

// photographed adds a photo of the front to a card, in place of another one.
func (w *world) photographed(cardID string, data []byte) {
	w.t.Helper()
	photo := cards.Photo{
		ID: id.New(id.Photo, time.Now()), Role: cards.RoleFront, Status: cards.PhotoReady, ContentType: "image/png",
	}
	w.mu.Lock()
	w.photos[photo.ID] = data
	w.mu.Unlock()
	if _, _, err := w.cards.PutPhoto(w.t.Context(), w.account, cardID, photo); err != nil {
		w.t.Fatal(err)
	}
}

// confirmed creates a card with a photo, which the owner identifies as one of the catalogue.
func (w *world) confirmed(catalogID string, img *image.RGBA) (cardID string) {
	w.t.Helper()
	made, err := w.cards.Create(w.t.Context(), w.account, make([]cards.Draft, 1), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.photographed(made[0].ID, encoded(w.t, img))
	w.patch(made[0].ID, cards.Patch{CatalogID: cards.Set(catalogID)})
	return made[0].ID
}

func (w *world) patch(cardID string, p cards.Patch) {
	w.t.Helper()
	if _, err := w.cards.Update(w.t.Context(), w.account, cardID, p, nil); err != nil {
		w.t.Fatal(err)
	}
}

// work learns from all cards of the account that are queued.
func (w *world) work() {
	w.t.Helper()
	claims, err := w.queues.Learning.Claim(w.t.Context(), w.db, w.account, 100, time.Hour)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, claim := range claims {
		if err := w.worker.handle(w.t.Context(), claim); err != nil {
			w.t.Fatal(err)
		}
	}
	var left int
	err = w.db.Get(w.t.Context(), &left, `SELECT count(*) FROM fingerprint_work WHERE account_id = $1`, w.account)
	if err != nil || left != 0 {
		w.t.Fatalf("%d cards are left in the queue, %v", left, err)
	}
}

// learned returns the printings of the account's fingerprints, in order of time, separated by spaces.
func (w *world) learned() string {
	w.t.Helper()
	var ids []string
	err := w.db.Select(w.t.Context(), &ids, `
		SELECT catalog_id FROM learned_fingerprints WHERE account_id = $1 ORDER BY learned_at`, w.account)
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.Join(ids, " ")
}

// proposed and evident return the cards that a search proposes for a picture, with ? if only one other account does,
// and those whose fingerprints are evidence, if they are near.
func (w *world) proposed(shared bool, img *image.RGBA) string {
	w.t.Helper()
	c := NewCatalogue(w.catalog, w.db, shared)
	found, err := c.ByFingerprint(For(w.t.Context(), w.account), catalog.Hints{}, vision.Fingerprint(img), 5)
	if err != nil {
		w.t.Fatal(err)
	}
	var ids []string
	for _, m := range found {
		switch {
		case m.Distance < 50:
			ids = append(ids, m.Card.ID)
		case m.Distance == unconfirmed:
			ids = append(ids, m.Card.ID+"?")
		}
	}
	return strings.Join(ids, " ")
}

func (w *world) evident(shared bool, img *image.RGBA) string {
	w.t.Helper()
	c := NewCatalogue(w.catalog, w.db, shared)
	all := []string{"ember-1", "ember-2", "ember-3"}
	found, err := c.Distances(For(w.t.Context(), w.account), vision.Fingerprint(img), all)
	if err != nil {
		w.t.Fatal(err)
	}
	var ids []string
	for _, id := range all {
		if bits, ok := found[id]; ok && bits < 50 {
			ids = append(ids, id)
		}
	}
	return strings.Join(ids, " ")
}

// picture returns a card that differs for each seed.
func picture(seed uint64) *image.RGBA {
	random := rand.New(rand.NewPCG(seed, 1))
	img := image.NewRGBA(image.Rect(0, 0, 500, 700))
	for y := range 14 {
		for x := range 10 {
			shade := color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255}
			for i := range 50 * 50 {
				img.SetRGBA(50*x+i%50, 50*y+i/50, shade)
			}
		}
	}
	return img
}

func encoded(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
