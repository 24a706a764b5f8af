package cardpage

import (
	"context"
	"net/http"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
)

// loadCandidates reads the candidates of a card that can still be identified.
func (h *Handlers) loadCandidates(ctx context.Context, p *cardPage) (err error) {
	if p.Card.Sold() {
		return nil
	}
	p.Candidates, err = h.candidates(ctx, p.account.ID, p.Card.ID)
	for i := range p.Candidates.List {
		p.Candidates.List[i].Place = 0 // a key pressed by mistake must not change a card that is identified
	}
	return err
}

// Unidentifiable returns why the card cannot be identified by its photo now, or "".
func (p cardPage) Unidentifiable() string { return lookup.Reason(p.Card.Identifiable()) }

// TakeOnCard identifies the card as a candidate.
func (h *Handlers) TakeOnCard(r *http.Request, card *cards.Card) (string, error) {
	match, err := form.Version(r.PostForm)
	if err != nil {
		return "", err
	}
	patch, err := h.chosen(r.Context(), card, r.PostForm)
	if err != nil {
		return "", err
	}
	taken, err := h.Cards.Update(r.Context(), card.AccountID, card.ID, patch, match)
	if err != nil {
		return "", err
	}
	return "taken", h.keepUntake(r.Context(), card, &taken)
}

// UndoTake gives the card what it had before it was identified as a candidate, if nothing else has changed it since.
func (h *Handlers) UndoTake(r *http.Request, card *cards.Card) (string, error) {
	undo := h.undoOf(r.Context(), card)
	if undo.Before == nil {
		return "", fault.New(fault.VersionMismatch, "The card was changed since the candidate was taken.")
	}
	same := func(version int64) bool { return version == undo.Version }
	_, err := h.Cards.UndoIdentification(r.Context(), card.AccountID, card.ID, *undo.Before, same)
	return "untaken", err
}

// IdentifyCard identifies the card by its photo again.
func (h *Handlers) IdentifyCard(r *http.Request, card *cards.Card) (string, error) {
	outcome, _, err := h.Identification.Card(r.Context(), card.AccountID, card.ID, nil, nil)
	if outcome.Accepted == nil {
		return "unsure", err
	}
	return "identified", err
}
