package pricing

import (
	"context"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

const (
	// period is the maximum age of a sale. Prices of cards change with seasons and sets.
	period = 365 * 24 * time.Hour
	// maxSales is the maximum number of sales that are read, newest first.
	maxSales = 1000
)

// soldListings estimates from the account's sales of cards with the same title and the other known values
// of the card. Graded and ungraded cards are never compared, because the grade determines the price.
func (s *Service) soldListings(ctx context.Context, accountID string, d cards.Description) (Estimate, error) {
	now := s.clock.Time()
	var rows []struct {
		Title       string    `db:"title"`
		Marketplace string    `db:"marketplace"`
		Amount      int64     `db:"sold_amount"`
		Currency    string    `db:"sold_currency"`
		SoldAt      time.Time `db:"sold_at"`
	}
	var company, grade *string
	if d.Grade != nil {
		company, grade = &d.Grade.Company, &d.Grade.Value
	}
	err := s.db.Select(ctx, &rows, `
		SELECT l.title, l.marketplace, l.sold_amount, l.sold_currency, l.sold_at
		FROM cards c JOIN listings l ON l.account_id = c.account_id AND l.card_id = c.id
		WHERE c.account_id = $1 AND lower(c.title) = lower($2)
		  AND ($3::text IS NULL OR lower(c.set) = lower($3))
		  AND ($4::text IS NULL OR lower(c.number) = lower($4))
		  AND ($5::text IS NULL OR c.game = $5)
		  AND ($6::text IS NULL OR c.condition = $6)
		  AND c.grade_company IS NOT DISTINCT FROM $7 AND c.grade_value IS NOT DISTINCT FROM $8
		  AND l.status = 'sold' AND l.sold_at >= $9
		ORDER BY l.sold_at DESC, l.id LIMIT $10`,
		accountID, d.Title, d.Set, d.Number, d.Game, d.Condition, company, grade, now.Add(-period), maxSales)
	if err != nil {
		return Estimate{}, fmt.Errorf("pricing.soldListings: %w", err)
	}
	if len(rows) == 0 {
		return Estimate{}, errNoPrices
	}
	sales := make([]Comparable, len(rows))
	for i, r := range rows {
		sales[i] = Comparable{r.Title, money.Money{Amount: r.Amount, Currency: r.Currency}, &r.SoldAt, r.Marketplace}
	}
	found := estimate(SoldListings, sales)
	found.AsOf = now
	return found, nil
}
