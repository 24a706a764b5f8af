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

// addFromCatalogue estimates the cards without a sufficient estimate from the catalogue: from the price of the card's
// printing if it is known, else from the prices of every printing that matches the card's description. Catalogue prices
// are for ungraded cards, so graded cards get no estimate. Estimates that are insufficient stay if the catalogue has no
// price.
func (s *Service) addFromCatalogue(
	ctx context.Context, all []cards.Description, estimates []*Estimate, now time.Time,
) error {
	var left []cards.Description
	var places []int // of left
	for i, d := range all {
		if (estimates[i] == nil || estimates[i].MaxWeight < sufficient) && d.Grade == nil {
			left, places = append(left, d), append(places, i)
		}
	}
	printings, err := s.printings(ctx, left)
	if err != nil {
		return fmt.Errorf("read catalogue prices: %w", err)
	}
	for n, i := range places {
		if e := fromPrintings(&left[n], printings[n], now); e != nil {
			estimates[i] = e
		}
	}
	return nil
}

// fromPrintings estimates the price of a card from the prices of printings. It returns nil if there are none.
func fromPrintings(card *cards.Description, printings []catalog.Card, now time.Time) *Estimate {
	var prices []Comparable
	var oldest *time.Time
	for i := range printings {
		p := &printings[i]
		if p.Price == nil || p.PriceAsOf == nil {
			continue
		}
		days := daysBetween(*p.PriceAsOf, now)
		prices = append(prices, Comparable{
			Title: printing(p), Price: *p.Price, AgeDays: days, Source: SourceCatalog,
			Weight: weighPrinting(card, p, days),
		})
		if oldest == nil || p.PriceAsOf.Before(*oldest) {
			oldest = p.PriceAsOf
		}
	}
	if len(prices) == 0 {
		return nil
	}
	e := estimate(Catalog, prices)
	e.AsOf = *oldest
	return &e
}

// weighPrinting returns the weight of the price of a printing. The catalogue's prices are for no certain condition. The
// printing that the card names is the card's own, however they are described.
func weighPrinting(card *cards.Description, p *catalog.Card, days int) Weight {
	if text(card.CatalogID) == p.ID {
		return weigh(&cards.Description{}, &cards.Description{}, days)
	}
	target := cards.Description{Language: card.Language, Variant: card.Variant}
	printing := cards.Description{Variant: &p.Variant}
	if p.Language != "" {
		printing.Language = &p.Language
	}
	return weigh(&target, &printing, days)
}

// printings returns the printings that each card may be.
func (s *Service) printings(ctx context.Context, all []cards.Description) ([][]catalog.Card, error) {
	byID, err := s.knownPrintings(ctx, all)
	if err != nil {
		return nil, err
	}
	printings := make([][]catalog.Card, len(all))
	var queries []catalog.Query
	var places []int // of queries
	for i, d := range all {
		if card, ok := byID[text(d.CatalogID)]; ok {
			printings[i] = []catalog.Card{card}
			continue
		}
		queries = append(queries, catalog.Query{
			Title: text(d.Title), Set: text(d.Set), Number: text(d.Number), Game: text(d.Game),
		})
		places = append(places, i)
	}
	matches, err := s.catalogue.FindMany(ctx, queries, maxPrintings)
	if err != nil {
		return nil, err
	}
	for n, i := range places {
		printings[i] = matches[n]
	}
	return printings, nil
}

// knownPrintings returns the printings that the cards name, by identifier. It leaves out unknown ones.
func (s *Service) knownPrintings(ctx context.Context, all []cards.Description) (map[string]catalog.Card, error) {
	var ids []string
	for _, d := range all {
		if d.CatalogID != nil {
			ids = append(ids, *d.CatalogID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	printings, err := s.catalogue.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]catalog.Card, len(printings))
	for _, card := range printings {
		byID[card.ID] = card
	}
	return byID, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// printing returns the title of a printing as a comparable: name, number and set, at most 200 characters.
func printing(c *catalog.Card) string {
	name := []rune(strings.Join(strings.Fields(c.Name+" "+c.CollectorNumber()+" "+c.Set+" "+c.Variant), " "))
	return string(name[:min(len(name), maxTitle)])
}

// maxTitle is the maximum length of a comparable's title, in characters (openapi/v1.yaml).
const maxTitle = 200
