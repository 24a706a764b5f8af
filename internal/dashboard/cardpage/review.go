package cardpage

import (
	"context"
	"net/http"
	"net/url"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
)

// reviewPage is the data of the page review.
type reviewPage struct {
	Card       *cards.Card  // nil if no card needs a review
	after      []cards.Card // the first card after it in the queue, empty if there is none; nil if it was not read
	Photo      shownPhoto
	Next       string // the URL of the photo of the next card; "" if there is none
	Left       int    // cards that need a review, at most maxLeft
	Candidates candidates
	Query      string // of the search in the catalogue
	Results    []candidate
	Form       *form.Form // with the choice
	Conditions []string
	Undo       string // the title of the card whose review can be undone; "" if there is none
	Notice     string // what happened before
	Failed     string // why a form could not be carried out
}

// Reviewed reports whether the card does not need a review any more.
func (p *reviewPage) Reviewed() bool { return p.Card.Status != cards.NeedsReview }

// Improbable is the confidence below which a card is most likely none of its candidates.
const Improbable = 0.2

// First returns the first candidate of the identification, or nil if there is no probable one.
func (p *reviewPage) First() *candidate {
	if len(p.Candidates.List) == 0 || p.Candidates.List[0].improbable {
		return nil
	}
	return &p.Candidates.List[0]
}

// Queue returns the query of the list of cards that need a review, as the page of cards takes it.
func (p *reviewPage) Queue() string { return reviewList }

const reviewList = "sort=created_at&status=needs_review"

// maxLeft is the largest number of cards that the page counts.
const maxLeft = 1000

// More reports whether there may be more cards than Left.
func (p *reviewPage) More() bool { return p.Left == maxLeft }

// reviewNotices are what the page tells after a form, by the value of "after" in its address.
var reviewNotices = map[string]string{
	"again":    "That was the last card of the queue. It begins again with the cards that were skipped.",
	"reviewed": "The card before was reviewed in the meantime, so it was not changed again.",
	"undone":   "The last review is undone.",
}

func (h *Handlers) ShowReview(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	p := reviewPage{Query: form.Clean(query.Get("q")), Notice: reviewNotices[query.Get("after")]}
	if err := h.loadCard(r.Context(), web.VisitOf(r).Account.ID, query.Get("card"), &p); err != nil {
		return err
	}
	return h.renderReview(w, r, http.StatusOK, p)
}

// loadCard reads a card, or for "" the first of the queue and the one after it, if there are any.
func (h *Handlers) loadCard(ctx context.Context, accountID, cardID string, p *reviewPage) error {
	if cardID != "" {
		card, err := h.Cards.Get(ctx, accountID, cardID)
		p.Card = &card
		return err
	}
	found, err := h.Cards.ReviewQueue(ctx, accountID, nil, 2)
	if len(found) > 0 {
		p.Card, p.after = &found[0], found[1:]
	}
	return err
}

// firstInQueue returns the first card of the queue, or the first after a card; nil if there is none.
func (h *Handlers) firstInQueue(ctx context.Context, accountID string, after *cards.Card) (*cards.Card, error) {
	found, err := h.Cards.ReviewQueue(ctx, accountID, after, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// reviewAddress returns the address of the review of a card. The first of the queue has no identifier in it.
func reviewAddress(cardID string, pairs ...string) string {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		query.Set(pairs[i], pairs[i+1])
	}
	if cardID != "" {
		query.Set("card", cardID)
	}
	if len(query) == 0 {
		return "/review"
	}
	return "/review?" + query.Encode()
}

// renderReview reads what else the page shows and shows it.
func (h *Handlers) renderReview(w http.ResponseWriter, r *http.Request, status int, p reviewPage) error {
	account := web.VisitOf(r).Account
	state := h.reviewState(r.Context(), account.ID)
	if p.Form == nil {
		p.Form = state.form()
	}
	p.Conditions = cards.Conditions
	if n := len(state.Taken); n > 0 {
		p.Undo = state.Taken[n-1].Title
	}
	group, ctx := errgroup.WithContext(r.Context())
	group.Go(func() error {
		left, err := h.Cards.ReviewsLeft(r.Context(), account.ID, maxLeft) // also if the search is refused
		p.Left = left
		return err
	})
	if p.Card != nil {
		p.Photo = h.bestPhoto(p.Card)
		waits := !p.Reviewed()
		group.Go(func() error { return h.loadNext(ctx, account.ID, &p) })
		if waits {
			group.Go(func() error { return h.loadChoices(ctx, account.ID, &p) })
		}
	}
	if err := group.Wait(); err != nil {
		f, invalid := list.Invalid(err)
		if !invalid {
			return err
		}
		p.Failed, status = f.Message, f.Status()
	}
	return h.ShowView(w, r, status, web.View{
		Page: "review", Title: "Review", Path: r.URL.Path, Visit: web.VisitOf(r), Data: &p, Reviews: web.Badge(p.Left),
	})
}

// bestPhoto returns the photo by which a person can tell the card, or one without an address.
func (h *Handlers) bestPhoto(card *cards.Card) shownPhoto {
	photo := card.BestPhoto()
	if ready := card.ReadyPhotos(); photo == nil && len(ready) > 0 {
		photo = &ready[0]
	}
	if photo == nil {
		return shownPhoto{}
	}
	return shownPhoto{Photo: *photo, Address: h.PhotoURL(card.AccountID, *photo)}
}

// loadNext reads the photo of the next card, which the browser loads in advance.
func (h *Handlers) loadNext(ctx context.Context, accountID string, p *reviewPage) (err error) {
	if p.after == nil {
		p.after, err = h.Cards.ReviewQueue(ctx, accountID, p.Card, 1)
	}
	if len(p.after) > 0 {
		p.Next = h.bestPhoto(&p.after[0]).Address
	}
	return err
}

// loadChoices reads the candidates and the results of the search.
func (h *Handlers) loadChoices(ctx context.Context, accountID string, p *reviewPage) (err error) {
	if p.Candidates, err = h.candidates(ctx, accountID, p.Card.ID); err == nil && p.Query != "" {
		p.Results, err = h.searchCatalogue(ctx, p.Query, len(p.Candidates.List))
	}
	for _, list := range [][]candidate{p.Candidates.List, p.Results} {
		for i := range list {
			list[i].Action = "/review/take" // the form's own keeps the choice, which Enter in a field sends
		}
	}
	return err
}

// refuseReview shows the card again with the reason for which a form could not be carried out.
func (h *Handlers) refuseReview(
	w http.ResponseWriter, r *http.Request, card *cards.Card, choice *form.Form, err error,
) error {
	f, ok := fault.As(err)
	if !ok || f.Code == fault.InternalError {
		return err
	}
	p := reviewPage{Card: card, Query: form.Clean(r.PostForm.Get("q")), Form: choice, Failed: lookup.Refusal(f)}
	if choice.Refuse(f); choice.Failed == form.Marked {
		p.Failed = form.Marked
	}
	web.SetRetryAfter(w, f)
	return h.renderReview(w, r, form.Status(f), p)
}
