package cardpage

import (
	"context"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
)

// loadWaits reads why the identification and the photos of a card wait.
func (h *Handlers) loadWaits(ctx context.Context, p *cardPage) error {
	pending := p.Card.Identification.Status == cards.IdentificationPending
	for _, photo := range p.Card.Photos {
		pending = pending || photo.Status == cards.PhotoPending
	}
	if !pending {
		return nil
	}
	waits, err := h.Cards.WaitingOf(ctx, &p.Card)
	if err != nil {
		return err
	}
	now := h.Clock.Time()
	p.Wait = lookup.NewWait(waits.Identification, now)
	p.photoWaits = map[string]*lookup.Wait{}
	for _, photo := range waits.Photos {
		p.photoWaits[photo.PhotoID] = lookup.NewWait(&photo.Waiting, now)
	}
	return nil
}

// PhotoWait returns why a photo waits, or nil.
func (p *cardPage) PhotoWait(photoID string) *lookup.Wait { return p.photoWaits[photoID] }
