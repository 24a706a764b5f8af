package selling

import (
	"bufio"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/listings/listingfile"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// fileStatuses are the workflow statuses of the cards that a file can have, the default first.
var fileStatuses = []cards.Status{cards.Photographed, cards.Priced, cards.Listed}

// fileFields are the choices of the form that exports cards for a marketplace.
var fileFields = []form.Field{
	{Name: "format", Label: "Marketplace", Kind: form.Choice, Options: form.Same(listingfile.Formats)},
	{Name: "status", Label: "Cards that are", Kind: form.Choice, Options: format.Options(fileStatuses)},
	{Name: "site", Label: "eBay's site", Kind: form.Choice, Options: form.Same(siteIDs())},
	{Name: "location", Label: "Location of the cards"},
	{Name: "shipping_policy", Label: "Shipping policy at eBay"},
	{Name: "return_policy", Label: "Return policy at eBay"},
	{Name: "payment_policy", Label: "Payment policy at eBay"},
}

func siteIDs() (ids []string) {
	for _, site := range wire.Sites() {
		ids = append(ids, site.ID)
	}
	return ids
}

// fileSites returns the identifiers of eBay's sites, the first with the account's currency first.
func fileSites(currency string) []string {
	ids := siteIDs()
	first := wire.SiteOf(currency).ID
	at := slices.Index(ids, first)
	return slices.Insert(slices.Delete(ids, at, at+1), 0, first)
}

// parseFile returns the choices of the form.
func parseFile(q *list.Query, currency string) (listingfile.Options, error) {
	choose := func(name, otherwise string) string {
		if value := q.Choice(name); value != nil {
			return *value
		}
		return otherwise
	}
	text := func(name string) string { return q.Values.Get(name) }
	o := listingfile.Options{
		Format: choose("format", listingfile.Ebay),
		Filter: cards.Filter{Statuses: []cards.Status{cards.Status(choose("status", string(fileStatuses[0])))}},
		Ebay: listingfile.EbayOptions{
			Location: text("location"), ShippingPolicy: text("shipping_policy"), ReturnPolicy: text("return_policy"),
			PaymentPolicy: text("payment_policy"),
		},
	}
	o.Ebay.Site, _ = wire.FindSite(choose("site", wire.SiteOf(currency).ID))
	return o, q.Err()
}

// ExportListings sends cards as the file of a marketplace, which is never in memory as a whole.
func (h *Handlers) ExportListings(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account
	o, err := parseFile(list.NewQuery(r, account.TimeZone, fileFields), account.Currency)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), web.FileTimeout)
	defer cancel()
	web.ExtendDeadlines(w, web.FileTimeout)
	day := h.Today(account).Format(time.DateOnly)
	to := web.NewFile(w, o.Format+"-"+day+".csv")
	if r.Method == http.MethodHead {
		to.Begin()
		return nil
	}
	out := bufio.NewWriterSize(to, web.FileBuffer)
	if _, err = h.ListingFiles.Export(ctx, out, account.ID, o); err == nil {
		err = out.Flush()
	}
	return h.Cut(ctx, to, err)
}
