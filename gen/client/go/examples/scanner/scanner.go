package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

const (
	pollInterval = 2 * time.Second
	// lead is by how much the best candidate must be ahead of the second one. Reprints have about the same confidence.
	lead = 0.1
)

// scanner makes cards of photos, and identifies, prices and publishes them.
type scanner struct {
	client   *cardvault.Client
	folder   string // of the photos
	options  options
	files    map[string]string // names of photos, by card
	failures int               // the number of changes that failed
}

// review waits until the service has identified the cards, and chooses among the candidates of those in doubt.
func (s *scanner) review(ctx context.Context) error {
	cards, err := s.await(ctx, func(card cardvault.Card) bool {
		return card.Identification.Status == cardvault.IdentificationStatusPending
	})
	if err != nil {
		return err
	}
	var updates []cardvault.CardUpdate
	for _, card := range cards {
		if card.WorkflowStatus != cardvault.WorkflowStatusNeedsReview {
			continue
		}
		candidates, err := s.client.ListCardCandidates(ctx, card.ID)
		if err != nil {
			return err
		}
		if n := s.choose(card, candidates.Data); n > 0 {
			best := candidates.Data[n-1].Patch()
			updates = append(updates, cardvault.CardUpdate{ID: card.ID, Version: card.Version, Identification: best})
		}
	}
	s.update(ctx, updates)
	return nil
}

// choose returns the number of the candidate to take, or 0 for none.
func (s *scanner) choose(card cardvault.Card, candidates []cardvault.IdentificationResult) int {
	if n := len(candidates); n > 0 && candidates[0].Confidence >= s.options.confidence &&
		(n == 1 || candidates[0].Confidence-candidates[1].Confidence >= lead) {
		return 1
	}
	fmt.Printf("%s needs review: %s, %d candidates\n", s.files[card.ID], card.ID, len(candidates))
	for i, c := range candidates {
		fmt.Printf("  %d  %s, %s %s (%.2f)\n", i+1, c.Title, textOf(c.Set), textOf(c.Number), c.Confidence)
	}
	n := s.options.take
	if n == 0 && len(candidates) > 0 {
		n = ask()
	}
	if n > len(candidates) {
		return 0
	}
	return n
}

// ask asks for the number of a candidate. Without a terminal it explains how to choose. It returns 0 for none.
func ask() int {
	input, err := os.Stdin.Stat()
	if err == nil && input.Mode()&os.ModeCharDevice != 0 {
		fmt.Print("  number, or Enter for none: ")
		if line, err := bufio.NewReader(os.Stdin).ReadString('\n'); err == nil {
			n, _ := strconv.Atoi(strings.TrimSpace(line)) // anything else means none
			return max(n, 0)
		}
	}
	fmt.Println("  choose one with --take N or on a terminal")
	return 0
}

// price sets the estimated prices of identified cards that have no price.
func (s *scanner) price(ctx context.Context) error {
	cards, err := s.cards(ctx)
	if err != nil {
		return err
	}
	cards = slices.DeleteFunc(cards, func(card cardvault.Card) bool {
		return card.WorkflowStatus != cardvault.WorkflowStatusIdentified
	})
	prices, err := s.lookUp(ctx, cards)
	if err != nil {
		return err
	}
	var updates []cardvault.CardUpdate
	for _, card := range cards {
		if price, found := prices[card.ID]; found {
			pricing := cardvault.PricingPatch{AskingPrice: cardvault.Set(price)}
			updates = append(updates, cardvault.CardUpdate{ID: card.ID, Version: card.Version, Pricing: pricing})
		}
	}
	s.update(ctx, updates)
	return nil
}

// lookUp returns the estimated prices of the cards for which there is one, by card.
func (s *scanner) lookUp(ctx context.Context, cards []cardvault.Card) (map[string]cardvault.Money, error) {
	var ids []string
	for _, card := range cards {
		ids = append(ids, card.ID)
	}
	prices := map[string]cardvault.Money{}
	for result, err := range s.client.BulkLookupPrices(ctx, ids) {
		if err == nil {
			prices[result.ID] = result.Estimate.Price
		} else if !errors.Is(err, cardvault.CodeNoPriceFound) {
			return nil, err
		}
	}
	return prices, nil
}

// publish publishes the cards that have a price, and waits until the marketplace shows them.
func (s *scanner) publish(ctx context.Context) error {
	if !s.options.publish {
		return nil
	}
	cards, err := s.cards(ctx)
	if err != nil {
		return err
	}
	var ids []string
	for _, card := range cards {
		if priced(card) && card.ListingID == nil {
			ids = append(ids, card.ID)
		}
	}
	for result, err := range s.client.BulkPublish(ctx, ids, cardvault.MarketplaceSandbox) {
		s.check(result.ID, err)
	}
	cards, err = s.await(ctx, func(card cardvault.Card) bool { return priced(card) && card.ListingID != nil })
	if err != nil {
		return err
	}
	for _, card := range cards {
		if !priced(card) {
			continue
		}
		listings, err := s.client.ListListings(ctx, &cardvault.ListListingsParams{Card: card.ID, Limit: 1})
		if err != nil {
			return err
		}
		if len(listings.Data) > 0 && listings.Data[0].Failure != nil {
			s.fail(s.files[card.ID], listings.Data[0].Failure.Message)
		}
	}
	return nil
}

// priced reports whether the card has a price and is not listed.
func priced(card cardvault.Card) bool {
	return card.WorkflowStatus == cardvault.WorkflowStatusPriced ||
		card.WorkflowStatus == cardvault.WorkflowStatusPhotographed
}

// summarize prints the cards with their states.
func (s *scanner) summarize(ctx context.Context) error {
	cards, err := s.cards(ctx)
	for _, card := range cards {
		price := "no price"
		if asking := card.Pricing.AskingPrice; asking != nil {
			price = asking.Decimal() + " " + string(asking.Currency)
		}
		fmt.Printf("%s: %s, %s, %s, %s\n", s.files[card.ID], card.ID,
			cmp.Or(textOf(card.Title), "not identified"), price, card.WorkflowStatus)
	}
	return err
}

// await polls the cards until all are idle, and returns them. The client waits for the rate limit by itself.
func (s *scanner) await(ctx context.Context, busy func(cardvault.Card) bool) ([]cardvault.Card, error) {
	timeout := time.After(time.Duration(s.options.timeout) * time.Second)
	for {
		cards, err := s.cards(ctx)
		if err != nil || !slices.ContainsFunc(cards, busy) {
			return cards, err
		}
		select {
		case <-time.After(pollInterval):
		case <-timeout:
			return nil, fmt.Errorf("the service is busy for %d seconds: run it again later", s.options.timeout)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// cards returns the cards in the order of the names of their photos.
func (s *scanner) cards(ctx context.Context) ([]cardvault.Card, error) {
	var cards []cardvault.Card
	// More identifiers may exceed the URLs that proxies accept.
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(s.files)), 100) {
		page, err := s.client.ListCards(ctx, &cardvault.ListCardsParams{IDs: ids, Limit: 100})
		if err != nil {
			return nil, err
		}
		cards = append(cards, page.Data...)
	}
	slices.SortFunc(cards, func(a, b cardvault.Card) int { return cmp.Compare(s.files[a.ID], s.files[b.ID]) })
	return cards, nil
}

func (s *scanner) update(ctx context.Context, updates []cardvault.CardUpdate) {
	for result, err := range s.client.BulkUpdate(ctx, updates) {
		s.check(result.ID, err)
	}
}

// check prints the error of a change of a card, if there is one.
func (s *scanner) check(card string, err error) {
	if err != nil {
		s.fail(s.files[card], err.Error())
	}
}

// fail prints why a change of the card of a photo failed.
func (s *scanner) fail(file, reason string) {
	s.failures++
	fmt.Fprintf(os.Stderr, "%s: %s\n", file, reason)
}

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
