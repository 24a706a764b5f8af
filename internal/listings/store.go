package listings

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

const columns = `account_id, id, card_id, marketplace, status, title, price_amount, price_currency, external_id, url,
	failure_code, failure_message, revision_status, revision_code, revision_message, revision_delayed_until,
	sold_amount, sold_currency, buyer_reference, end_reason, published_at, sold_at, ended_at, version, created_at,
	updated_at`

// row is a row of the table listings.
type row struct {
	AccountID       string         `db:"account_id"`
	ID              string         `db:"id"`
	CardID          string         `db:"card_id"`
	Marketplace     string         `db:"marketplace"`
	Status          Status         `db:"status"`
	Title           string         `db:"title"`
	PriceAmount     int64          `db:"price_amount"`
	PriceCurrency   string         `db:"price_currency"`
	ExternalID      *string        `db:"external_id"`
	URL             *string        `db:"url"`
	FailureCode     *string        `db:"failure_code"`
	FailureMessage  *string        `db:"failure_message"`
	RevisionStatus  RevisionStatus `db:"revision_status"`
	RevisionCode    *string        `db:"revision_code"`
	RevisionMessage *string        `db:"revision_message"`
	RevisionDelay   *time.Time     `db:"revision_delayed_until"`
	SoldAmount      *int64         `db:"sold_amount"`
	SoldCurrency    *string        `db:"sold_currency"`
	BuyerReference  *string        `db:"buyer_reference"`
	EndReason       *string        `db:"end_reason"`
	PublishedAt     *time.Time     `db:"published_at"`
	SoldAt          *time.Time     `db:"sold_at"`
	EndedAt         *time.Time     `db:"ended_at"`
	Version         int64          `db:"version"`
	CreatedAt       time.Time      `db:"created_at"`
	UpdatedAt       time.Time      `db:"updated_at"`
}

func (r row) listing() Listing {
	l := Listing{
		AccountID: r.AccountID, ID: r.ID, CardID: r.CardID, Marketplace: r.Marketplace, Status: r.Status,
		Title: r.Title, Price: money.Money{Amount: r.PriceAmount, Currency: r.PriceCurrency},
		ExternalID: r.ExternalID, URL: r.URL, Revision: Revision{Status: r.RevisionStatus},
		BuyerReference: r.BuyerReference, EndReason: r.EndReason,
		PublishedAt: r.PublishedAt, SoldAt: r.SoldAt, EndedAt: r.EndedAt,
		Version: r.Version, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if r.FailureCode != nil {
		l.Failure = &Failure{Code: *r.FailureCode, Message: text(r.FailureMessage)}
	}
	if r.RevisionCode != nil {
		l.Revision.Failure = &Failure{Code: *r.RevisionCode, Message: text(r.RevisionMessage)}
	}
	if r.RevisionStatus == RevisionPending {
		l.Revision.DelayedUntil = r.RevisionDelay
	}
	if r.SoldAmount != nil {
		l.SoldPrice = &money.Money{Amount: *r.SoldAmount, Currency: text(r.SoldCurrency)}
	}
	return l
}

// find returns a listing, or listing_not_found if the account does not have it.
func find(ctx context.Context, q postgres.Querier, accountID, listingID string) (Listing, error) {
	var r row
	err := q.Get(ctx, &r, `SELECT `+columns+` FROM listings WHERE account_id = $1 AND id = $2`, accountID, listingID)
	if errors.Is(err, sql.ErrNoRows) {
		return Listing{}, NotFound()
	}
	if err != nil {
		return Listing{}, fmt.Errorf("load listing: %w", err)
	}
	return r.listing(), nil
}

// list reads one page of listings.
func list(
	ctx context.Context, db *postgres.DB, accountID string, f Filter, after *paging.Position, size int,
) (read paging.Read[Listing], err error) {
	l := paging.List{
		Columns: columns, Table: "listings", Sort: paging.ByTime("created_at"), ID: "id", Account: accountID,
		Since: f.UpdatedSince,
	}
	if f.UpdatedSince != nil {
		l.Sort = paging.ByTime("updated_at")
	}
	if len(f.Statuses) > 0 {
		l.Filter = append(l.Filter, paging.Where("status = ANY(?)", pq.Array(f.Statuses)))
	}
	if f.Card != nil {
		card, _ := id.Parse(id.Card, *f.Card) // a malformed identifier matches nothing
		l.Leading = &paging.LeadingColumn{Column: "card_id", Value: card}
	}
	if f.Marketplace != nil {
		l.Filter = append(l.Filter, paging.Where("marketplace = ?", *f.Marketplace))
	}
	var rows []struct {
		row
		paging.Scanned
	}
	if err := paging.Select(ctx, db, &rows, l, after, size); err != nil {
		return read, fmt.Errorf("list listings: %w", err)
	}
	for _, r := range rows {
		read.Add(r.listing(), r.Scanned)
	}
	return read, nil
}

// insert stores a new listing.
func insert(ctx context.Context, tx *postgres.Tx, l Listing) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO listings (account_id, id, card_id, marketplace, status, title, price_amount, price_currency,
			version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		l.AccountID, l.ID, l.CardID, l.Marketplace, string(l.Status), l.Title, l.Price.Amount, l.Price.Currency,
		l.Version, l.CreatedAt, l.UpdatedAt)
	return err
}

// update stores the mutable columns of a listing.
func update(ctx context.Context, tx *postgres.Tx, l Listing) error {
	var failureCode, failureMessage, revisionCode, revisionMessage, soldCurrency *string
	var soldAmount *int64
	if l.Failure != nil {
		failureCode, failureMessage = &l.Failure.Code, &l.Failure.Message
	}
	if l.Revision.Failure != nil {
		revisionCode, revisionMessage = &l.Revision.Failure.Code, &l.Revision.Failure.Message
	}
	if l.SoldPrice != nil {
		soldAmount, soldCurrency = &l.SoldPrice.Amount, &l.SoldPrice.Currency
	}
	_, err := tx.Exec(ctx, `
		UPDATE listings SET status = $3, external_id = $4, url = $5, failure_code = $6, failure_message = $7,
			sold_amount = $8, sold_currency = $9, buyer_reference = $10, end_reason = $11,
			published_at = $12, sold_at = $13, ended_at = $14, version = $15, updated_at = $16,
			title = $17, price_amount = $18, price_currency = $19,
			revision_status = $20, revision_code = $21, revision_message = $22, revision_delayed_until = $23,
			pictures = CASE WHEN $3 = 'publishing' THEN pictures END
		WHERE account_id = $1 AND id = $2`,
		l.AccountID, l.ID, string(l.Status), l.ExternalID, l.URL, failureCode, failureMessage,
		soldAmount, soldCurrency, l.BuyerReference, l.EndReason,
		l.PublishedAt, l.SoldAt, l.EndedAt, l.Version, l.UpdatedAt,
		l.Title, l.Price.Amount, l.Price.Currency,
		string(l.Revision.Status), revisionCode, revisionMessage, l.Revision.DelayedUntil)
	return err
}
