package listings

import (
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/listings/marketplaces"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// follow returns the listing as it is in each state that it takes, in order, now that the
// marketplace says this of it; nothing if that is no news. What was seen sold while it still was
// publishing goes through live: no edge is left out and each event fires once.
func follow(l Listing, seen marketplaces.Status, now time.Time) (path []Listing) {
	there := seen.State == marketplaces.Live || seen.State == marketplaces.Sold
	if l.Status == Publishing && there {
		l = l.live(seen, now)
		path = append(path, l)
	}
	if l.Status != Live && l.Status != Ending {
		return path
	}
	switch seen.State {
	case marketplaces.Sold:
		if known(seen) {
			path = append(path, l.sold(seen))
		}
	case marketplaces.Ended:
		path = append(path, l.ended(reason(seen), now))
	case marketplaces.Unknown:
		path = append(path, l.ended(NotAtMarketplace, now))
	}
	return path
}

// known reports whether a sale's price and time are known; the order can lag behind the listing.
func known(sale marketplaces.Status) bool { return sale.SoldPrice != nil && sale.SoldAt != nil }

func reason(seen marketplaces.Status) string {
	if seen.EndReason == marketplaces.EndedAtMarketplace {
		return EndedAtMarketplace
	}
	return EndedBySeller
}

// The steps of a listing's life. Each returns the listing after it; the limits of what a
// marketplace's texts may hold are those of openapi/v1.yaml.

func (l Listing) to(status Status) Listing {
	l.Status, l.Version = status, l.Version+1
	return l
}

func (l Listing) live(seen marketplaces.Status, now time.Time) Listing {
	l = l.to(Live)
	l.ExternalID, l.URL, l.PublishedAt = optional(fit(seen.ExternalID, 80)), optional(fit(seen.URL, 2048)), &now
	return l
}

func (l Listing) failed(code, message string) Listing {
	l = l.to(Failed)
	l.Failure = &Failure{Code: fit(code, 60), Message: fit(message, 500)}
	return l
}

func (l Listing) sold(sale marketplaces.Status) Listing {
	l = l.to(Sold)
	at := sale.SoldAt.UTC().Truncate(time.Microsecond)
	l.SoldPrice, l.SoldAt, l.BuyerReference = sale.SoldPrice, &at, optional(fit(sale.BuyerReference, 120))
	return l
}

func (l Listing) ended(reason string, now time.Time) Listing {
	l = l.to(Ended)
	l.EndReason, l.EndedAt = &reason, &now
	return l
}

// fit makes another company's text fit for ours: at most size characters, without what PostgreSQL
// cannot hold.
func fit(text string, size int) string {
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

// tell returns the event of having reached the listing's status, if there is one.
func (l Listing) tell(card events.Card) []events.Data {
	switch l.Status {
	case Live:
		return []events.Data{events.ListingPublished{
			Card: card, ListingID: l.ID, Marketplace: l.Marketplace, ExternalID: text(l.ExternalID), URL: text(l.URL), Price: l.Price,
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

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// ref is what the listing is to its card: nothing once it ended or failed.
func (l Listing) ref() *cards.ListingRef {
	if l.UnderWay() || l.Status == Sold {
		return &cards.ListingRef{ID: l.ID, Status: string(l.Status)}
	}
	return nil
}
