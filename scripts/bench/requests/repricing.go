package main

import (
	"context"
	"fmt"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// prices is the number of cards that get new prices.
const prices = 5000

// repricing changes the prices of many cards, as a program does that follows the market.
var repricing = task{
	name: "5,000 new prices", class: cardvault.RateClassWrite, most: 11, each: prices,
	prepare: func(ctx context.Context, s *shop) error { return importCards(ctx, s, prices) },
	steps:   []step{{"PATCH /cards", changePrices}},
}

// importCards imports cards until the shop has the given number.
func importCards(ctx context.Context, s *shop, number int) error {
	for len(s.cards) < number {
		made, err := s.setup.CreateCards(ctx, cardvault.CardsInput{Cards: []cardvault.CardInput{{
			Copies:         int32(min(500, number-len(s.cards))),
			Identification: cardvault.IdentificationInput{Title: "Ember Fox"},
			Pricing:        cardvault.PricingInput{Cost: usd(300)},
		}}})
		if err != nil {
			return err
		}
		for _, card := range made.Data {
			s.cards = append(s.cards, card.ID)
		}
	}
	return nil
}

// changePrices gives each card another price.
func changePrices(ctx context.Context, s *shop) error {
	updates := make([]cardvault.CardUpdate, prices)
	for i := range updates {
		updates[i] = cardvault.CardUpdate{
			ID:      s.cards[i],
			Pricing: cardvault.PricingPatch{AskingPrice: cardvault.Set(usd(1000 + int64(i)))},
		}
	}
	changed := 0
	for result, err := range s.api.BulkUpdate(ctx, updates) {
		if err != nil {
			return err
		}
		if want := usd(1000 + int64(changed)); *result.Card.Pricing.AskingPrice != want {
			return fmt.Errorf("card %s costs %v, want %v", result.ID, *result.Card.Pricing.AskingPrice, want)
		}
		changed++
	}
	if changed != prices {
		return fmt.Errorf("%d prices have changed, want %d", changed, prices)
	}
	return nil
}

func usd(amount int64) cardvault.Money {
	return cardvault.Money{Amount: amount, Currency: cardvault.CurrencyUSD}
}
