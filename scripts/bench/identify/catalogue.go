package main

import (
	"context"
	"slices"
	"syscall"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
)

// catalogue is the catalogue without hidden cards.
type catalogue struct {
	*catalog.Service
	hidden func(catalog.Card) bool // nil hides none
}

// isHidden reports whether a card is hidden.
func (c *catalogue) isHidden(card catalog.Card) bool { return c.hidden != nil && c.hidden(card) }

// ByNumber implements the provider's interface.
func (c *catalogue) ByNumber(
	ctx context.Context, h catalog.Hints, number string, printedTotal, limit int,
) ([]catalog.Card, error) {
	matches, err := c.Service.ByNumber(ctx, h, number, printedTotal, limit)
	return slices.DeleteFunc(matches, c.isHidden), err
}

// ByName implements the provider's interface.
func (c *catalogue) ByName(ctx context.Context, h catalog.Hints, name string, limit int) ([]catalog.Match, error) {
	matches, err := c.Service.ByName(ctx, h, name, limit)
	return slices.DeleteFunc(matches, func(m catalog.Match) bool { return c.isHidden(m.Card) }), err
}

// Printings implements the provider's interface.
func (c *catalogue) Printings(ctx context.Context, h catalog.Hints, name string, limit int) ([]catalog.Card, error) {
	matches, err := c.Service.Printings(ctx, h, name, limit)
	return slices.DeleteFunc(matches, c.isHidden), err
}

// ByText implements the provider's interface.
func (c *catalogue) ByText(ctx context.Context, h catalog.Hints, words []string, limit int) ([]catalog.Match, error) {
	matches, err := c.Service.ByText(ctx, h, words, limit)
	return slices.DeleteFunc(matches, func(m catalog.Match) bool { return c.isHidden(m.Card) }), err
}

// ByFingerprint implements the provider's interface.
func (c *catalogue) ByFingerprint(
	ctx context.Context, h catalog.Hints, hash [64]byte, limit int,
) ([]catalog.FingerprintMatch, error) {
	matches, err := c.Service.ByFingerprint(ctx, h, hash, limit)
	return slices.DeleteFunc(matches, func(m catalog.FingerprintMatch) bool { return c.isHidden(m.Card) }), err
}

// processorTime returns the processor time of this process and of the children that ended.
func processorTime() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var usage syscall.Rusage
		if syscall.Getrusage(who, &usage) == nil {
			sum += time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
		}
	}
	return sum
}
