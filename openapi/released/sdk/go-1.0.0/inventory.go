package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// buy makes a batch with two cards; it sends the batch twice, as after a connection that broke.
func (s *shop) buy(ctx context.Context) error {
	key := cardvault.WithIdempotencyKey("shop-" + rand.Text())
	input := cardvault.BatchInput{Name: "Spring fair", Description: "Bought at the spring fair."}
	batch, err := s.api.CreateBatch(ctx, input, key)
	if err != nil {
		return err
	}
	var again cardvault.Response
	repeated, err := s.api.CreateBatch(ctx, input, key, cardvault.WithResponse(&again))
	if err != nil {
		return err
	}
	s.batch, s.report.WasReplayed = batch.ID, again.Replayed && repeated.ID == batch.ID
	byHand := false
	made, err := s.api.CreateCards(ctx, cardvault.CardsInput{Cards: []cardvault.CardInput{
		{BatchID: s.batch, Location: "Room A/Shelf 2", Identify: &byHand},
		{BatchID: s.batch, SKU: "PAF-054", Identification: cardvault.IdentificationInput{Title: "Ember Fox", Game: "other"}},
	}})
	if err != nil {
		return err
	}
	s.card = made.Data[0].ID
	return nil
}

// sort completes the batch, opens it again, and finds batch and card in all lists, page by page.
func (s *shop) sort(ctx context.Context) error {
	complete, err := s.api.CompleteBatch(ctx, s.batch)
	if err != nil {
		return err
	}
	s.report.Batch = complete.Status
	if _, err := s.api.ReopenBatch(ctx, s.batch); err != nil {
		return err
	}
	batch, err := s.api.GetBatch(ctx, s.batch)
	if err != nil {
		return err
	}
	if batch.CardCount != 2 || complete.CompletedAt == nil || batch.CompletedAt != nil {
		return fmt.Errorf("the batch is %+v", batch)
	}
	cardID := func(c cardvault.Card) string { return c.ID }
	return errors.Join(
		find(s.api.Batches(ctx, &cardvault.ListBatchesParams{Limit: 1}), s.batch, func(b cardvault.Batch) string { return b.ID }),
		find(s.api.BatchCards(ctx, s.batch, &cardvault.ListBatchCardsParams{Limit: 1}), s.card, cardID),
		find(s.api.Cards(ctx, &cardvault.ListCardsParams{Limit: 1, Location: "Room A"}), s.card, cardID),
	)
}

// describe photographs the card, has it identified, and corrects and prices it.
func (s *shop) describe(ctx context.Context) error {
	if _, err := s.api.PutCardPhoto(ctx, s.card, cardvault.PhotoRoleFront, s.picture); err != nil {
		return err
	}
	outcome, err := s.api.Identify(ctx, cardvault.IdentifyRequest{CardID: s.card})
	if err != nil {
		return err
	}
	if outcome.Result == nil || outcome.Card == nil || len(outcome.Attempts) == 0 {
		return fmt.Errorf("the identification is %+v", outcome)
	}
	estimate, err := s.api.LookupPrice(ctx, cardvault.PriceLookupRequest{CardID: s.card})
	if err != nil {
		return err
	}
	s.report.Outcome, s.report.Basis = outcome.Outcome, estimate.Basis
	changed, err := s.api.UpdateCard(ctx, s.card, cardvault.CardPatch{
		Notes:   cardvault.Set("Small nick."),
		Pricing: cardvault.PricingPatch{AskingPrice: cardvault.Set(cardvault.Money{Amount: estimate.Price.Amount + 100, Currency: "USD"})},
	}, cardvault.IfMatch(outcome.Card.Version))
	if err != nil {
		return err
	}
	if changed.Version <= outcome.Card.Version || changed.Pricing.AskingPrice.Amount != estimate.Price.Amount+100 || *changed.Notes != "Small nick." {
		return fmt.Errorf("the card is %+v", changed)
	}
	return s.look(ctx)
}

// look reads the card twice, the second time only if it has changed.
func (s *shop) look(ctx context.Context) error {
	var read cardvault.Response
	card, err := s.api.GetCard(ctx, s.card, cardvault.WithResponse(&read))
	if err != nil {
		return err
	}
	if card.Title == nil || len(card.Photos) != 1 || card.Photos[0].URL == nil {
		return fmt.Errorf("the card is %+v", card)
	}
	s.report.Title = *card.Title
	_, err = s.api.GetCard(ctx, s.card, cardvault.IfNoneMatch(read.ETag))
	s.report.Unmodified = errors.Is(err, cardvault.ErrNotModified)
	return nil
}
