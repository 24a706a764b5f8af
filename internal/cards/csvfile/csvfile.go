// Package csvfile moves cards between accounts and files: it reads the CSV files that people have
// of their collections, whichever program made them, and writes files of its own.
//
// An import is all or nothing: one wrong row and nothing is imported, and every wrong row is named
// with its line. While a file is read, its rows are staged in the database in chunks. Once the whole
// file is known to be right the import is accepted, and from then on every row becomes a card, whatever
// happens to the process: chunks are applied in transactions that are kept short, so that the account's
// other writers wait for no more than one or two of them, and the workers finish what a process leaves.
// Neither the file nor its cards are ever held in memory or in one transaction as a whole.
//
// The package never updates cards that exist, and prices none by what a market says.
package csvfile

import (
	"context"
	"io"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// The bounds of one file.
const (
	// MaxBytes is the largest file: a million rows of the widest exports.
	MaxBytes = 512 << 20
	// MaxRowBytes bounds one row, which is held in memory: many times what the widest exports need.
	MaxRowBytes = 1 << 20
	// MaxCards is how many cards one file may hold, copies included.
	MaxCards = 500_000
	// MaxQuantity is how many copies one row may stand for.
	MaxQuantity = 1_000
)

// Row is what one row of a file says of a card. Values that are missing are nil. In JSON it is what
// is staged of a row.
type Row struct {
	// Line is where the row begins in its file, from 1. Rows to be written have none.
	Line int `json:"line"`
	// Quantity is how many copies the row stands for. Write leaves it out: its rows are one card each.
	Quantity int `json:"-"`
	cards.Description
	AskingPrice *money.Money `json:"asking_price,omitempty"`
	Cost        *money.Money `json:"cost,omitempty"`
	Location    *string      `json:"location,omitempty"`
	Batch       *string      `json:"batch,omitempty"` // the batch's name
	SKU         *string      `json:"sku,omitempty"`
	Notes       *string      `json:"notes,omitempty"`
	// Photos are at most one a role. Write leaves them out: a file holds no pictures.
	Photos []Photo `json:"photos,omitempty"`
	// CardID and Status tell what a written row was; Read leaves them empty.
	CardID string       `json:"-"`
	Status cards.Status `json:"-"`
}

// Photo is a picture that a row names.
type Photo struct {
	Role cards.Role `json:"role"`
	// Name is the name of a file in the directory of photos, or an http(s) address.
	Name string `json:"name"`
}

// files are the pictures that the row names by file.
func (r *Row) files() (list []Photo) {
	for _, photo := range r.Photos {
		if !photo.remote() {
			list = append(list, photo)
		}
	}
	return list
}

// RowOf returns the row of a card. batch is the name of its batch, nil if it is in none.
func RowOf(c cards.Card, batch *string) Row {
	return Row{
		Quantity: 1, Description: c.Identification.Description,
		AskingPrice: c.Pricing.AskingPrice, Cost: c.Pricing.Cost,
		Location: c.Location, Batch: batch, SKU: c.SKU, Notes: c.Notes, CardID: c.ID, Status: c.Status,
	}
}

// draft returns the card to be made of a row, without its batch and its files.
func (r *Row) draft() cards.Draft {
	d := cards.Draft{Patch: cards.Patch{
		Title: given(r.Title), Set: given(r.Set), Number: given(r.Number), CatalogID: given(r.CatalogID),
		Game: given(r.Game), Year: given(r.Year), Variant: given(r.Variant), Language: given(r.Language),
		Condition: given(r.Condition), Grade: given(r.Grade),
		AskingPrice: given(r.AskingPrice), Cost: given(r.Cost),
		Location: given(r.Location), SKU: given(r.SKU), Notes: given(r.Notes),
	}}
	for _, p := range r.Photos {
		if p.remote() {
			d.Photos = append(d.Photos, cards.NewPhoto{URL: p.Name, Role: p.Role})
		}
	}
	return d
}

// given is a field that is set where there is a value and untouched where there is none.
func given[T any](v *T) cards.Field[T] {
	if v == nil {
		return cards.Field[T]{}
	}
	return cards.Set(*v)
}

// Batches is what files need of batches: they know them by name.
type Batches interface {
	// OpenNamed returns the account's newest open batch of this name, made if there is none.
	OpenNamed(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, name string) (batchID string, err error)
	Name(ctx context.Context, accountID, batchID string) (string, error)
}

// Photos keeps pictures for cards that are still to be made.
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
