package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/page"
)

// listingPage is the data of the page listing.
type listingPage struct {
	listingRow
	Steps  []listingStep
	Fields []cardField // of the form that changes the listing or publishes the card again
	Done   string      // what was done; "" if the page was just opened
	Failed string      // why an action was refused
}

// listingDone are the messages by the value of done in the address.
var listingDone = map[string]string{
	"saved":     "Saved. The marketplace gets the change in a moment.",
	"ended":     "The listing is being ended.",
	"published": "The card is being published.",
}

func (d *Dashboard) showListing(w http.ResponseWriter, r *http.Request) error {
	l, err := d.Listings.Get(r.Context(), visitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	return d.renderListing(w, r, l, nil)
}

// renderListing shows the listing. If an action was refused, the page says why and keeps what was typed.
func (d *Dashboard) renderListing(
	w http.ResponseWriter, r *http.Request, l listings.Listing, refused *fault.Error,
) error {
	account := visitOf(r).Account
	rows, err := d.listingRows(r.Context(), account.ID, l)
	if err != nil {
		return err
	}
	p := listingPage{listingRow: rows[0], Done: listingDone[r.URL.Query().Get("done")]}
	p.Fields = p.fields()
	if p.Steps, err = d.listingSteps(r.Context(), p.listingRow); err != nil {
		return err
	}
	status := http.StatusOK
	if refused != nil {
		status, p.Failed = formStatus(refused), refused.Message
		keepFields(p.Fields, r.PostForm, refused.Details)
	}
	return d.show(w, r, status, "listing", p.Name(), p)
}

// fields returns the fields of the form for the listing's status. Publishing again makes a title from the card, unless
// one is typed.
func (p *listingPage) fields() []cardField {
	title, price := p.Title, &p.Price
	if !p.Live() {
		title = ""
		if p.Card != nil && p.Card.Pricing.AskingPrice != nil {
			price = p.Card.Pricing.AskingPrice
		}
	}
	amount, currency := decimal(price, "")
	return []cardField{
		{Name: "title", Label: "Title", Value: title, Max: marketplaces.MaxTitle},
		{Name: "price", Label: "Price in " + currency, Value: amount, Max: maxAmount, Decimal: true},
	}
}

// keepFields puts what was typed into the fields, with the errors beside them. The path of an error begins or ends with
// the name of its field: price.amount, tracking.carrier.
func keepFields(fields []cardField, form url.Values, refused []fault.Detail) {
	for i := range fields {
		field := &fields[i]
		if typed, sent := form[field.Name]; sent {
			field.Value = typed[0]
		}
		for _, detail := range refused {
			path := strings.Split(detail.Field, ".")
			if field.Name == path[0] || field.Name == path[len(path)-1] {
				field.Error = detail.Message
			}
		}
	}
}

// listingStep is a point of a listing's history.
type listingStep struct {
	At   time.Time
	What string
	Who  string // "" if it was not the account
}

// listingSteps returns the listing's history, oldest first: its own times, and the changes of its price in the history
// of the card.
func (d *Dashboard) listingSteps(ctx context.Context, l listingRow) ([]listingStep, error) {
	if l.Card == nil {
		return l.steps(nil, nil), nil
	}
	history, err := d.Cards.History(ctx, l.AccountID, l.CardID, page.Request{Limit: page.MaxLimit})
	if err != nil {
		return nil, err
	}
	who, err := d.actorNames(ctx, l.AccountID, history.Data)
	if err != nil {
		return nil, err
	}
	return l.steps(history.Data, who), nil
}

// steps returns the listing's history, given that of its card, newest first, and the names of those who changed it.
func (l listingRow) steps(history []cards.HistoryEntry, who map[caller.Actor]string) []listingStep {
	first := listingStep{At: l.CreatedAt, What: "Publishing requested"}
	var repriced []listingStep
	for i := len(history) - 1; i >= 0; i-- {
		entry := history[i]
		for _, change := range entry.Changes {
			switch {
			case change.Field == "listing_id" && string(change.To) == strconv.Quote(l.ID):
				first.Who = who[entry.Actor]
			case change.Field == "pricing.asking_price" && l.during(entry):
				what := "Price changed from " + shown(change.From) + " to " + shown(change.To)
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
func (l listingRow) during(entry cards.HistoryEntry) bool {
	switch {
	case l.PublishedAt == nil || entry.At.Before(*l.PublishedAt):
		return false
	case l.Status == listings.Live || l.Status == listings.Ending:
		return true
	}
	return !entry.At.After(l.Since())
}

// last returns the step to the listing's status, or that of a revision.
func (l listingRow) last() []listingStep {
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
		step.What = "Sold for " + formatMoney(*l.SoldPrice)
	case listings.Failed:
		step.What = "Not published: " + l.Failure.Message
	}
	return []listingStep{step}
}

// changeListing changes the title and the price of a live listing.
func (d *Dashboard) changeListing(w http.ResponseWriter, r *http.Request) error {
	return d.listingAction(w, r, func(ctx context.Context, l listings.Listing) (string, error) {
		version, err := strconv.ParseInt(r.PostForm.Get("version"), 10, 64)
		if err != nil {
			return "", errFormIncomplete
		}
		title := typed(r.PostForm, "title")
		price, err := formAmount(r.PostForm, "price", l.Price.Currency)
		if err != nil {
			return "", err
		}
		if price == nil {
			return "", fault.Invalid("price", "must be an amount such as 12.50")
		}
		in := listings.UpdateInput{Price: price, Title: &title}
		if l.Revision.Status != listings.RevisionFailed { // the same values try a failed revision again
			in = changedTerms(l, in)
		}
		_, err = d.Listings.Update(ctx, l.AccountID, l.ID, in, func(v int64) bool { return v == version })
		return "/listings/" + l.ID + "?done=saved", err
	})
}

var errFormIncomplete = fault.New(fault.InvalidRequest,
	"The form is incomplete. Open the page again and repeat the change.")

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

func (d *Dashboard) endListing(w http.ResponseWriter, r *http.Request) error {
	return d.listingAction(w, r, func(ctx context.Context, l listings.Listing) (string, error) {
		_, err := d.Listings.End(ctx, l.AccountID, l.ID, nil)
		return "/listings/" + l.ID + "?done=ended", err
	})
}

// publishAgain publishes the card of a listing that ended or failed on the same marketplace.
func (d *Dashboard) publishAgain(w http.ResponseWriter, r *http.Request) error {
	return d.listingAction(w, r, func(ctx context.Context, l listings.Listing) (string, error) {
		in := listings.PublishInput{Marketplace: &l.Marketplace}
		if title := typed(r.PostForm, "title"); title != "" {
			in.Title = &title
		}
		card, err := d.Cards.Get(ctx, l.AccountID, l.CardID)
		if err != nil {
			return "", err
		}
		var asking money.Money
		if card.Pricing.AskingPrice != nil {
			asking = *card.Pricing.AskingPrice
		}
		if asking.Currency == "" {
			asking.Currency = l.Price.Currency
		}
		if in.Price, err = formAmount(r.PostForm, "price", asking.Currency); err != nil {
			return "", err
		}
		if in.Price != nil && *in.Price == asking {
			in.Price = nil
		}
		made, err := d.Listings.Publish(ctx, l.AccountID, l.CardID, in, visitOf(r).Account.Sandbox, nil)
		return returnTo(r.PostForm, "/listings/"+made.ID+"?done=published"), err
	})
}

// listingAction changes the listing that the path names and sends the browser to the page that action returns. A
// refusal is shown on the listing's page.
func (d *Dashboard) listingAction(
	w http.ResponseWriter, r *http.Request, action func(context.Context, listings.Listing) (target string, err error),
) error {
	if err := parseForm(r); err != nil {
		return err
	}
	account := visitOf(r).Account
	l, err := d.Listings.Get(r.Context(), account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	target, err := action(r.Context(), l)
	if err == nil {
		redirect(w, r, target)
		return nil
	}
	f, ok := fault.As(err)
	if !ok || f.Status() >= http.StatusInternalServerError {
		return err
	}
	if l, err = d.Listings.Get(r.Context(), account.ID, l.ID); err != nil { // as it is by now
		return err
	}
	return d.renderListing(w, r, l, f)
}

// returnTo returns the page of the dashboard that a form was sent from, or otherwise if the form does not name it.
func returnTo(form url.Values, otherwise string) string {
	if next := form.Get("next"); next != "" {
		return localPath(next)
	}
	return otherwise
}

// formAmount returns the amount of a field in the currency, or nil if it is empty.
func formAmount(form url.Values, name, currency string) (*money.Money, error) {
	text := typed(form, name)
	if text == "" {
		return nil, nil
	}
	parsed, err := money.Parse(text, currency)
	if err != nil {
		return nil, fault.Invalid(name, "must be an amount such as 12.50")
	}
	return &parsed, nil
}
