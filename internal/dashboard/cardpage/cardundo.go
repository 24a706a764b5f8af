package cardpage

import (
	"context"
	"encoding/json"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
)

// keyUndo is the key of the session's cardUndo, as JSON.
const keyUndo = "undo"

// cardUndo is the last change of a card by the user: of its fields, which a form with the values before undoes, or by
// a candidate.
type cardUndo struct {
	CardID  string
	Version int64           // after the change
	Fields  []form.Hidden   // the fields that were sent, with the values before the change
	Before  *cards.Reviewed // what the card had before it was identified as a candidate; nil for a change of fields
}

// keepUndo stores in the session how to undo a form that changed the card, or nothing if it changed nothing.
func (h *Handlers) keepUndo(ctx context.Context, before, after *cards.Card, f *form.Form, currency string) error {
	if before.Version == after.Version {
		h.Sessions.Remove(ctx, keyUndo)
		return nil
	}
	undo := cardUndo{CardID: after.ID, Version: after.Version}
	for _, field := range cardForm(before, currency).Fields {
		if f.Has(field.Name) {
			undo.Fields = append(undo.Fields, form.Hidden{Name: field.Name, Value: field.Value})
		}
	}
	return h.putUndo(ctx, undo)
}

// keepUntake stores in the session how to undo that the card was identified as a candidate, if that is possible.
func (h *Handlers) keepUntake(ctx context.Context, before, after *cards.Card) error {
	reviewed := before.Reviewed()
	if before.Version == after.Version || !reviewed.Undoable() {
		h.Sessions.Remove(ctx, keyUndo)
		return nil
	}
	return h.putUndo(ctx, cardUndo{CardID: after.ID, Version: after.Version, Before: &reviewed})
}

func (h *Handlers) putUndo(ctx context.Context, undo cardUndo) error {
	text, err := json.Marshal(undo)
	if err != nil {
		return err
	}
	h.Sessions.Put(ctx, keyUndo, string(text))
	return nil
}

// undoOf returns how to undo the last change of the card. It returns the zero cardUndo if that was another change.
func (h *Handlers) undoOf(ctx context.Context, card *cards.Card) cardUndo {
	var undo cardUndo
	err := json.Unmarshal([]byte(h.Sessions.GetString(ctx, keyUndo)), &undo)
	if err != nil || undo.CardID != card.ID || undo.Version != card.Version {
		return cardUndo{}
	}
	return undo
}
