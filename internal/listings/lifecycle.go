package listings

import (
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// transitions returns the listing in each state that it passes through, in order, after the marketplace
// reported seen. It returns nothing if the state does not change. A listing that is sold while publishing
// passes through live, so no transition is skipped and each event fires once.
func transitions(l Listing, seen marketplaces.Status, now time.Time) (path []Listing) {
	there := seen.State == marketplaces.Live || seen.State == marketplaces.Sold
	if l.Status == Publishing && there {
		l = l.live(seen, now)
		path = append(path, l)
		if l.EndReason != nil && seen.State == marketplaces.Live { // the card was sold while the listing was publishing
			return append(path, l.to(Ending))
		}
	}
	if l.Status == Ended && seen.State == marketplaces.Sold && known(seen) && !cancelled(seen) {
		return append(path, l.sold(seen)) // the order became visible after the listing had ended
	}
	if l.Status != Live && l.Status != Ending {
		return path
	}
	switch seen.State {
	case marketplaces.Sold:
		switch {
		case cancelled(seen):
			path = append(path, l.ended(EndedAtMarketplace, now))
		case known(seen):
			path = append(path, l.sold(seen))
		}
	case marketplaces.Ended:
		path = append(path, l.ended(reason(seen), now))
	case marketplaces.Unknown:
		path = append(path, l.ended(NotAtMarketplace, now))
	}
	return path
}

// known reports whether the price and time of a sale are known. The order can appear later than the sale.
func known(sale marketplaces.Status) bool { return sale.SoldPrice != nil && sale.SoldAt != nil }

// cancelled reports whether the only order of a listing was cancelled. Such a listing was not sold.
func cancelled(sale marketplaces.Status) bool { return sale.Order != nil && sale.Order.Cancelled }

func reason(seen marketplaces.Status) string {
	if seen.EndReason == marketplaces.EndedAtMarketplace {
		return EndedAtMarketplace
	}
	return EndedBySeller
}

// The transitions of a listing. Each returns the listing in its new state. Texts from marketplaces are cut to the
// lengths that openapi/v1.yaml allows.

func (l Listing) to(status Status) Listing {
	l.Status, l.Version = status, l.Version+1
	if status != Live && l.Revision.Status == RevisionPending {
		l.Revision = Revision{Status: RevisionNone}
	}
	return l
}

func (l Listing) live(seen marketplaces.Status, now time.Time) Listing {
	l = l.to(Live)
	l.ExternalID, l.URL = optional(sanitize(seen.ExternalID, 80)), optional(sanitize(seen.URL, 2048))
	l.PublishedAt = &now
	return l
}

func (l Listing) failed(code, message string) Listing {
	l = l.to(Failed)
	l.EndReason = nil
	l.Failure = &Failure{Code: sanitize(code, 60), Message: sanitize(message, 500)}
	return l
}

func (l Listing) sold(sale marketplaces.Status) Listing {
	l = l.to(Sold)
	at := sale.SoldAt.UTC().Truncate(time.Microsecond)
	l.EndReason, l.EndedAt, l.Order = nil, nil, sale.Order
	l.SoldPrice, l.SoldAt, l.BuyerReference = sale.SoldPrice, &at, optional(sanitize(sale.BuyerReference, 120))
	return l
}

func (l Listing) ended(reason string, now time.Time) Listing {
	l = l.to(Ended)
	if l.EndReason == nil {
		l.EndReason = &reason
	}
	l.EndedAt = &now
	return l
}

// sanitize truncates a text from a marketplace to size characters and removes what PostgreSQL cannot store.
func sanitize(text string, size int) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "")
	if runes := []rune(text); len(runes) > size {
		return string(runes[:size])
	}
	return text
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// events returns the event that the listing's status fires, if any.
func (l Listing) events(card events.Card) []events.Data {
	switch l.Status {
	case Live:
		if l.revised() {
			return []events.Data{l.updated(card)}
		}
		return []events.Data{events.ListingPublished{
			Card: card, ListingID: l.ID, Marketplace: l.Marketplace, ExternalID: text(l.ExternalID),
			URL: text(l.URL), Price: l.Price,
		}}
	case Sold:
		return []events.Data{events.ListingSold{
			Card: card, ListingID: l.ID, Marketplace: l.Marketplace, ExternalID: text(l.ExternalID),
			SoldPrice: *l.SoldPrice, SoldAt: timestamp.Of(*l.SoldAt),
		}}
	case Ended:
		return []events.Data{events.ListingEnded{
			Card: card, ListingID: l.ID, Marketplace: l.Marketplace, ExternalID: text(l.ExternalID),
			EndReason: *l.EndReason, EndedAt: timestamp.Of(*l.EndedAt),
		}}
	}
	return nil
}

// updated returns the event of a listing whose revision changed.
func (l Listing) updated(card events.Card) events.ListingUpdated {
	return events.ListingUpdated{
		Card: card, ListingID: l.ID, Marketplace: l.Marketplace, ExternalID: text(l.ExternalID),
		ListingTitle: l.Title, Price: l.Price, Revision: l.Revision.Shown(),
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// ref returns the card's reference to the listing: nil if the listing ended or failed.
func (l Listing) ref() *cards.ListingRef {
	if l.UnderWay() || l.Status == Sold {
		return &cards.ListingRef{ID: l.ID, Status: string(l.Status)}
	}
	return nil
}
