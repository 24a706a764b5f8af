package cardpage

import (
	"context"
	"net/http"

	"github.com/gorilla/mux"
	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// notices are the notices by the value of "saved" in the page's address.
var notices = map[string]notice{
	"true":       {"", "Saved."},
	"photo":      {PartPhotos, "The photo was added."},
	"no-photo":   {PartPhotos, "The photo was removed."},
	"turned":     {PartPhotos, "The photo was turned and stored."},
	"taken":      {PartCandidates, "The card has the values of the candidate now."},
	"untaken":    {PartCandidates, "The card has the values from before the candidate again."},
	"identified": {PartCandidates, "The card was identified by its photo."},
	"unsure": {PartCandidates,
		"The photo shows no card with enough certainty. Choose a candidate, or enter the values by hand."},
	"published":  {PartListing, "The listing is being published. This takes a moment."},
	"ending":     {PartListing, "The listing is being ended. This takes a moment."},
	"sold":       {PartSale, "The sale is recorded."},
	"archived":   {PartEnd, "The card is archived, with all of its data, as soon as it has no listing."},
	"unarchived": {PartEnd, "The card is back."},
}

// cardAction carries out a form of a part of the page. It returns the key of the notice to show.
type cardAction func(r *http.Request, card *cards.Card) (saved string, err error)

// OnCard reads the card and the form, and shows the page after the form was carried out, or with the reason for which
// it was not.
func (h *Handlers) OnCard(part string, submit cardAction) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		card, err := h.card(r)
		if err != nil {
			return err
		}
		saved, err := submit(r, &card)
		if err != nil {
			return h.refuseOnCard(w, r, card, part, err)
		}
		web.Redirect(w, r, cardAddress(originOf(r), card.ID, "", "saved", saved)+"#"+part)
		return nil
	}
}

// card returns the card that the path names, if the account has it.
func (h *Handlers) card(r *http.Request) (cards.Card, error) {
	return h.Cards.Get(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
}

// refuseOnCard shows the page with the reason for which a form of a part could not be carried out.
func (h *Handlers) refuseOnCard(
	w http.ResponseWriter, r *http.Request, card cards.Card, part string, err error,
) error {
	f, ok := fault.As(err)
	if !ok || f.Code == fault.InternalError {
		return err
	}
	p := h.newCardPage(r, card)
	p.Refused, p.PhotoRole = notice{part, lookup.Refusal(f)}, cards.Role(r.PostForm.Get("role"))
	if sent := p.formOf(part); sent != nil {
		sent.Read(r.PostForm).Refuse(f)
		if sent.Failed == form.Marked {
			p.Refused.Text = form.Marked
		}
	}
	web.SetRetryAfter(w, f)
	return h.renderCard(w, r, form.Status(f), p)
}

func (h *Handlers) ShowCard(w http.ResponseWriter, r *http.Request) error {
	card, err := h.card(r)
	if err != nil {
		return err
	}
	p := h.newCardPage(r, card)
	query := r.URL.Query()
	p.Notice, p.Priced = notices[query.Get("saved")], query.Get("prices") == "true"
	p.HistoryFrom = query.Get("history")
	switch p.Notice {
	case notices["true"]:
		p.Undo = h.undoOf(r.Context(), &card).Fields
	case notices["taken"]:
		p.Untake = h.undoOf(r.Context(), &card).Before != nil
	}
	return h.renderCard(w, r, http.StatusOK, p)
}

// ChangeCard saves the fields that the form has. The others stay as they are.
func (h *Handlers) ChangeCard(w http.ResponseWriter, r *http.Request) error {
	card, err := h.card(r)
	if err != nil {
		return err
	}
	match, err := form.Version(r.PostForm)
	if err != nil {
		return err
	}
	p := h.newCardPage(r, card)
	patch, err := cardPatch(p.Form.Read(r.PostForm))
	if err == nil {
		var changed cards.Card
		changed, err = h.Cards.Update(r.Context(), card.AccountID, card.ID, patch.Changes(&card), match)
		if err == nil {
			err = h.keepUndo(r.Context(), &card, &changed, p.Form, web.VisitOf(r).Account.Currency)
		}
	}
	if err == nil {
		web.Redirect(w, r, cardAddress(originOf(r), card.ID, "", "saved", "true"))
		return nil
	}
	refused, ok := form.Refused(err)
	if !ok {
		return err
	}
	p.Form.Refuse(refused)
	if refused.Code == fault.VersionMismatch {
		p.Form.Failed = "The card was changed in the meantime. " +
			"Compare your values with its history below, then save again."
	}
	return h.renderCard(w, r, form.Status(refused), p)
}

func (h *Handlers) newCardPage(r *http.Request, card cards.Card) cardPage {
	account := web.VisitOf(r).Account
	return cardPage{
		Card: card, Version: card.Version, Photos: h.photoPlaces(&card), Form: cardForm(&card, account.Currency),
		Listing: listingPart{Form: publishForm(&card, account.Currency)},
		Sale:    salePart{Form: sellForm(&card, account.Currency)},
		account: account, from: originOf(r),
	}
}

// renderCard reads the parts of the page at the same time and shows it.
func (h *Handlers) renderCard(w http.ResponseWriter, r *http.Request, status int, p cardPage) error {
	group, ctx := errgroup.WithContext(r.Context())
	for _, load := range []func(context.Context, *cardPage) error{
		h.loadHistory, h.loadCandidates, h.loadListing, h.loadSale, h.loadPrices, h.loadNeighbors,
		h.loadWaits,
	} {
		group.Go(func() error { return load(ctx, &p) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	title := "Card without a title"
	if p.Card.Identification.Title != nil {
		title = *p.Card.Identification.Title
	}
	return h.Show(w, r, status, "card", title, &p)
}

func (h *Handlers) loadHistory(ctx context.Context, p *cardPage) error {
	request := paging.Request{Limit: HistoryShown, Cursor: p.HistoryFrom}
	history, err := h.Cards.History(ctx, p.account.ID, p.Card.ID, request)
	if err != nil {
		return err
	}
	names, err := h.ActorNames(ctx, p.account.ID, history.Data)
	if err != nil {
		return err
	}
	for _, entry := range history.Data {
		p.History = append(p.History, historyEntry{entry, names[entry.Actor]})
	}
	p.Older = format.Text(history.NextCursor)
	return nil
}
