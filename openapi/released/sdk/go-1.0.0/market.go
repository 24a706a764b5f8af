package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// sell publishes the card, takes it from the market again, and throws its photo away.
func (s *shop) sell(ctx context.Context) error {
	listing, err := s.api.PublishCard(ctx, s.card, &cardvault.PublishInput{Title: "A fine card"})
	if err != nil {
		return err
	}
	s.listing = listing.ID
	live, err := s.await(ctx, func(l *cardvault.Listing) bool { return l.PublishedAt != nil })
	if err != nil {
		return err
	}
	if live.Title != "A fine card" || live.ExternalID == nil || live.URL == nil || live.CardID != s.card {
		return fmt.Errorf("the listing is %+v", live)
	}
	s.report.Market = live.Marketplace
	filter := &cardvault.ListListingsParams{Limit: 1, Card: s.card}
	if err := find(s.api.Listings(ctx, filter), s.listing, func(l cardvault.Listing) string { return l.ID }); err != nil {
		return err
	}
	if _, err := s.api.EndListing(ctx, s.listing); err != nil {
		return err
	}
	if _, err := s.await(ctx, func(l *cardvault.Listing) bool { return l.EndedAt != nil }); err != nil {
		return err
	}
	card, err := s.api.GetCard(ctx, s.card)
	if err != nil {
		return err
	}
	return s.api.DeleteCardPhoto(ctx, s.card, card.Photos[0].ID)
}

// await reads the listing until what is awaited has happened.
func (s *shop) await(ctx context.Context, happened func(*cardvault.Listing) bool) (*cardvault.Listing, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for {
		listing, err := s.api.GetListing(ctx, s.listing)
		if err != nil || happened(listing) {
			return listing, err
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("the listing stays %+v", listing)
		}
	}
}

// follow polls for what has changed and for what has happened.
func (s *shop) follow(ctx context.Context) error {
	for card, err := range s.api.Changes(time.Time{}, nil).Once(ctx) {
		if err != nil {
			return err
		}
		s.report.Changed++
		if card.ID == s.card {
			s.report.Status = card.WorkflowStatus
		}
	}
	var first string
	for event, err := range s.api.Events(ctx, &cardvault.ListEventsParams{Limit: 2}) {
		if err != nil {
			return err
		}
		if _, unknown := event.Data.(cardvault.UnknownData); unknown {
			s.report.Unknown++
			continue
		}
		s.report.Events[event.Kind]++
		if first == "" {
			first = event.ID
		}
	}
	event, err := s.api.GetEvent(ctx, first)
	if err == nil && event.ID != first {
		err = fmt.Errorf("the event is %+v", event)
	}
	return err
}

// mistake does what is refused, and notes how.
func (s *shop) mistake(ctx context.Context) error {
	_, unknown := s.api.GetCard(ctx, "card_01k5w0q2m7t9c3r5v8x0z1b4d6")
	_, empty := s.api.CreateCards(ctx, cardvault.CardsInput{Cards: []cardvault.CardInput{}})
	_, ended := s.api.EndListing(ctx, s.listing)
	for _, err := range []error{unknown, empty, ended} {
		var refusal *cardvault.APIError
		if !errors.As(err, &refusal) || refusal.Message == "" || refusal.RequestID == "" || refusal.RateLimit.Limit == 0 {
			return fmt.Errorf("not a refusal of the service: %w", err)
		}
		if refusal.Code == cardvault.CodeInvalidRequest && len(refusal.Details) == 0 {
			return fmt.Errorf("a refusal without details: %w", err)
		}
		s.report.Refusals = append(s.report.Refusals, fmt.Sprintf("%d %s", refusal.Status, refusal.Code))
	}
	return nil
}
