package selling

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/paging"
)

// listingsPage is the data of the page listings.
type listingsPage struct {
	list.Shown
	Tabs  []web.Tab
	Rows  []ListingRow
	Sites []string // of eBay, for a file
}

// ListingRow is a listing as a row of a table.
type ListingRow struct {
	listings.Listing
	Card  *cards.Card // nil if it was deleted
	Photo string      // the URL of a photo of the card; "" if there is none
}

// listingStatuses are in the order of the tabs.
var listingStatuses = []listings.Status{
	listings.Publishing, listings.Live, listings.Ending, listings.Sold, listings.Ended, listings.Failed,
}

// listingFields returns the filters of the API for listings on these marketplaces.
func listingFields(marketplaces []string) []form.Field {
	return []form.Field{
		{Name: "status", Label: "Status", Kind: form.Choice, Options: format.Options(listingStatuses)},
		{Name: "marketplace", Label: "Marketplace", Kind: form.Choice, Options: format.Options(marketplaces)},
		{Name: "card", Label: "Card id"},
		{Name: "updated_since", Label: "Changed since", Kind: form.Date},
	}
}

// listingsPerPage is the number of rows of the page.
const listingsPerPage = 50

func (h *Handlers) ListListings(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	q := list.NewQuery(r, account.TimeZone, listingFields(h.Markets))
	filter := listingFilter(q)
	found, shown, status, err := list.Load(q, listingsPerPage,
		func(at paging.Request) (paging.Page[listings.Listing], error) {
			return h.Listings.List(r.Context(), account.ID, filter, at)
		})
	if err != nil {
		return err
	}
	p := listingsPage{Shown: shown, Tabs: listingTabs(q), Sites: fileSites(account.Currency)}
	if p.Rows, err = h.ListingRows(r.Context(), account.ID, found...); err != nil {
		return err
	}
	return h.Show(w, r, status, "listings", "Listings", p)
}

// listingFilter returns the filter that the query sets.
func listingFilter(q *list.Query) listings.Filter {
	f := listings.Filter{
		Marketplace: q.Choice("marketplace"), Card: q.Text("card"), UpdatedSince: q.Time("updated_since"),
	}
	for _, status := range q.Choices("status") {
		f.Statuses = append(f.Statuses, listings.Status(status))
	}
	return f
}

// listingTabs returns a tab for all listings and one for each status.
func listingTabs(q *list.Query) []web.Tab {
	current := strings.TrimSpace(q.Values.Get("status"))
	tabs := []web.Tab{{Label: "All", Address: q.Address("status", ""), Current: current == ""}}
	for _, status := range listingStatuses {
		name := string(status)
		label := strings.ToUpper(name[:1]) + name[1:]
		tabs = append(tabs, web.Tab{Label: label, Address: q.Address("status", name), Current: current == name})
	}
	return tabs
}

// ListingRows adds the cards to the listings.
func (h *Handlers) ListingRows(
	ctx context.Context, accountID string, list ...listings.Listing,
) ([]ListingRow, error) {
	ids := make([]string, len(list))
	for i, l := range list {
		ids[i] = l.CardID
	}
	found, err := h.CardsByID(ctx, accountID, ids)
	if err != nil {
		return nil, err
	}
	rows := make([]ListingRow, len(list))
	for i, l := range list {
		rows[i].Listing = l
		if card, ok := found[l.CardID]; ok {
			rows[i].Card, rows[i].Photo = &card, h.Row(card).Photo
		}
	}
	return rows, nil
}

// Name returns the title of the card, or that of the listing if the card was deleted.
func (l ListingRow) Name() string {
	if l.Card != nil && l.Card.Identification.Title != nil {
		return *l.Card.Identification.Title
	}
	return l.Title
}

// State returns the status as a text, whose dot has its color.
func (l ListingRow) State() string { return string(l.Status) }

// Since returns when the listing got its status.
func (l ListingRow) Since() time.Time {
	at := l.UpdatedAt
	switch l.Status {
	case listings.Publishing:
		at = l.CreatedAt
	case listings.Live:
		at = timeOr(l.PublishedAt, at)
	case listings.Sold:
		at = timeOr(l.SoldAt, at)
	case listings.Ended:
		at = timeOr(l.EndedAt, at)
	}
	return at
}

func timeOr(at *time.Time, otherwise time.Time) time.Time {
	if at == nil {
		return otherwise
	}
	return *at
}

// Live reports whether the listing can be changed and ended.
func (l ListingRow) Live() bool { return l.Status == listings.Live }

// Again reports whether the card can be published again.
func (l ListingRow) Again() bool {
	return (l.Status == listings.Ended || l.Status == listings.Failed) && l.Card != nil &&
		!l.Card.UnderWay() && !l.Card.Sold() && !l.Card.Archived
}

// Refused returns the failure of the listing or of its last revision, or nil.
func (l ListingRow) Refused() *listings.Failure {
	if l.Failure != nil {
		return l.Failure
	}
	return l.Revision.Failure
}

// Advice returns what to do about a failure.
func (l ListingRow) Advice() string {
	failure := l.Refused()
	if failure == nil {
		return ""
	}
	if l.Failure == nil {
		return "The listing is still live as it was before. Correct what the marketplace refuses, then save again."
	}
	if text, ok := listingAdvice[failure.Code]; ok {
		return text
	}
	return "Correct what the marketplace refuses, then publish the card again."
}

// listingAdvice says what to do about the failures that do not come from a marketplace.
var listingAdvice = map[string]string{
	marketplaces.CodeTitle:     "Give the card a title, or publish again with a shorter one.",
	marketplaces.CodePrice:     "Set an asking price above zero, then publish again.",
	marketplaces.CodePhoto:     "Add a photo to the card, then publish again.",
	marketplaces.CodeCondition: "Set the card's condition or grade, then publish again.",
	marketplaces.CodeGrade:     "Correct the card's grade, then publish again.",
	marketplaces.CodeEnded:     "Publish the card again.",
	listings.Unreachable:       "Publish the card again.",
	listings.SoldElsewhere:     "There is nothing to do.",
}

// endReasons say why a listing ended.
var endReasons = map[string]string{
	listings.EndedBySeller:      "by you",
	listings.EndedAtMarketplace: "at the marketplace",
	listings.NotAtMarketplace:   "because the marketplace no longer has it",
	listings.SoldElsewhere:      "because the card was sold elsewhere",
}

// Why returns why the listing ended or is to end.
func (l ListingRow) Why() string {
	if l.EndReason == nil {
		return ""
	}
	if text, ok := endReasons[*l.EndReason]; ok {
		return text
	}
	return *l.EndReason
}
