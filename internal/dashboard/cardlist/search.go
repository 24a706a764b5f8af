package cardlist

import (
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/batches"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
)

// searchPage is the data of the page search.
type searchPage struct {
	Query   string
	Rows    []lookup.Row
	More    bool   // whether more cards match, or may match
	All     string // the address of all cards that match
	Batches []batches.Batch
	Failed  string // why the text cannot be searched for; "" if it can
}

const (
	// cardsFound is the number of cards that a search shows.
	cardsFound = 10
	// batchesSearched is the number of batches whose names a search compares, the newest ones.
	batchesSearched = paging.MaxLimit
	// batchesFound is the number of batches that a search shows.
	batchesFound = 5
)

// identified are the paths of the pages of things, by the prefixes of their identifiers.
var identified = []struct{ prefix, path string }{
	{id.Card, "/cards/"}, {id.Batch, "/batches/"}, {id.Listing, "/listings/"}, {id.Sale, "/sales/"},
	{id.Job, "/jobs/"}, {id.Event, "/developers/events/"}, {id.Endpoint, "/developers/webhooks/"},
	{id.Delivery, "/developers/deliveries/"},
}

// pathOfIdentifier returns the path of the page of the thing that an identifier names, or "" if the text is none.
func pathOfIdentifier(text string) string {
	for _, kind := range identified {
		if parsed, ok := id.Parse(kind.prefix, text); ok {
			return kind.path + parsed
		}
	}
	return ""
}

// Search leads to the page of an identifier, which says so if the account has no such thing. For another text it shows
// the first cards and the batches that match.
func (h *Handlers) Search(w http.ResponseWriter, r *http.Request) error {
	p := searchPage{Query: form.Clean(r.URL.Query().Get("q"))}
	if p.Query == "" {
		return h.Show(w, r, http.StatusOK, "search", "Search", p)
	}
	if path := pathOfIdentifier(p.Query); path != "" {
		web.Redirect(w, r, path)
		return nil
	}
	query := url.Values{"q": {p.Query}}
	p.All = cardquery.Address(query, "", "")
	filter, _, err := cardquery.Parse(query, "")
	if err == nil {
		err = h.findAll(r, filter, &p)
	}
	if err == nil {
		return h.Show(w, r, http.StatusOK, "search", "Search", p)
	}
	f, ok := list.Invalid(err)
	if !ok {
		return err
	}
	p.Failed = f.Message
	return h.Show(w, r, f.Status(), "search", "Search", p)
}

// findAll adds the first cards and batches that match to the page.
func (h *Handlers) findAll(r *http.Request, filter cards.Filter, p *searchPage) error {
	account := web.VisitOf(r).Account.ID
	group, ctx := errgroup.WithContext(r.Context())
	group.Go(func() error {
		found, err := h.Cards.List(ctx, account, filter, paging.Request{Limit: cardsFound})
		for _, card := range found.Data {
			p.Rows = append(p.Rows, h.Row(card))
		}
		p.More = found.NextCursor != nil
		return err
	})
	group.Go(func() error {
		newest, err := h.Batches.List(ctx, account, batches.Filter{}, paging.Request{Limit: batchesSearched})
		p.Batches = namedLike(newest.Data, p.Query)
		return err
	})
	return group.Wait()
}

// namedLike returns the first batches whose names have all words of a text, in any case.
func namedLike(list []batches.Batch, text string) (found []batches.Batch) {
	words := strings.Fields(strings.ToLower(text))
	for _, batch := range list {
		name, missing := strings.ToLower(batch.Name), false
		for _, word := range words {
			missing = missing || !strings.Contains(name, word)
		}
		if !missing && len(found) < batchesFound {
			found = append(found, batch)
		}
	}
	return found
}
