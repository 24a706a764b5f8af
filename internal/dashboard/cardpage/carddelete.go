package cardpage

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
)

// deletePage is the data of the page carddelete, which asks before a card is deleted.
type deletePage struct {
	Card      cards.Card
	Title     string // of the card
	Address   string // of the form
	Back      string // the address of the card
	Deletable bool
	Failed    string // why the card was not deleted
}

// ArchiveCard archives the card and ends its listing, or brings the card back.
func (h *Handlers) ArchiveCard(r *http.Request, card *cards.Card) (string, error) {
	match, err := form.Version(r.PostForm)
	if err != nil {
		return "", err
	}
	if r.PostForm.Get("archived") == "true" {
		return "archived", h.Listings.Archive(r.Context(), card.AccountID, card.ID, match)
	}
	archived := false
	_, err = h.Cards.Update(r.Context(), card.AccountID, card.ID, cards.Patch{Archived: &archived}, match)
	return "unarchived", err
}

func (h *Handlers) ShowDelete(w http.ResponseWriter, r *http.Request) error {
	card, err := h.card(r)
	if err != nil {
		return err
	}
	return h.askDelete(w, r, http.StatusOK, card, "")
}

// askDelete shows what deleting the card would do.
func (h *Handlers) askDelete(
	w http.ResponseWriter, r *http.Request, status int, card cards.Card, failed string,
) error {
	p := deletePage{
		Card: card, Title: "this card", Deletable: !card.UnderWay(), Failed: failed,
		Address: cardAddress(originOf(r), card.ID, "delete"), Back: cardAddress(originOf(r), card.ID, ""),
	}
	if card.Identification.Title != nil {
		p.Title = *card.Identification.Title
	}
	return h.Show(w, r, status, "carddelete", "Delete "+p.Title+"?", &p)
}

// DeleteCard deletes the card and shows the list that the reader came from.
func (h *Handlers) DeleteCard(w http.ResponseWriter, r *http.Request) error {
	card, err := h.card(r)
	if err != nil {
		return err
	}
	match, err := form.Version(r.PostForm)
	if err != nil {
		return err
	}
	err = h.Photos.DeleteCard(r.Context(), card.AccountID, card.ID, match)
	if err == nil {
		web.Redirect(w, r, originOf(r).address())
		return nil
	}
	refused, ok := form.Refused(err)
	if !ok {
		return err
	}
	return h.askDelete(w, r, form.Status(refused), card, lookup.Refusal(refused))
}
