package cards

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/groupcommit"
	"github.com/cardvault/cardvault/internal/postgres"
)

// columnNames are the columns of cards in the order of newRowReader and values: first the fields that owners change,
// each with its columns in the field's order.
var columnNames = slices.Concat([]string{"account_id", "id"}, ownedColumns(), []string{
	"workflow_status", "identification_status", "source", "provider", "confidence", "identified_at",
	"priced_at", "ever_priced", "listing_id", "listing_status", "sale_id", "archived", "photos", "metadata",
	"awaits_identification", "version", "created_at", "updated_at",
})

func ownedColumns() (names []string) {
	for _, f := range ownedFields {
		names = append(names, f.columns()...)
	}
	return names
}

// storedNames are the columns that are written. The last two are derived from the location, see keys.go.
var storedNames = slices.Concat(columnNames, []string{"location_order", "location_keyed"})

// columns are the selected columns. rewrite updates all mutable columns of a card.
var (
	columns = strings.Join(columnNames, ", ")
	rewrite = "UPDATE cards SET " + assignments(storedNames[2:], 3) + " WHERE account_id = $1 AND id = $2"
)

// assignments assigns numbered parameters to the columns, starting at first.
func assignments(columns []string, first int) string {
	list := make([]string, len(columns))
	for i, column := range columns {
		list[i] = fmt.Sprintf("%s = $%d", column, first+i)
	}
	return strings.Join(list, ", ")
}

// rowReader reads rows into the same variables, because a list spends a tenth of its time on allocating them for each
// row.
type rowReader struct {
	card                     Card
	parts                    []part
	listingID, listingStatus *string
	photos, metadata         []byte
	targets                  []any
}

// part is a value in several columns.
type part interface {
	// join sets the value of the reader's card to the values of the columns.
	join()
}

// newRowReader returns a reader of columns, followed by further columns that it stores in more.
func newRowReader(more ...any) *rowReader {
	r := &rowReader{targets: make([]any, 0, len(columnNames)+len(more))}
	c, i := &r.card, &r.card.Identification
	r.targets = append(r.targets, &c.AccountID, &c.ID)
	for _, f := range ownedFields {
		r.targets = append(r.targets, f.targets(r)...)
	}
	r.targets = append(r.targets,
		(*string)(&c.Status), (*string)(&i.Status), into(&i.Source), into(&i.Provider), into(&i.Confidence),
		into(&i.IdentifiedAt), into(&c.Pricing.PricedAt), &c.Pricing.EverPriced,
		into(&r.listingID), into(&r.listingStatus), into(&c.SaleID), &c.Archived, &r.photos, &r.metadata,
		&c.AutoIdentify, &c.Version, &c.CreatedAt, &c.UpdatedAt)
	r.targets = append(r.targets, more...)
	return r
}

// read returns the card of the current row.
func (r *rowReader) read(rows *postgres.Rows) (Card, error) {
	r.card = Card{}
	if err := rows.Scan(r.targets...); err != nil {
		return Card{}, err
	}
	for _, p := range r.parts {
		p.join()
	}
	c := r.card
	if r.listingID != nil {
		c.Listing = &ListingRef{ID: *r.listingID, Status: *r.listingStatus}
	}
	if string(r.metadata) != "{}" {
		if err := json.Unmarshal(r.metadata, &c.Metadata); err != nil {
			return Card{}, err
		}
	}
	if string(r.photos) == "[]" { // most cards of a list: skip the decoder
		return c, nil
	}
	return c, json.Unmarshal(r.photos, &c.Photos)
}

// optional scans a nullable column of type T. database/sql supports **T by reflection, which for thirty
// columns per card is a large part of the cost of a list.
type optional[T any] struct{ value **T }

func into[T any](value **T) optional[T] { return optional[T]{value} }

// Scan implements sql.Scanner.
func (o optional[T]) Scan(src any) error {
	if src == nil {
		*o.value = nil
		return nil
	}
	v, ok := src.(T)
	if !ok {
		return fmt.Errorf("cards: a column is a %T", src)
	}
	*o.value = &v
	return nil
}

// values returns the card's columns in the order of storedNames.
func values(c *Card) ([]any, error) {
	photos, err := jsonOr("[]", len(c.Photos), c.Photos)
	if err != nil {
		return nil, err
	}
	metadata, err := jsonOr("{}", len(c.Metadata), c.Metadata)
	if err != nil {
		return nil, err
	}
	row := append(make([]any, 0, len(storedNames)), c.AccountID, c.ID)
	for _, f := range ownedFields {
		row = f.appendValues(row, c)
	}
	var listingID, listingStatus *string
	if c.Listing != nil {
		listingID, listingStatus = &c.Listing.ID, &c.Listing.Status
	}
	i := &c.Identification
	order, keyed := c.locationOrder()
	return append(row,
		string(c.Status), string(i.Status), i.Source, i.Provider, i.Confidence, i.IdentifiedAt,
		c.Pricing.PricedAt, c.Pricing.EverPriced, listingID, listingStatus, c.SaleID, c.Archived, photos, metadata,
		c.AutoIdentify, c.Version, c.CreatedAt, c.UpdatedAt, order, keyed), nil
}

// jsonOr returns the value as JSON, or empty if it has no elements.
func jsonOr(empty string, elements int, value any) (postgres.JSON, error) {
	if elements == 0 {
		return postgres.JSON(empty), nil
	}
	text, err := json.Marshal(value)
	return postgres.JSON(text), err
}

// find returns a card, or card_not_found if the account does not have it.
func find(ctx context.Context, q postgres.Querier, accountID, cardID string) (Card, error) {
	list, err := query(ctx, q, 1, `SELECT `+columns+` FROM cards WHERE account_id = $1 AND id = $2`, accountID, cardID)
	if err != nil {
		return Card{}, fmt.Errorf("load card: %w", err)
	}
	if len(list) == 0 {
		return Card{}, NotFound()
	}
	return list[0], nil
}

// cardKey identifies a card of an account.
type cardKey struct{ accountID, cardID string }

// ownedCard is a card with the floor price of its account.
type ownedCard struct {
	Card
	floor accounts.FloorPrice
}

// findAll returns the cards of the writes that exist.
func findAll(
	ctx context.Context, q postgres.Querier, writes []*groupcommit.Write[*step],
) (map[cardKey]ownedCard, error) {
	owners, ids := make([]string, len(writes)), make([]string, len(writes))
	for i, w := range writes {
		owners[i], ids[i] = w.Stamp.AccountID, w.Value.cardID
	}
	rows, err := q.Query(ctx, `
		SELECT `+columns+`, `+accounts.FloorPriceOf("wanted.owner")+`
		FROM unnest($1::text[], $2::text[]) AS wanted(owner, card)
		CROSS JOIN LATERAL (SELECT `+columns+` FROM cards WHERE account_id = wanted.owner AND id = wanted.card) found`,
		pq.Array(owners), pq.Array(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	cards, floor := make(map[cardKey]ownedCard, len(writes)), accounts.FloorPrice{}
	reader := newRowReader(&floor)
	for rows.Next() {
		c, err := reader.read(rows)
		if err != nil {
			return nil, err
		}
		cards[cardKey{c.AccountID, c.ID}] = ownedCard{c, floor}
	}
	return cards, rows.Err()
}

// NotFound returns the error for a card that the account does not have.
func NotFound() error {
	return fault.NotFound(fault.CardNotFound)
}

// query reads the cards of a statement that returns at most most rows.
func query(ctx context.Context, q postgres.Querier, most int, text string, args ...any) ([]Card, error) {
	rows, err := q.Query(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found, reader := make([]Card, 0, most), newRowReader()
	for rows.Next() {
		c, err := reader.read(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	return found, rows.Err()
}

// insert stores new cards.
func insert(ctx context.Context, tx *postgres.Tx, added []Card) error {
	if len(added) == 0 {
		return nil
	}
	var failed error
	err := tx.InsertRows(ctx, "cards", storedNames, allValues(added, &failed))
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	writeDerived(tx, make([]Card, len(added)), added)
	return nil
}

// updateRows stores cards of one account that the transaction has read before. It defers the statements of a few cards,
// and writes many cards with one statement.
func updateRows(ctx context.Context, tx *postgres.Tx, accountID string, befores, afters []Card) error {
	var failed error
	rows := allValues(afters, &failed)
	if len(afters) <= maxBatch {
		for row := range rows {
			tx.Defer(rewrite, row...)
		}
	} else if err := tx.UpdateRows(ctx, "cards", accountID, storedNames, rows); err != nil {
		return errors.Join(err, failed)
	}
	writeDerived(tx, befores, afters)
	return failed
}

// allValues returns the columns, card by card. It ends at the first error, which it stores in failed.
func allValues(list []Card, failed *error) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for i := range list {
			row, err := values(&list[i])
			if err != nil {
				*failed = err
				return
			}
			if !yield(row) {
				return
			}
		}
	}
}

// findMany returns the cards of the account by identifier, without those that do not exist.
func findMany(ctx context.Context, q postgres.Querier, accountID string, ids []string) (map[string]Card, error) {
	list, err := query(ctx, q, len(ids),
		`SELECT `+columns+` FROM cards WHERE account_id = $1 AND id = ANY($2)`, accountID, pq.Array(ids))
	if err != nil {
		return nil, fmt.Errorf("load cards: %w", err)
	}
	found := make(map[string]Card, len(list))
	for _, c := range list {
		found[c.ID] = c
	}
	return found, nil
}

// fetch is a photo to fetch from a URL.
type fetch struct{ photoID, cardID, url string }

// insertFetches enqueues photos to be fetched now, in this order. The caller has marked the queue.
func insertFetches(ctx context.Context, tx *postgres.Tx, accountID string, fetches []fetch) error {
	photos, cardIDs, urls := make([]string, len(fetches)), make([]string, len(fetches)), make([]string, len(fetches))
	for i, f := range fetches {
		photos[i], cardIDs[i], urls[i] = f.photoID, f.cardID, f.url
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO photo_fetches (account_id, photo_id, card_id, url, due_at)
		SELECT $1, p, c, u, now() + (n - 1) * interval '1 microsecond'
		FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS f (p, c, u, n)`,
		accountID, pq.Array(photos), pq.Array(cardIDs), pq.Array(urls))
	return err
}
