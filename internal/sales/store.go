package sales

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

const columns = `account_id, id, card_id, listing_id, channel, order_reference, sold_at, currency, gross,
	shipping_charged, shipping_cost, tax, fees, cost_amount, cost_currency, card_title, card_set, card_number,
	buyer_reference, status, refunds, refund_parts, restocked_at, voided_at, shipped_at, carrier, tracking_number,
	version, created_at, updated_at`

// row is a row of the table sales.
type row struct {
	AccountID       string     `db:"account_id"`
	ID              string     `db:"id"`
	CardID          string     `db:"card_id"`
	ListingID       *string    `db:"listing_id"`
	Channel         string     `db:"channel"`
	OrderReference  *string    `db:"order_reference"`
	SoldAt          time.Time  `db:"sold_at"`
	Currency        string     `db:"currency"`
	Gross           int64      `db:"gross"`
	ShippingCharged int64      `db:"shipping_charged"`
	ShippingCost    int64      `db:"shipping_cost"`
	Tax             int64      `db:"tax"`
	Fees            []byte     `db:"fees"`
	CostAmount      *int64     `db:"cost_amount"`
	CostCurrency    *string    `db:"cost_currency"`
	CardTitle       *string    `db:"card_title"`
	CardSet         *string    `db:"card_set"`
	CardNumber      *string    `db:"card_number"`
	BuyerReference  *string    `db:"buyer_reference"`
	Status          Status     `db:"status"`
	Refunds         []byte     `db:"refunds"`
	RefundParts     []byte     `db:"refund_parts"`
	RestockedAt     *time.Time `db:"restocked_at"`
	VoidedAt        *time.Time `db:"voided_at"`
	ShippedAt       *time.Time `db:"shipped_at"`
	Carrier         *string    `db:"carrier"`
	TrackingNumber  *string    `db:"tracking_number"`
	Version         int64      `db:"version"`
	CreatedAt       time.Time  `db:"created_at"`
	UpdatedAt       time.Time  `db:"updated_at"`
}

func (r *row) sale() (Sale, error) {
	s := Sale{
		AccountID: r.AccountID, ID: r.ID, CardID: r.CardID, ListingID: r.ListingID, Channel: r.Channel,
		OrderReference: r.OrderReference, SoldAt: r.SoldAt, Gross: money.Money{Amount: r.Gross, Currency: r.Currency},
		ShippingCharged: r.ShippingCharged, ShippingCost: r.ShippingCost, Tax: r.Tax,
		Title: r.CardTitle, Set: r.CardSet, Number: r.CardNumber, BuyerReference: r.BuyerReference, Status: r.Status,
		RestockedAt: r.RestockedAt, VoidedAt: r.VoidedAt, ShippedAt: r.ShippedAt,
		Version: r.Version, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
	if r.CostAmount != nil && r.CostCurrency != nil {
		s.CostAtSale = &money.Money{Amount: *r.CostAmount, Currency: *r.CostCurrency}
	}
	if r.Carrier != nil && r.TrackingNumber != nil {
		s.Tracking = &Tracking{*r.Carrier, *r.TrackingNumber}
	}
	var err error
	s.Refunds, err = readRefunds(r.Refunds, r.RefundParts)
	if err = errors.Join(err, json.Unmarshal(r.Fees, &s.Fees)); err != nil {
		return Sale{}, fmt.Errorf("sales: the row of %s: %w", r.ID, err)
	}
	return s, nil
}

// find returns a sale, or sale_not_found if the account does not have it.
func find(ctx context.Context, q postgres.Querier, accountID, saleID string) (Sale, error) {
	var r row
	err := q.Get(ctx, &r, `SELECT `+columns+` FROM sales WHERE account_id = $1 AND id = $2`, accountID, saleID)
	if errors.Is(err, sql.ErrNoRows) {
		return Sale{}, NotFound()
	}
	if err != nil {
		return Sale{}, fmt.Errorf("load sale: %w", err)
	}
	return r.sale()
}

// ofListings returns the sales of the listings that are the keys of orders.
func ofListings(
	ctx context.Context, q postgres.Querier, accountID string, orders map[string]OrderState,
) ([]Sale, error) {
	var rows []row
	err := q.Select(ctx, &rows, `SELECT `+columns+` FROM sales WHERE account_id = $1 AND listing_id = ANY($2)`,
		accountID, pq.Array(slices.Sorted(maps.Keys(orders))))
	if err != nil {
		return nil, fmt.Errorf("load sales of listings: %w", err)
	}
	list := make([]Sale, len(rows))
	for i := range rows {
		if list[i], err = rows[i].sale(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// otherSale returns the newest other sale of the card that is not returned, or nil.
func otherSale(ctx context.Context, tx *postgres.Tx, s *Sale) (*string, error) {
	var ids []string
	err := tx.Select(ctx, &ids, `
		SELECT id FROM sales WHERE account_id = $1 AND card_id = $2 AND id <> $3 AND restocked_at IS NULL
		ORDER BY sold_at DESC, id DESC LIMIT 1`, s.AccountID, s.CardID, s.ID)
	if err != nil {
		return nil, fmt.Errorf("find other sale: %w", err)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return &ids[0], nil
}

// Ended returns the sales whose cards came back, each with another sale by which its card is sold, or nil. It is for
// cards that were deleted when they came back.
func (*Service) Ended(
	ctx context.Context, tx *postgres.Tx, accountID string, saleIDs []string,
) (map[string]*string, error) {
	var rows []struct {
		ID     string `db:"id"`
		CardID string `db:"card_id"`
	}
	err := tx.Select(ctx, &rows, `
		SELECT id, card_id FROM sales WHERE account_id = $1 AND id = ANY($2) AND restocked_at IS NOT NULL`,
		accountID, pq.Array(saleIDs))
	if err != nil {
		return nil, fmt.Errorf("load ended sales: %w", err)
	}
	others := make(map[string]*string, len(rows))
	for _, r := range rows {
		if others[r.ID], err = otherSale(ctx, tx, &Sale{AccountID: accountID, ID: r.ID, CardID: r.CardID}); err != nil {
			return nil, err
		}
	}
	return others, nil
}

// list reads one page of sales.
func list(ctx context.Context, db *postgres.DB, accountID string, f Filter, after *paging.Position, size int) (
	read paging.Read[Sale], err error) {
	l := paging.List{
		Columns: columns, Table: "sales", Sort: paging.ByTime("sold_at"), ID: "id", Account: accountID,
		Since: f.UpdatedSince,
	}
	var sold []paging.Condition
	if f.SoldSince != nil {
		sold = append(sold, paging.Where("sold_at >= ?", f.SoldSince.UTC()))
	}
	if f.SoldBefore != nil {
		sold = append(sold, paging.Where("sold_at < ?", f.SoldBefore.UTC()))
	}
	if f.UpdatedSince != nil {
		l.Sort, l.Filter = paging.ByTime("updated_at"), sold
	} else {
		l.Range = sold
	}
	for _, equal := range []struct {
		condition string
		value     *string
	}{{"channel = ?", f.Channel}, {"status = ?", f.Status}, {"currency = ?", f.Currency}} {
		if equal.value != nil {
			l.Filter = append(l.Filter, paging.Where(equal.condition, *equal.value))
		}
	}
	if f.ToShip {
		l.Filter = append(l.Filter, paging.Where(
			"shipped_at IS NULL AND restocked_at IS NULL AND status = ? AND channel <> ?", string(Completed), InPerson))
	}
	if f.Card != nil {
		card, _ := id.Parse(id.Card, *f.Card) // a malformed identifier matches nothing
		l.Leading = &paging.LeadingColumn{Column: "card_id", Value: card}
	}
	var rows []struct {
		row
		paging.Scanned
	}
	if err := paging.Select(ctx, db, &rows, l, after, size); err != nil {
		return read, fmt.Errorf("list sales: %w", err)
	}
	for i := range rows {
		sale, err := rows[i].sale()
		if err != nil {
			return read, err
		}
		read.Add(sale, rows[i].Scanned)
	}
	return read, nil
}

// insert stores a new sale, which has no refunds, with the transaction's deferred statements.
func insert(tx *postgres.Tx, s *Sale) {
	cost, costCurrency := nullCost(s)
	tx.Defer(`
		INSERT INTO sales (account_id, id, card_id, listing_id, channel, order_reference, sold_at, currency, gross,
			shipping_charged, tax, fees, fee_total, cost_amount, cost_currency, card_title, card_set, card_number,
			buyer_reference, status, version, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23)`,
		s.AccountID, s.ID, s.CardID, s.ListingID, s.Channel, s.OrderReference, s.SoldAt, s.Gross.Currency,
		s.Gross.Amount, s.ShippingCharged, s.Tax,
		feesJSON(s), s.FeeTotal(), cost, costCurrency, s.Title, s.Set, s.Number, s.BuyerReference,
		string(s.Status), s.Version, s.CreatedAt, s.UpdatedAt)
}

// update stores the mutable columns of a sale with the transaction's deferred statements.
func update(tx *postgres.Tx, s *Sale) error {
	refunds, parts, err := writeRefunds(s.Refunds)
	if err != nil {
		return err
	}
	returns := s.Returned()
	var carrier, number *string
	if s.Tracking != nil {
		carrier, number = &s.Tracking.Carrier, &s.Tracking.Number
	}
	tx.Defer(`
		UPDATE sales SET shipping_charged = $3, shipping_cost = $4, tax = $5, fees = $6, fee_total = $7,
			buyer_reference = $8, status = $9, refunds = $10, refunded = $11, restocked_at = $12, shipped_at = $13,
			carrier = $14, tracking_number = $15, version = $16, updated_at = $17, gross = $18, sold_at = $19,
			refund_parts = $20, refunded_tax = $21, refunded_fees = $22, voided_at = $23
		WHERE account_id = $1 AND id = $2`,
		s.AccountID, s.ID, s.ShippingCharged, s.ShippingCost, s.Tax, feesJSON(s), s.FeeTotal(),
		s.BuyerReference, string(s.Status), refunds, returns.Total(), s.RestockedAt, s.ShippedAt,
		carrier, number, s.Version, s.UpdatedAt, s.Gross.Amount, s.SoldAt,
		parts, returns.Tax, returns.Fees, s.VoidedAt)
	return nil
}

func feesJSON(s *Sale) postgres.JSON {
	text, _ := json.Marshal(s.Fees) // strings and integers only
	return postgres.JSON(text)
}

func nullCost(s *Sale) (amount *int64, currency *string) {
	if s.CostAtSale == nil {
		return nil, nil
	}
	return &s.CostAtSale.Amount, &s.CostAtSale.Currency
}
