package sales

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Order is an order at a marketplace, as the marketplace's report describes it.
type Order struct {
	Channel   string
	Reference string // the order's number
	SoldAt    time.Time
	Lines     []OrderLine
	// Recorded is the number of the order's sales that were recorded when the lines were chosen.
	Recorded int
}

// OrderLine is the sale of one card. The amounts have the currency of Price.
type OrderLine struct {
	CardID          string
	Price           money.Money
	ShippingCharged *money.Money
	Tax             *money.Money
	Fees            []FeeInput
}

// ErrOrderChanged means that sales of the order were recorded since the caller has chosen its lines.
var ErrOrderChanged = errors.New("the order was recorded in the meantime")

// maxOrders is the number of orders of one query.
const maxOrders = 1000

// Recorded returns the cards of the sales that are recorded for orders of the channel, by the orders' numbers. A card
// that was deleted is included.
func (s *Service) Recorded(
	ctx context.Context, accountID, channel string, references []string,
) (map[string][]string, error) {
	byReference := map[string][]string{}
	for some := range slices.Chunk(references, maxOrders) {
		if err := recorded(ctx, s.db, accountID, channel, some, byReference); err != nil {
			return nil, err
		}
	}
	return byReference, nil
}

func recorded(ctx context.Context, q postgres.Querier, accountID, channel string, references []string,
	byReference map[string][]string) error {
	var rows []struct {
		Reference string `db:"order_reference"`
		CardID    string `db:"card_id"`
	}
	err := q.Select(ctx, &rows, `
		SELECT order_reference, card_id FROM sales
		WHERE account_id = $1 AND order_reference = ANY($2) AND channel = $3 ORDER BY order_reference, card_id`,
		accountID, pq.Array(references), channel)
	if err != nil {
		return fmt.Errorf("load recorded orders: %w", err)
	}
	for _, r := range rows {
		byReference[r.Reference] = append(byReference[r.Reference], r.CardID)
	}
	return nil
}

// CheckOrder returns an error if a sale of the order's values is not valid, whatever its cards.
func (s *Service) CheckOrder(o Order) error {
	if err := s.checkChannel(o.Channel); err != nil {
		return err
	}
	now := s.clock.Time()
	for _, line := range o.Lines {
		sale := Sale{Gross: line.Price}
		if err := line.complete(&sale, o, now); err != nil {
			return err
		}
	}
	return nil
}

// RecordOrder records a sale for each line, as Sell does, in one transaction: all or none. It returns ErrOrderChanged
// if the order has more sales than o.Recorded, so that no line is recorded twice, whatever runs at the same time.
func (s *Service) RecordOrder(ctx context.Context, accountID string, o Order) error {
	err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		byReference := map[string][]string{}
		err := recorded(ctx, tx, accountID, o.Channel, []string{o.Reference}, byReference)
		if err != nil {
			return err
		}
		if len(byReference[o.Reference]) != o.Recorded {
			return ErrOrderChanged
		}
		for i, line := range o.Lines {
			if i > 0 { // each sale has a time of its own, which orders the events
				if stamp, err = s.clock.Lock(ctx, tx, accountID); err != nil {
					return err
				}
			}
			if err := s.recordLine(ctx, tx, stamp, o, line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("record order: %w", err)
	}
	return nil
}

func (s *Service) recordLine(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, o Order, line OrderLine,
) error {
	card, err := s.cards.Find(ctx, tx, stamp.AccountID, line.CardID)
	if err != nil {
		return err
	}
	if err := card.CheckSellable(); err != nil {
		return err
	}
	if err := s.checkChannel(o.Channel); err != nil {
		return err
	}
	sale := newSale(&card, stamp, o.Channel, line.Price, o.SoldAt)
	if err := line.complete(&sale, o, stamp.At); err != nil {
		return err
	}
	return s.record(ctx, tx, stamp, &card, &sale)
}

// complete checks the values of the line and stores them in the sale.
func (line OrderLine) complete(sale *Sale, o Order, now time.Time) error {
	if err := line.Price.Check("price"); err != nil {
		return err
	}
	if err := checkLine("order_reference", &o.Reference, MaxReference); err != nil {
		return err
	}
	if err := checkTime("sold_at", o.SoldAt, now); err != nil {
		return err
	}
	sale.OrderReference = &o.Reference
	fees := line.Fees
	return Patch{Fees: &fees, ShippingCharged: line.ShippingCharged, Tax: line.Tax}.apply(sale, now)
}
