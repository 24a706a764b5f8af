// Package csvfile imports and exports cards as CSV files. It reads the exports of common collection programs and writes
// a format of its own. A row that names an existing card updates that card; other rows create cards. To import an
// export changes nothing.
//
// An import is atomic: if one row is invalid, nothing is imported, and every invalid row is reported with its line.
// While a file is read, its rows are staged in the database in chunks. If the whole file is valid, the import is
// accepted. From then on every row is applied even if the process crashes: workers finish the imports of crashed
// processes. Chunks are applied in short transactions, so that the account's other writers wait for one or two
// transactions at most. Neither the file nor its cards are ever held in memory or in one transaction as a whole.
//
// The package never deletes cards, never clears their values, never changes the photos of existing cards and never uses
// market prices as asking prices.
package csvfile

import (
	"context"
	"io"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// The limits of one file.
const (
	// MaxBytes is the maximum file size: a million rows of the widest exports.
	MaxBytes = 512 << 20
	// MaxRowBytes limits one row, which is held in memory. It is many times a row of the widest exports.
	MaxRowBytes = 1 << 20
	// MaxCards is the maximum number of cards of a file, including copies.
	MaxCards = 500_000
	// MaxQuantity is the maximum quantity of a row.
	MaxQuantity = 1_000
)

// Row is one row of a file. Missing values are nil. Rows are staged as JSON.
type Row struct {
	// Line is the first line of the row in its file, from 1. Write ignores it.
	Line int `json:"line"`
	// Quantity is the number of copies. Write ignores it: it writes one row per card.
	Quantity int `json:"-"`
	// Patch has the values of the row's cells. A row never clears a value. Keys of the metadata that are missing keep
	// their values.
	cards.Patch
	Batch *string `json:"batch,omitempty"` // the batch's name
	// Photos has at most one photo per role. Write ignores it.
	Photos []Photo `json:"photos,omitempty"`
	// CardID is the card that the row describes, or "".
	CardID string `json:"card_id,omitempty"`
	// Status is for Write. Read leaves it empty.
	Status cards.Status `json:"-"`
	// OnConflict is for staged rows of new cards. It applies if a card has got their external id since.
	OnConflict cards.OnConflict `json:"on_conflict,omitempty"`
	// Hints are for staged rows of new cards.
	Hints catalog.Hints `json:"hints,omitzero"`
}

// Photo is a photo that a row refers to.
type Photo struct {
	Role cards.Role `json:"role"`
	// Name is the name of a file in the photo directory, or an http(s) URL.
	Name string `json:"name"`
}

// files returns the photos of the row that are files.
func (r *Row) files() (list []Photo) {
	for _, photo := range r.Photos {
		if !photo.remote() {
			list = append(list, photo)
		}
	}
	return list
}

// RowOf returns the row of a card. batch is the name of its batch or nil.
func RowOf(c cards.Card, batch *string) Row {
	return Row{Quantity: 1, Patch: c.Owned(), Batch: batch, CardID: c.ID, Status: c.Status}
}

// draft returns the draft of a row's card, without its batch and its files.
func (r *Row) draft() cards.Draft {
	d := cards.Draft{Patch: r.Patch, Hints: r.Hints}
	for _, p := range r.Photos {
		if p.remote() {
			d.Photos = append(d.Photos, cards.NewPhoto{URL: p.Name, Role: p.Role})
		}
	}
	return d
}

// Batches is the part of package batches that imports and exports use. Files refer to batches by name.
type Batches interface {
	// OpenNamed returns the account's newest open batch of this name. It creates the batch if there is none.
	OpenNamed(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, name string) (batchID string, err error)
	Name(ctx context.Context, accountID, batchID string) (string, error)
	// Closed returns the errors with which moving cards into or out of some of the batches would fail, by batch id.
	Closed(ctx context.Context, q postgres.Querier, accountID string, batchIDs []string) (map[string]error, error)
}

// Photos stores photos for cards that do not exist yet.
type Photos interface {
	Keep(ctx context.Context, accountID string, role cards.Role, body io.Reader) (cards.Photo, error)
	Discard(ctx context.Context, accountID string, photo cards.Photo)
}

// Service imports and exports the cards of accounts.
type Service struct {
	db      *postgres.DB
	clock   clock.Clock
	cards   *cards.Service
	batches Batches
	photos  Photos
	imports *queue.Queue
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, cards *cards.Service, batches Batches, photos Photos) *Service {
	return &Service{
		db: db, clock: c, cards: cards, batches: batches, photos: photos,
		imports: queue.New("card_imports", "import_id"),
	}
}
