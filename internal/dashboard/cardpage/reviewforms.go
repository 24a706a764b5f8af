package cardpage

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
)

// reviewForm is a form of the page review that was sent.
type reviewForm struct {
	card   *cards.Card
	state  reviewState // with the choice of the form
	choice *form.Form
}

// readReview reads a form of the page. Its choice is valid, or the page is shown again and the form is nil.
func (h *Handlers) readReview(w http.ResponseWriter, r *http.Request) (*reviewForm, error) {
	account := web.VisitOf(r).Account
	card, err := h.Cards.Get(r.Context(), account.ID, r.PostForm.Get("card"))
	if err != nil {
		return nil, err
	}
	choice := reviewChoice{}.form().Read(r.PostForm)
	f := &reviewForm{&card, h.reviewState(r.Context(), account.ID), choice}
	f.state.reviewChoice = reviewChoice{choice.Text("condition"), choice.Text("language"), choice.Text("location")}
	if err := f.state.patch().Check(); err != nil {
		return nil, h.refuseReview(w, r, &card, choice, err)
	}
	return f, nil
}

// TakeCandidate identifies a card as a candidate, gives it what was chosen for the pile, and shows the next card.
func (h *Handlers) TakeCandidate(w http.ResponseWriter, r *http.Request) error {
	sent, err := h.readReview(w, r)
	if err != nil || sent == nil {
		return err
	}
	card := sent.card
	if card.Status != cards.NeedsReview { // another user was faster, or the key was pressed twice
		return h.nextReview(w, r, sent, "reviewed")
	}
	match, err := form.Version(r.PostForm)
	if err != nil {
		return err
	}
	patch, err := h.chosen(r.Context(), card, r.PostForm)
	if err == nil && sent.state.Language != "" { // which replaces that of the catalogue, and only that
		err = h.Cards.FillFromCatalogue(r.Context(), []*cards.Patch{&patch})
	}
	var taken cards.Card
	if err == nil {
		sent.state.addTo(&patch)
		taken, err = h.Cards.Update(r.Context(), card.AccountID, card.ID, patch, match)
	}
	if err != nil {
		return h.refuseReview(w, r, card, sent.choice, err)
	}
	sent.state.add(takenCard{
		CardID: card.ID, Title: format.Text(taken.Identification.Title), Version: taken.Version,
		Before: card.Reviewed(),
	})
	return h.nextReview(w, r, sent, "")
}

// SkipReview shows the next card. The one that is skipped stays in the queue.
func (h *Handlers) SkipReview(w http.ResponseWriter, r *http.Request) error {
	sent, err := h.readReview(w, r)
	if err != nil || sent == nil {
		return err
	}
	return h.nextReview(w, r, sent, "")
}

// KeepChoice keeps the choice and shows the same card with the results of the search, if there is one.
func (h *Handlers) KeepChoice(w http.ResponseWriter, r *http.Request) error {
	sent, err := h.readReview(w, r)
	if err != nil || sent == nil {
		return err
	}
	if err := h.keepReview(r.Context(), sent.state); err != nil {
		return err
	}
	address := reviewAddress(sent.card.ID)
	if text := form.Clean(r.PostForm.Get("q")); text != "" {
		address = reviewAddress(sent.card.ID, "q", text)
	}
	web.Redirect(w, r, address)
	return nil
}

// nextReview stores the state and shows the card after that of the form, or the first one of the queue if it was the
// last. The notice is a key of reviewNotices, or "".
func (h *Handlers) nextReview(w http.ResponseWriter, r *http.Request, sent *reviewForm, notice string) error {
	if err := h.keepReview(r.Context(), sent.state); err != nil {
		return err
	}
	accountID := sent.card.AccountID
	next, err := h.firstInQueue(r.Context(), accountID, sent.card)
	if err == nil && next == nil {
		if next, err = h.firstInQueue(r.Context(), accountID, nil); next != nil && notice == "" {
			notice = "again"
		}
	}
	if err != nil {
		return err
	}
	cardID, pairs := "", []string(nil)
	if next != nil {
		cardID = next.ID
	}
	if notice != "" {
		pairs = []string{"after", notice}
	}
	web.Redirect(w, r, reviewAddress(cardID, pairs...))
	return nil
}

// UndoReview undoes the last review of the session and shows its card.
func (h *Handlers) UndoReview(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	state := h.reviewState(r.Context(), account.ID)
	last, ok := state.take()
	if !ok {
		web.Redirect(w, r, reviewAddress(""))
		return nil
	}
	same := func(version int64) bool { return version == last.Version }
	_, err := h.Cards.UndoIdentification(r.Context(), account.ID, last.CardID, last.Before, same)
	if _, refused := form.Refused(err); err != nil && !refused {
		return err // it can be tried again
	}
	if keepErr := h.keepReview(r.Context(), state); keepErr != nil {
		return keepErr
	}
	if err != nil {
		return h.showNotUndone(w, r, last)
	}
	web.Redirect(w, r, reviewAddress(last.CardID, "after", "undone"))
	return nil
}

// showNotUndone shows the card of the form, and that the last review stays.
func (h *Handlers) showNotUndone(w http.ResponseWriter, r *http.Request, last takenCard) error {
	p := reviewPage{
		Failed: "The card " + last.Title + " was changed since its review, so the review stays. Edit the card instead.",
	}
	if err := h.loadCard(r.Context(), web.VisitOf(r).Account.ID, r.PostForm.Get("card"), &p); err != nil {
		return err
	}
	return h.renderReview(w, r, http.StatusConflict, p)
}
