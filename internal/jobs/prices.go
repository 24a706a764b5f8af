package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

// encodePriceChange returns the price change as plan.Patch has it.
func encodePriceChange(change cards.PriceChange) (*string, error) {
	list := []cards.PriceChange{change}
	if change.OfEstimate {
		return encode(&[][]cards.PriceChange{list})
	}
	return encode(&list)
}

// priceChange returns the price change of the job, or nil if it makes none.
func (p *plan) priceChange() (*cards.PriceChange, error) {
	if p.Patch == nil || p.Undoes != nil || !strings.HasPrefix(*p.Patch, "[") {
		return nil, nil
	}
	text := *p.Patch
	if strings.HasPrefix(text, "[[") {
		text = text[1 : len(text)-1]
	}
	var changes []cards.PriceChange
	if err := json.Unmarshal([]byte(text), &changes); err != nil {
		return nil, fmt.Errorf("read price change: %w", err)
	}
	return &changes[0], nil
}

// estimates are the estimated prices of the next cards of a job.
type estimates struct {
	after   int // the number of cards of the job before these
	prices  map[string]money.Money
	refused map[string]error // the faults of the cards without an estimate
}

// estimate looks up the prices of the next cards of a job that needs them, or else returns nil. It is called before the
// transaction that changes the cards, which holds the account's clock.
func (s *Service) estimate(ctx context.Context, p *plan, size int) (*estimates, error) {
	change, err := p.priceChange()
	if err != nil || change == nil || !change.OfEstimate {
		return nil, err
	}
	_, cardIDs, err := cardsLeft(ctx, s.db, &p.Job)
	if err != nil {
		return nil, err
	}
	cardIDs = cardIDs[:min(size, len(cardIDs))]
	prices, refusals, err := s.prices.Estimates(ctx, p.AccountID, cardIDs)
	if err != nil {
		return nil, fmt.Errorf("estimate prices: %w", err)
	}
	e := &estimates{after: p.Done + p.Refused, prices: map[string]money.Money{}, refused: map[string]error{}}
	for i, cardID := range cardIDs {
		e.prices[cardID] = prices[i]
		if refusals[i] != nil {
			e.refused[cardID] = refusals[i]
		}
	}
	return e, nil
}

// setter returns a function that sets the asking price of a card to its changed estimate.
func (e *estimates) setter(change cards.PriceChange) func(c *cards.Card, now time.Time) error {
	return func(c *cards.Card, now time.Time) error {
		if err := e.refused[c.ID]; err != nil {
			return err
		}
		return change.Apply(c, e.prices[c.ID], now)
	}
}
