package dashboard

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/waiting"
)

// shownWait says why something is not done yet, for the template "wait".
type shownWait struct {
	Message string
	Since   time.Time
	Next    *time.Time // when the next attempt is; nil if it is due or under way
}

// newShownWait returns nil if nothing waits.
func newShownWait(w *waiting.Waiting, now time.Time) *shownWait {
	if w == nil {
		return nil
	}
	shown := shownWait{Message: w.Message(), Since: w.Since}
	if w.NextAttemptAt != nil && w.NextAttemptAt.After(now) {
		shown.Next = w.NextAttemptAt
	}
	return &shown
}

// loadWaits reads why the identification and the photos of a card wait.
func (d *Dashboard) loadWaits(ctx context.Context, p *cardPage) error {
	pending := p.Card.Identification.Status == cards.IdentificationPending
	for _, photo := range p.Card.Photos {
		pending = pending || photo.Status == cards.PhotoPending
	}
	if !pending {
		return nil
	}
	waits, err := d.Cards.WaitingOf(ctx, &p.Card)
	if err != nil {
		return err
	}
	now := d.Clock.Time()
	p.Wait = newShownWait(waits.Identification, now)
	p.photoWaits = map[string]*shownWait{}
	for _, photo := range waits.Photos {
		p.photoWaits[photo.PhotoID] = newShownWait(&photo.Waiting, now)
	}
	return nil
}

// PhotoWait returns why a photo waits, or nil.
func (p *cardPage) PhotoWait(photoID string) *shownWait { return p.photoWaits[photoID] }
