package pricing

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
)

// maxPrintings is the maximum number of printings that are compared.
const maxPrintings = 20

// inCatalogue estimates from the catalogue: from the price of the card's printing if it is known, else from
// the prices of every printing that matches the card's description. Catalogue prices are for ungraded cards
// without a condition, so the condition is ignored and graded cards have no price.
func (s *Service) inCatalogue(ctx context.Context, d cards.Description) (Estimate, error) {
	if d.Grade != nil {
		return Estimate{}, errNoPrices
	}
	printings, err := s.printings(ctx, d)
	if err != nil {
		return Estimate{}, err
	}
	var prices []Comparable
	var oldest *time.Time
	for _, p := range printings {
		if p.Price == nil || p.PriceAsOf == nil {
			continue
		}
		prices = append(prices, Comparable{Title: printing(p), Price: *p.Price, Source: SourceCatalog})
		if oldest == nil || p.PriceAsOf.Before(*oldest) {
			oldest = p.PriceAsOf
		}
	}
	if len(prices) == 0 {
		return Estimate{}, errNoPrices
	}
	found := estimate(Catalog, prices)
	found.AsOf = *oldest
	return found, nil
}

func (s *Service) printings(ctx context.Context, d cards.Description) ([]catalog.Card, error) {
	if d.CatalogID != nil {
		found, err := s.catalogue.Get(ctx, *d.CatalogID)
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	found, err := s.catalogue.Find(ctx, catalog.Query{
		Title: text(d.Title), Set: text(d.Set), Number: text(d.Number), Game: text(d.Game),
	}, maxPrintings)
	if err != nil {
		return nil, fmt.Errorf("pricing.inCatalogue: %w", err)
	}
	return found, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// printing returns the title of a printing as a comparable: name, number and set, at most 200 characters.
func printing(c catalog.Card) string {
	name := []rune(strings.Join(strings.Fields(c.Name+" "+c.CollectorNumber()+" "+c.Set+" "+c.Variant), " "))
	return string(name[:min(len(name), maxTitle)])
}

// maxTitle is the maximum length of a comparable's title, in characters (openapi/v1.yaml).
const maxTitle = 200
