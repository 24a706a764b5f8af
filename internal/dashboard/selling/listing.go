package selling

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
)

// listingPage is the data of the page listing.
type listingPage struct {
	ListingRow
	Steps []listingStep
	Form  *form.Form   // that changes the listing or publishes the card again
	Wait  *lookup.Wait // why the listing waits for the marketplace; nil if it does not
	Done  string       // what was done; "" if the page was just opened
}

// listingDone are the messages by the value of done in the address.
var listingDone = map[string]string{
	"saved":     "Saved. The marketplace gets the change in a moment.",
	"ended":     "The listing is being ended.",
	"published": "The card is being published.",
}

func (h *Handlers) ShowListing(w http.ResponseWriter, r *http.Request) error {
	l, err := h.Listings.Get(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	return h.renderListing(w, r, l, nil)
}

// renderListing shows the listing. If an action was refused, the page says why and keeps what was typed.
func (h *Handlers) renderListing(
	w http.ResponseWriter, r *http.Request, l listings.Listing, refused *fault.Error,
) error {
	account := web.VisitOf(r).Account
	rows, err := h.ListingRows(r.Context(), account.ID, l)
	if err != nil {
		return err
	}
	p := listingPage{ListingRow: rows[0], Done: listingDone[r.URL.Query().Get("done")]}
	p.Form = p.form()
	waits, err := h.Listings.WaitingOf(r.Context(), p.Listing)
	if err != nil {
		return err
	}
	p.Wait = lookup.NewWait(waits, h.Clock.Time())
	if p.Steps, err = h.listingSteps(r.Context(), p.ListingRow); err != nil {
		return err
	}
	status := http.StatusOK
	if refused != nil {
		status = form.Status(refused)
		p.Form.Read(r.PostForm).Refuse(refused)
	}
	return h.Show(w, r, status, "listing", p.Name(), p)
}

// form returns the form for the listing's status. Publishing again makes a title from the card, unless one is typed.
func (l ListingRow) form() *form.Form {
	title, price := l.Title, l.Price
	if !l.Live() {
		title, price = "", l.asking()
	}
	amount := form.Field{
		Name: "price", Label: "Price in " + price.Currency, Kind: form.Amount, Max: form.MaxAmount, Required: l.Live(),
	}
	return form.New(
		form.Field{Name: "title", Label: "Title", Value: title, Max: marketplaces.MaxTitle}, amount.Of(&price, ""),
	)
}

// asking returns the asking price of the card, or else the price of the listing.
func (l ListingRow) asking() money.Money {
	if l.Card != nil && l.Card.Pricing.AskingPrice != nil {
		return *l.Card.Pricing.AskingPrice
	}
	return l.Price
}

// listingStep is a point of a listing's history.
type listingStep struct {
	At   time.Time
	What string
	Who  string // "" if it was not the account
}

// listingSteps returns the listing's history, oldest first: its own times, and the changes of its price in the history
// of the card.
func (h *Handlers) listingSteps(ctx context.Context, l ListingRow) ([]listingStep, error) {
	if l.Card == nil {
		return l.steps(nil, nil), nil
	}
	history, err := h.Cards.History(ctx, l.AccountID, l.CardID, paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return nil, err
	}
	who, err := h.ActorNames(ctx, l.AccountID, history.Data)
	if err != nil {
		return nil, err
	}
	return l.steps(history.Data, who), nil
}

// steps returns the listing's history, given that of its card, newest first, and the names of those who changed it.
func (l ListingRow) steps(history []cards.HistoryEntry, who map[caller.Actor]string) []listingStep {
	first := listingStep{At: l.CreatedAt, What: "Publishing requested"}
	var repriced []listingStep
	for i := len(history) - 1; i >= 0; i-- {
		entry := history[i]
		for _, change := range entry.Changes {
			switch {
			case change.Field == "listing_id" && string(change.To) == strconv.Quote(l.ID):
				first.Who = who[entry.Actor]
			case change.Field == "pricing.asking_price" && l.during(entry):
				what := "Price changed from " + format.Value(change.From) + " to " + format.Value(change.To)
				repriced = append(repriced, listingStep{entry.At, what, who[entry.Actor]})
			}
		}
	}
	steps := []listingStep{first}
	if l.PublishedAt != nil {
		steps = append(steps, listingStep{At: *l.PublishedAt, What: "Live on " + l.Marketplace})
	}
	return append(append(steps, repriced...), l.last()...)
}

// during reports whether the entry was made while the listing was live.
func (l ListingRow) during(entry cards.HistoryEntry) bool {
	switch {
	case l.PublishedAt == nil || entry.At.Before(*l.PublishedAt):
		return false
	case l.Status == listings.Live || l.Status == listings.Ending:
		return true
	}
	return !entry.At.After(l.Since())
}

// last returns the step to the listing's status, or that of a revision.
func (l ListingRow) last() []listingStep {
	step := listingStep{At: l.Since()}
	switch l.Status {
	case listings.Publishing:
		return nil
	case listings.Live:
		step.At = l.UpdatedAt
		switch l.Revision.Status {
		case listings.RevisionPending:
			step.What = "A change of the title or the price is on its way to " + l.Marketplace
		case listings.RevisionDone:
			step.What = "The marketplace has the new title or price"
		case listings.RevisionFailed:
			step.What = "The marketplace refused a change"
		default:
			return nil
		}
	case listings.Ending:
		step.What = "Being ended " + l.Why()
	case listings.Ended:
		step.What = "Ended " + l.Why()
	case listings.Sold:
		step.What = "Sold for " + format.Money(*l.SoldPrice)
	case listings.Failed:
		step.What = "Not published: " + l.Failure.Message
	}
	return []listingStep{step}
}

// ChangeListing changes the title and the price of a live listing.
func (h *Handlers) ChangeListing(w http.ResponseWriter, r *http.Request) error {
	return h.listingAction(w, r, func(ctx context.Context, l listings.Listing) (string, error) {
		match, err := form.Version(r.PostForm)
		if err != nil {
			return "", err
		}
		f := ListingRow{Listing: l}.form().Read(r.PostForm)
		in := listings.UpdateInput{Title: new(f.Text("title")), Price: f.Amount("price")}
		if err := f.Err(); err != nil {
			return "", err
		}
		if l.Revision.Status != listings.RevisionFailed { // the same values try a failed revision again
			in = changedTerms(l, in)
		}
		_, err = h.Listings.Update(ctx, l.AccountID, l.ID, in, match)
		return "/listings/" + l.ID + "?done=saved", err
	})
}

// changedTerms returns the input without the values that the listing has already.
func changedTerms(l listings.Listing, in listings.UpdateInput) listings.UpdateInput {
	if *in.Price == l.Price {
		in.Price = nil
	}
	if *in.Title == l.Title {
		in.Title = nil
	}
	return in
}

func (h *Handlers) EndListing(w http.ResponseWriter, r *http.Request) error {
	return h.listingAction(w, r, func(ctx context.Context, l listings.Listing) (string, error) {
		_, err := h.Listings.End(ctx, l.AccountID, l.ID, nil)
		return "/listings/" + l.ID + "?done=ended", err
	})
}

// PublishAgain publishes the card of a listing that ended or failed on the same marketplace.
func (h *Handlers) PublishAgain(w http.ResponseWriter, r *http.Request) error {
	return h.listingAction(w, r, func(ctx context.Context, l listings.Listing) (string, error) {
		card, err := h.Cards.Get(ctx, l.AccountID, l.CardID)
		if err != nil {
			return "", err
		}
		row := ListingRow{Listing: l, Card: &card}
		f := row.form().Read(r.PostForm)
		in := listings.PublishInput{Marketplace: &l.Marketplace, Title: f.Optional("title")}
		if f.Has("price") {
			in.Price = f.Amount("price")
		}
		if err := f.Err(); err != nil {
			return "", err
		}
		if in.Price != nil && card.Pricing.AskingPrice != nil && *in.Price == *card.Pricing.AskingPrice {
			in.Price = nil
		}
		published, err := h.Listings.Publish(ctx, l.AccountID, l.CardID, in, web.VisitOf(r).Account.Sandbox, nil)
		return returnTo(r.PostForm, "/listings/"+published.ID+"?done=published"), err
	})
}

// listingAction changes the listing that the path names and sends the browser to the page that action returns. A
// refusal is shown on the listing's page.
func (h *Handlers) listingAction(
	w http.ResponseWriter, r *http.Request, action func(context.Context, listings.Listing) (target string, err error),
) error {
	account := web.VisitOf(r).Account
	l, err := h.Listings.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	target, err := action(r.Context(), l)
	if err == nil {
		web.Redirect(w, r, target)
		return nil
	}
	refused, ok := form.Refused(err)
	if !ok {
		return err
	}
	if l, err = h.Listings.Get(r.Context(), account.ID, l.ID); err != nil { // as it is by now
		return err
	}
	return h.renderListing(w, r, l, refused)
}

// returnTo returns the page of the dashboard that a form was sent from, or otherwise if the form does not name it.
func returnTo(sent url.Values, otherwise string) string {
	if next := sent.Get("next"); next != "" {
		return web.LocalPath(next)
	}
	return otherwise
}
