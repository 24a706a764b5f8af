package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"slices"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

const (
	photos        = 60
	photosPerScan = 20
	pollInterval  = time.Second
	publishWrites = 4 // to create one card, save its photo, identify and price it, and publish it
)

// scanning turns photos into listings. No provider can read the photos, so that the shop identifies each card itself.
var scanning = task{
	name: "60 phone photos to published listings", class: cardvault.RateClassWrite, most: 12,
	each:    publishWrites * photos,
	prepare: func(_ context.Context, s *shop) error { s.cards = nil; return nil },
	steps: []step{
		{"POST /cards/scan", scan},
		{"GET /cards until none is pending", awaitIdentification},
		{"PATCH /cards", identifyAndPrice},
		{"POST /listings/publish", publish},
	},
}

// scan makes a card from every photo.
func scan(ctx context.Context, s *shop) error {
	photo, err := drawPhoto()
	if err != nil {
		return err
	}
	var all []cardvault.ScanPhoto
	for i := range photos {
		all = append(all, cardvault.PhotoBytes(fmt.Sprintf("IMG_%04d.png", i), photo))
	}
	for part := range slices.Chunk(all, photosPerScan) {
		scanned, err := s.api.ScanCards(ctx, cardvault.ScanInput{Photos: part, Location: "Shelf 1"})
		if err != nil {
			return err
		}
		for _, result := range scanned.Data {
			if result.Card == nil {
				return fmt.Errorf("%v is refused: %v", result.Files, result.Error)
			}
			s.cards = append(s.cards, result.Card.ID)
		}
	}
	if len(s.cards) != photos {
		return fmt.Errorf("%d cards, want %d", len(s.cards), photos)
	}
	return nil
}

// drawPhoto returns a grey photo.
func drawPhoto() ([]byte, error) {
	var photo bytes.Buffer
	err := png.Encode(&photo, image.NewGray(image.Rect(0, 0, 300, 400)))
	return photo.Bytes(), err
}

// awaitIdentification polls until the service has tried to identify all cards.
func awaitIdentification(ctx context.Context, s *shop) error {
	for {
		page, err := s.api.ListCards(ctx, &cardvault.ListCardsParams{IDs: s.cards, Limit: photos})
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(page.Data, func(card cardvault.Card) bool {
			return card.Identification.Status == cardvault.IdentificationStatusPending
		}) {
			return nil
		}
		select {
		case <-time.After(pollInterval):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// identifyAndPrice gives each card a title and a price.
func identifyAndPrice(ctx context.Context, s *shop) error {
	var updates []cardvault.CardUpdate
	for i, card := range s.cards {
		updates = append(updates, cardvault.CardUpdate{
			ID:             card,
			Identification: cardvault.IdentificationPatch{Title: cardvault.Set(fmt.Sprintf("Ember Fox %d", i))},
			Pricing:        cardvault.PricingPatch{AskingPrice: cardvault.Set(usd(1000 + int64(i)))},
		})
	}
	for _, err := range s.api.BulkUpdate(ctx, updates) {
		if err != nil {
			return err
		}
	}
	return nil
}

// publish publishes the cards. No further request is necessary until their listings are live.
func publish(ctx context.Context, s *shop) error {
	published := 0
	for _, err := range s.api.BulkPublish(ctx, s.cards, cardvault.MarketplaceSandbox) {
		if err != nil {
			return err
		}
		published++
	}
	if published != photos {
		return fmt.Errorf("%d listings, want %d", published, photos)
	}
	return nil
}
