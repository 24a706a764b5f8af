package dashboard

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// reviewForm is a form of the page review that was sent.
type reviewForm struct {
	card  *cards.Card
	state reviewState // with the choice of the form
}

// readReview reads a form of the page. Its choice is valid, or the page is shown again and the form is nil.
func (d *Dashboard) readReview(w http.ResponseWriter, r *http.Request) (*reviewForm, error) {
	if err := parseForm(r); err != nil {
		return nil, err
	}
	account := visitOf(r).Account
	card, err := d.Cards.Get(r.Context(), account.ID, r.PostForm.Get("card"))
	if err != nil {
		return nil, err
	}
	f := &reviewForm{&card, d.reviewState(r.Context(), account.ID)}
	f.state.reviewChoice = reviewChoice{
		typed(r.PostForm, "condition"), typed(r.PostForm, "language"), typed(r.PostForm, "location"),
	}
	if err := f.state.patch().Check(); err != nil {
		return nil, d.refuseReview(w, r, &card, f.state.reviewChoice, err)
	}
	return f, nil
}

// takeCandidate identifies a card as a candidate, gives it what was chosen for the pile, and shows the next card.
func (d *Dashboard) takeCandidate(w http.ResponseWriter, r *http.Request) error {
	form, err := d.readReview(w, r)
	if err != nil || form == nil {
		return err
	}
	card := form.card
	if card.Status != cards.NeedsReview { // another user was faster, or the key was pressed twice
		return d.nextReview(w, r, form, "reviewed")
	}
	match, err := formVersion(r.PostForm)
	if err != nil {
		return err
	}
	patch, err := d.chosen(r.Context(), card, r.PostForm)
	if err == nil && form.state.Language != "" { // which replaces that of the catalogue, and only that
		err = d.Cards.FillFromCatalogue(r.Context(), []*cards.Patch{&patch})
	}
	var taken cards.Card
	if err == nil {
		form.state.addTo(&patch)
		taken, err = d.Cards.Update(r.Context(), card.AccountID, card.ID, patch, match)
	}
	if err != nil {
		return d.refuseReview(w, r, card, form.state.reviewChoice, err)
	}
	form.state.add(takenCard{
		CardID: card.ID, Title: value(taken.Identification.Title), Version: taken.Version, Before: card.Reviewed(),
	})
	return d.nextReview(w, r, form, "")
}

// formVersion returns the match of the version that the page of a form showed.
func formVersion(form url.Values) (cards.Match, error) {
	version, err := strconv.ParseInt(form.Get("version"), 10, 64)
	if err != nil {
		return nil, fault.New(fault.InvalidRequest,
			"The form is incomplete. Open the card again and repeat the change.")
	}
	return func(v int64) bool { return v == version }, nil
}

// skipReview shows the next card. The one that is skipped stays in the queue.
func (d *Dashboard) skipReview(w http.ResponseWriter, r *http.Request) error {
	form, err := d.readReview(w, r)
	if err != nil || form == nil {
		return err
	}
	return d.nextReview(w, r, form, "")
}

// keepChoice keeps the choice and shows the same card with the results of the search, if there is one.
func (d *Dashboard) keepChoice(w http.ResponseWriter, r *http.Request) error {
	form, err := d.readReview(w, r)
	if err != nil || form == nil {
		return err
	}
	if err := d.keepReview(r.Context(), form.state); err != nil {
		return err
	}
	address := reviewAddress(form.card.ID)
	if text := typed(r.PostForm, "q"); text != "" {
		address = reviewAddress(form.card.ID, "q", text)
	}
	redirect(w, r, address)
	return nil
}

// nextReview stores the state and shows the card after that of the form, or the first one of the queue if it was the
// last. The notice is a key of reviewNotices, or "".
func (d *Dashboard) nextReview(w http.ResponseWriter, r *http.Request, form *reviewForm, notice string) error {
	if err := d.keepReview(r.Context(), form.state); err != nil {
		return err
	}
	accountID := form.card.AccountID
	next, err := d.firstInQueue(r.Context(), accountID, form.card)
	if err == nil && next == nil {
		if next, err = d.firstInQueue(r.Context(), accountID, nil); next != nil && notice == "" {
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
	redirect(w, r, reviewAddress(cardID, pairs...))
	return nil
}

// undoReview undoes the last review of the session and shows its card.
func (d *Dashboard) undoReview(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	account := visitOf(r).Account
	state := d.reviewState(r.Context(), account.ID)
	last, ok := state.take()
	if !ok {
		redirect(w, r, reviewAddress(""))
		return nil
	}
	same := func(version int64) bool { return version == last.Version }
	_, err := d.Cards.UndoIdentification(r.Context(), account.ID, last.CardID, last.Before, same)
	if f, refused := fault.As(err); err != nil && (!refused || f.Status() >= http.StatusInternalServerError) {
		return err // it can be tried again
	}
	if keepErr := d.keepReview(r.Context(), state); keepErr != nil {
		return keepErr
	}
	if err != nil {
		return d.showNotUndone(w, r, last)
	}
	redirect(w, r, reviewAddress(last.CardID, "after", "undone"))
	return nil
}

// showNotUndone shows the card of the form, and that the last review stays.
func (d *Dashboard) showNotUndone(w http.ResponseWriter, r *http.Request, last takenCard) error {
	p := reviewPage{
		Failed: "The card " + last.Title + " was changed since its review, so the review stays. Edit the card instead.",
	}
	if err := d.loadCard(r.Context(), visitOf(r).Account.ID, r.PostForm.Get("card"), &p); err != nil {
		return err
	}
	return d.renderReview(w, r, http.StatusConflict, p)
}
