package cardpage

import (
	"context"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/paging"
)

// cardPage is the data of the page card.
type cardPage struct {
	Card       cards.Card
	Version    int64 // that the forms were read from
	Photos     []photoPlace
	Form       *form.Form // with the card's fields
	Candidates candidates
	Listing    listingPart
	Sale       salePart
	Estimate   *estimate // nil if prices were not looked up, or none was found
	Unpriced   string    // why no price was found
	History    []historyEntry
	Older      string // the cursor of the older history; "" if there is none
	Neighbors  neighbors
	Wait       *lookup.Wait // why the identification waits; nil if it does not

	Priced      bool          // whether to look up prices
	HistoryFrom string        // the cursor of the history that is shown; "" for the newest
	Notice      notice        // of a form that was carried out
	Undo        []form.Hidden // the values before it, which undo it; none if that is not possible
	Untake      bool          // whether the candidate that was taken can be undone
	Refused     notice        // why a form of another part could not be carried out
	PhotoRole   cards.Role    // of the photo that was refused

	account    accounts.Account
	from       *origin // nil if the reader did not come from a page of cards
	photoWaits map[string]*lookup.Wait
}

// shownPhoto is a photo with its URL.
type shownPhoto struct {
	cards.Photo
	Address string // "" while it cannot be shown
}

// historyEntry is a version of the card.
type historyEntry struct {
	cards.HistoryEntry
	Who string
}

// HistoryShown is the number of versions on a page of the history.
const HistoryShown = 20

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

// Address returns the address of a part below the page, or with pairs of names and values the page's own.
func (p cardPage) Address(below string, pairs ...string) string {
	return cardAddress(p.from, p.Card.ID, below, pairs...)
}

// NoticeIn returns what a part tells after one of its forms was carried out, or "".
func (p cardPage) NoticeIn(part string) string { return p.Notice.in(part) }

// RefusedIn returns why a form of a part could not be carried out, or "".
func (p cardPage) RefusedIn(part string) string { return p.Refused.in(part) }

func (n notice) in(part string) string {
	if n.Part != part {
		return ""
	}
	return n.Text
}

// formOf returns the form of a part that has fields, or nil.
func (p cardPage) formOf(part string) *form.Form {
	switch part {
	case PartListing:
		return p.Listing.Form
	case PartSale:
		return p.Sale.Form
	}
	return nil
}

// Manual reports whether the owner identified the card.
func (p cardPage) Manual() bool {
	return format.Text(p.Card.Identification.Source) == cards.SourceManual
}

// Withdrawable reports whether archiving the card would end its listing.
func (p cardPage) Withdrawable() bool {
	return p.Card.Listing != nil && p.Card.Listing.Status == cards.ListingLive
}

// Editable reports whether the photos can be removed and the card can be archived or deleted.
func (p cardPage) Editable() bool { return !p.Card.Sold() && !p.Card.UnderWay() }

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
