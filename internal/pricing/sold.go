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
	SELECT place, title, marketplace, sold_amount, sold_currency, sold_at,
		condition, language, variant, grade_company, grade_value FROM (
		SELECT q.place, l.title, l.marketplace, l.sold_amount, l.sold_currency, l.sold_at,
			c.condition, c.language, c.variant, c.grade_company, c.grade_value,
			row_number() OVER (PARTITION BY q.place ORDER BY l.sold_at DESC, l.id) AS nth
		FROM unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bool[])
			AS q (place, title, set, number, game, graded)
		JOIN cards c ON c.account_id = $1 AND lower(c.title) = lower(q.title)
			AND (q.set IS NULL OR lower(c.set) = lower(q.set))
			AND (q.number IS NULL OR lower(c.number) = lower(q.number))
			AND (q.game IS NULL OR c.game = q.game)
			AND (c.grade_company IS NOT NULL) = q.graded
		JOIN listings l ON l.account_id = $1 AND l.card_id = c.id
		WHERE l.status = 'sold' AND l.sold_at >= $8
	) AS sold
	WHERE nth <= $9 ORDER BY place, nth`

// sold is a row of soldQuery.
type sold struct {
	Place       int       `db:"place"`
	Title       string    `db:"title"`
	Marketplace string    `db:"marketplace"`
	Amount      int64     `db:"sold_amount"`
	Currency    string    `db:"sold_currency"`
	SoldAt      time.Time `db:"sold_at"`
	Condition   *string   `db:"condition"`
	Language    *string   `db:"language"`
	Variant     *string   `db:"variant"`
	Company     *string   `db:"grade_company"`
	Grade       *string   `db:"grade_value"`
}

// comparable returns the sale with its weight in the estimate of a card.
func (r *sold) comparable(target *cards.Description, now time.Time) Comparable {
	card := cards.Description{Condition: r.Condition, Language: r.Language, Variant: r.Variant}
	if r.Company != nil {
		card.Grade = &cards.Grade{Company: *r.Company, Value: text(r.Grade)}
	}
	days := daysBetween(r.SoldAt, now)
	return Comparable{
		Title: r.Title, Price: money.Money{Amount: r.Amount, Currency: r.Currency}, SoldAt: &r.SoldAt, AgeDays: days,
		Source: r.Marketplace, Weight: weigh(target, &card, days),
	}
}

// soldListings estimates each card from the account's sales of cards with the same title and the same set, number and
// game if the card has them, or returns nil for it. Sales of other conditions, languages, variants and grades weigh
// less. Graded and ungraded cards are never compared.
func (s *Service) soldListings(
	ctx context.Context, accountID string, all []cards.Description, now time.Time,
) ([]*Estimate, error) {
	result := make([]*Estimate, len(all))
	if len(all) == 0 {
		return result, nil
	}
	var q soldArgs
	for i := range all {
		q.add(i, &all[i])
	}
	var rows []sold
	err := s.db.Select(ctx, &rows, soldQuery, accountID, q.places, pq.Array(q.titles), pq.Array(q.sets),
		pq.Array(q.numbers), pq.Array(q.games), q.graded, now.Add(-period), maxSales)
	if err != nil {
		return nil, fmt.Errorf("read sold listings: %w", err)
	}
	sales := make([][]Comparable, len(all))
	for i := range rows {
		place := rows[i].Place
		if c := rows[i].comparable(&all[place], now); c.Weight > 0 {
			sales[place] = append(sales[place], c)
		}
	}
	for i := range sales {
		if len(sales[i]) > 0 {
			e := estimate(SoldListings, sales[i])
			e.AsOf = now
			result[i] = &e
		}
	}
	return result, nil
}

// soldArgs are the parameters of soldQuery that describe cards: one element for each card in all arrays.
type soldArgs struct {
	places                       pq.Int64Array
	titles, sets, numbers, games []*string
	graded                       pq.BoolArray
}

func (q *soldArgs) add(place int, d *cards.Description) {
	q.places, q.titles = append(q.places, int64(place)), append(q.titles, d.Title)
	q.sets, q.numbers = append(q.sets, d.Set), append(q.numbers, d.Number)
	q.games, q.graded = append(q.games, d.Game), append(q.graded, d.Grade != nil)
}
