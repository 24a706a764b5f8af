package learned

import (
	"context"
	"errors"
	"slices"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

const (
	// resembles is the distance up to which a photo shows the card of a fingerprint of the catalogue. The nearest of
	// 19,000 unrelated cards is rarely nearer than 140 bits; a photo of the card itself rarely farther than 150.
	resembles = 150
	// leastOutline is the score of an outline from which it is one of a card, if the catalogue has no picture of the
	// card to compare with. Otherwise the fingerprint could be one of the table on which the card lies. Of 26 photos of
	// cards with a picture, the best outline was right in all 17 with this score, and in 3 of the others.
	leastOutline = 0.7
	// leastFrame is the score of the whole photo as an outline if the photo has the shape of a card.
	leastFrame = 0.6
)

// isCard reports whether the best outline of a photo is surely one of a card.
func isCard(best vision.Hypothesis) bool {
	return best.Score >= leastOutline || best.IsFrame && best.Score >= leastFrame
}

// fingerprint returns the fingerprint of the card on the photo of the front. found is false if there is nothing to
// learn: the photo is gone or cannot be decoded, or does not resemble the card.
func (w *Worker) fingerprint(
	ctx context.Context, card cards.Card, said cards.Confirmation,
) (hash [64]byte, found bool, err error) {
	at := slices.IndexFunc(card.Photos, func(p cards.Photo) bool { return p.ID == said.PhotoID })
	data, err := w.Photos.Load(ctx, card.AccountID, card.Photos[at])
	if fault.Is(err, fault.PhotoNotFound) {
		return hash, false, nil
	}
	if err != nil {
		return hash, false, err
	}
	survey, err := w.Survey(ctx, data)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return hash, false, err // it may have had too little time
	case err != nil:
		return hash, false, ctx.Err() // nil for a photo that cannot be decoded
	}
	nearest := resembles + 1
	for _, seen := range survey.Outlines {
		for _, one := range [][64]byte{seen.Upright, seen.Turned} {
			distances, err := w.Catalogue.Distances(ctx, one, []string{said.CatalogID})
			if err != nil {
				return hash, false, err
			}
			distance, known := distances[said.CatalogID]
			if !known {
				return one, isCard(seen.Hypothesis), nil // the best outline is the first
			}
			if distance < nearest {
				nearest, hash = distance, one
			}
		}
	}
	return hash, nearest <= resembles, nil
}
