package cards

import (
	"context"

	"github.com/cardvault/cardvault/internal/waiting"
)

// Waits is what a card waits for.
type Waits struct {
	// Identification is nil unless the card is to be identified.
	Identification *waiting.Waiting
	// Photos are the photos that are to be fetched, by identifier, in the order of the card.
	Photos []PhotoWait
}

// PhotoWait is a photo that is to be fetched.
type PhotoWait struct {
	PhotoID string
	waiting.Waiting
}

// Waiting returns what a card waits for, or card_not_found.
func (s *Service) Waiting(ctx context.Context, accountID, cardID string) (Waits, error) {
	card, err := s.Get(ctx, accountID, cardID)
	if err != nil {
		return Waits{}, err
	}
	return s.WaitingOf(ctx, &card)
}

// WaitingOf is Waiting for a card that was read before.
func (s *Service) WaitingOf(ctx context.Context, card *Card) (w Waits, err error) {
	if w.Photos, err = s.photoWaits(ctx, card); err != nil {
		return Waits{}, err
	}
	if w.Identification, err = s.identify.Waiting(ctx, s.db, card.AccountID, card.ID); err != nil {
		return Waits{}, err
	}
	if w.Identification == nil && card.Identification.Status == IdentificationPending && len(w.Photos) > 0 {
		w.Identification = &waiting.Waiting{Since: w.Photos[0].Since, Reason: waiting.Photo}
	}
	return w, nil
}

// photoWaits returns why the photos wait that are to be fetched.
func (s *Service) photoWaits(ctx context.Context, card *Card) (list []PhotoWait, err error) {
	var ids []string
	for _, photo := range card.Photos {
		if photo.Status == PhotoPending {
			ids = append(ids, photo.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := s.fetches.Rows(ctx, s.db, card.AccountID, ids...)
	if err != nil {
		return nil, err
	}
	for _, photoID := range ids {
		if row, ok := rows[photoID]; ok {
			list = append(list, PhotoWait{photoID, row.Waiting()})
		}
	}
	return list, nil
}
