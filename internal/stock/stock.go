// Package stock keeps the value of every account's cards day by day: the sums of their asking prices and of their
// costs, by currency, without cards that are sold or archived.
//
// A Recorder stores the figures of the current day, about once an hour if the account has changed, so a day keeps the
// figures of its end. A Service reads them. Days are kept for MaxDays. A day on which the service was off is missing:
// the figures of other days are not repeated for it.
//
// A day begins at midnight in the time zone that the account has when the day is recorded. The package reads no cards:
// it uses the summaries of package cards.
package stock

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/postgres"
)

// MaxDays is the largest number of days of a Report, and how many days are kept: two years.
const MaxDays = 731

// Day is the value of the stock on a day.
type Day struct {
	Date   time.Time // midnight in UTC, whatever the time zone of the account
	Cards  int64     // in stock, including cards without a price
	Values []Value   // in alphabetical order of the currencies
}

// Value is the value of the cards with an asking price or a cost in a currency, in minor units.
type Value struct {
	Currency string
	Cards    int64
	Asking   int64
	Cost     int64
}

// Cards is the part of *cards.Service that the package uses.
type Cards interface {
	// Summarize returns a summary that can be a few seconds old.
	Summarize(ctx context.Context, accountID string, f cards.Filter, groupBy string) (*cards.Summary, error)
	// SummarizeNow reads the cards.
	SummarizeNow(ctx context.Context, accountID string, f cards.Filter, groupBy string) (*cards.Summary, error)
}

// Service reads the value of the stock.
type Service struct {
	db    *postgres.DB
	cards Cards
}

// New returns a Service.
func New(db *postgres.DB, c Cards) *Service { return &Service{db, c} }

// Report is the value of an account's stock on each of the last days.
type Report struct {
	TimeZone string    // in which days begin
	Today    time.Time // midnight in UTC
	Days     []Day     // recorded days, in order; the last one is today, with the present figures
}

// Report returns the last days, 1 to MaxDays, today included.
func (s *Service) Report(ctx context.Context, accountID string, days int) (Report, error) {
	ctx, cancel := context.WithTimeout(ctx, reportTimeout)
	defer cancel()
	at, err := readAccount(ctx, s.db, accountID)
	if err != nil {
		return Report{}, err
	}
	r := Report{TimeZone: at.TimeZone, Today: at.today()}
	if days > 1 {
		r.Days, err = recorded(ctx, s.db, accountID, r.Today.AddDate(0, 0, 1-days), r.Today)
		if err != nil {
			return Report{}, err
		}
	}
	now, err := s.cards.Summarize(ctx, accountID, cards.Filter{}, grouping)
	if err != nil {
		return Report{}, err
	}
	r.Days = append(r.Days, dayOf(r.Today, now))
	return r, nil
}

// reportTimeout limits a report. It reads at most MaxDays rows for each currency, and a summary of the cards.
const reportTimeout = 20 * time.Second

// grouping makes a summary count the cards by status, so that dayOf can leave out cards that are not in stock.
const grouping = "status"

// dayOf returns the day that a summary by status describes.
func dayOf(date time.Time, summary *cards.Summary) Day {
	day := Day{Date: date}
	values := map[string]*Value{}
	in := func(currency string) *Value {
		if values[currency] == nil {
			values[currency] = &Value{Currency: currency}
		}
		return values[currency]
	}
	for _, group := range summary.Groups {
		if !cards.Status(*group.Value).InStock() {
			continue
		}
		day.Cards += group.Count
		for currency, n := range group.ByCurrency {
			in(currency).Cards += n
		}
		for _, sum := range group.AskingPrice {
			in(sum.Currency).Asking += sum.Amount
		}
		for _, sum := range group.Cost {
			in(sum.Currency).Cost += sum.Amount
		}
	}
	for _, currency := range slices.Sorted(maps.Keys(values)) {
		day.Values = append(day.Values, *values[currency])
	}
	return day
}

// In returns the value in a currency, which is zero if no card has a price in it.
func (d *Day) In(currency string) Value {
	for _, v := range d.Values {
		if v.Currency == currency {
			return v
		}
	}
	return Value{Currency: currency}
}
