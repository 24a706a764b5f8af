package pricing

import (
	"context"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

const (
	// period is the maximum age of a sale. Prices of cards change with seasons and sets.
	period = 365 * 24 * time.Hour
	// maxSales is the maximum number of sales that are read for a card, newest first.
	maxSales = 1000
)

// soldQuery finds the sales of many cards. It reads the account's sales once, whatever the number of cards.
const soldQuery = `
	SELECT place, title, marketplace, sold_amount, sold_currency, sold_at FROM (
		SELECT q.place, l.title, l.marketplace, l.sold_amount, l.sold_currency, l.sold_at,
			row_number() OVER (PARTITION BY q.place ORDER BY l.sold_at DESC, l.id) AS nth
		FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
			AS q (place, title, set, number, game, condition, company, grade)
		JOIN cards c ON c.account_id = $1 AND lower(c.title) = lower(q.title)
			AND (q.set IS NULL OR lower(c.set) = lower(q.set))
			AND (q.number IS NULL OR lower(c.number) = lower(q.number))
			AND (q.game IS NULL OR c.game = q.game)
			AND (q.condition IS NULL OR c.condition = q.condition)
			AND c.grade_company IS NOT DISTINCT FROM q.company AND c.grade_value IS NOT DISTINCT FROM q.grade
		JOIN listings l ON l.account_id = $1 AND l.card_id = c.id
		WHERE l.status = 'sold' AND l.sold_at >= $10
	) AS sold
	WHERE nth <= $11 ORDER BY place, nth`

// soldListings estimates each card from the account's sales of cards with the same title and the other known values
// of the card, or returns nil for it. Graded and ungraded cards are never compared, because the grade determines the
// price.
func (s *Service) soldListings(ctx context.Context, accountID string, all []cards.Description) ([]*Estimate, error) {
	found := make([]*Estimate, len(all))
	if len(all) == 0 {
		return found, nil
	}
	now := s.clock.Time()
	var q soldArgs
	for i := range all {
		q.add(i, &all[i])
	}
	var rows []struct {
		Place       int       `db:"place"`
		Title       string    `db:"title"`
		Marketplace string    `db:"marketplace"`
		Amount      int64     `db:"sold_amount"`
		Currency    string    `db:"sold_currency"`
		SoldAt      time.Time `db:"sold_at"`
	}
	err := s.db.Select(ctx, &rows, soldQuery, accountID, q.places, pq.Array(q.titles), pq.Array(q.sets),
		pq.Array(q.numbers), pq.Array(q.games), pq.Array(q.conditions), pq.Array(q.companies), pq.Array(q.grades),
		now.Add(-period), maxSales)
	if err != nil {
		return nil, fmt.Errorf("pricing.soldListings: %w", err)
	}
	sales := make([][]Comparable, len(all))
	for _, r := range rows {
		price := money.Money{Amount: r.Amount, Currency: r.Currency}
		sales[r.Place] = append(sales[r.Place], Comparable{r.Title, price, &r.SoldAt, r.Marketplace})
	}
	for i := range sales {
		if len(sales[i]) > 0 {
			e := estimate(SoldListings, sales[i])
			e.AsOf = now
			found[i] = &e
		}
	}
	return found, nil
}

// soldArgs are the parameters of soldQuery that describe cards: one element for each card in all arrays.
type soldArgs struct {
	places                                                      pq.Int64Array
	titles, sets, numbers, games, conditions, companies, grades []*string
}

func (q *soldArgs) add(place int, d *cards.Description) {
	q.places, q.titles = append(q.places, int64(place)), append(q.titles, d.Title)
	q.sets, q.numbers = append(q.sets, d.Set), append(q.numbers, d.Number)
	q.games, q.conditions = append(q.games, d.Game), append(q.conditions, d.Condition)
	var company, grade *string
	if d.Grade != nil {
		company, grade = &d.Grade.Company, &d.Grade.Value
	}
	q.companies, q.grades = append(q.companies, company), append(q.grades, grade)
}
