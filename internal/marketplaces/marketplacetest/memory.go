package marketplacetest

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
)

// Memory is a complete marketplace in memory, for tests. It is also the shortest example of an adapter: the guide
// openapi/guides/marketplace-adapters.md explains it.
type Memory struct {
	mu       sync.Mutex
	listings map[string]*memoryListing // by the listing's identifier in CardVault, as a marketplace's SKU
	last     time.Time                 // of a sale
}

// memoryListing is a listing at the marketplace.
type memoryListing struct {
	offer  marketplaces.Offer
	status marketplaces.Status
}

// MemoryLimits are the limits of Memory.
var MemoryLimits = marketplaces.Limits{Publish: 25, Revise: 25, End: 25}

// NewMemory returns a marketplace without listings.
func NewMemory() *Memory { return &Memory{listings: map[string]*memoryListing{}} }

// Name implements marketplaces.Marketplace.
func (m *Memory) Name() string { return "memory" }

// Publish implements marketplaces.Marketplace.
func (m *Memory) Publish(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	return marketplaces.Each(offers, func(o marketplaces.Offer) (marketplaces.Status, error) {
		return m.publish(ctx, o)
	})
}

// publish publishes one offer. The look-up by SKU comes first, so that a call that is repeated after a crash makes no
// second listing.
func (m *Memory) publish(ctx context.Context, o marketplaces.Offer) (marketplaces.Status, error) {
	if err := ctx.Err(); err != nil {
		return marketplaces.Status{}, err // can be retried
	}
	if err := o.Check(); err != nil {
		return marketplaces.Status{}, err // is a Refusal
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.listings[o.ListingID]
	switch {
	case l == nil:
		number := strconv.Itoa(len(m.listings) + 1)
		l = &memoryListing{o, marketplaces.Status{
			ListingID: o.ListingID, State: marketplaces.Live,
			ExternalID: number, URL: "https://memory.example/" + number,
		}}
		m.listings[o.ListingID] = l
	case l.status.State == marketplaces.Ended:
		return marketplaces.Status{}, &marketplaces.Refusal{
			Code: marketplaces.CodeEnded, Message: "this listing was ended: publish the card again",
		}
	}
	return l.status, nil
}

// Revise implements marketplaces.Marketplace.
func (m *Memory) Revise(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	return marketplaces.Each(offers, func(o marketplaces.Offer) (marketplaces.Status, error) {
		if err := o.Check(); err != nil {
			return marketplaces.Status{}, err
		}
		return m.change(ctx, o.ListingID, func(l *memoryListing) { l.offer = o })
	})
}

// End implements marketplaces.Marketplace.
func (m *Memory) End(ctx context.Context, refs []marketplaces.Ref) []marketplaces.Result {
	return marketplaces.Each(refs, func(ref marketplaces.Ref) (marketplaces.Status, error) {
		return m.change(ctx, ref.ListingID, func(l *memoryListing) {
			l.status.State, l.status.EndReason = marketplaces.Ended, marketplaces.Withdrawn
		})
	})
}

// Status implements marketplaces.Marketplace.
func (m *Memory) Status(ctx context.Context, ref marketplaces.Ref) (marketplaces.Status, error) {
	return m.change(ctx, ref.ListingID, func(*memoryListing) {})
}

// change changes a live listing and returns its status. A listing that is not live stays as it is.
func (m *Memory) change(
	ctx context.Context, listingID string, change func(*memoryListing),
) (marketplaces.Status, error) {
	if err := ctx.Err(); err != nil {
		return marketplaces.Status{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l := m.listings[listingID]
	if l == nil {
		return marketplaces.Status{ListingID: listingID, State: marketplaces.Unknown}, nil
	}
	if l.status.State == marketplaces.Live {
		change(l)
	}
	return l.status, nil
}

// Sales implements marketplaces.Marketplace. Through is the time of the last sale, by the marketplace's clock. Sales of
// that very time are returned again, so that none is missed.
func (m *Memory) Sales(ctx context.Context, since time.Time) (marketplaces.Sales, error) {
	if err := ctx.Err(); err != nil {
		return marketplaces.Sales{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	sales := marketplaces.Sales{Through: since}
	if m.last.After(since) {
		sales.Through = m.last
	}
	for _, l := range m.listings {
		if l.status.State == marketplaces.Sold && !l.status.SoldAt.Before(since) {
			sales.Sold = append(sales.Sold, l.status)
		}
	}
	return sales, nil
}

// Buy buys a live listing.
func (m *Memory) Buy(t *testing.T, listingID string) {
	t.Helper()
	_, err := m.change(t.Context(), listingID, func(l *memoryListing) {
		m.last = time.Now()
		l.status.State, l.status.SoldAt, l.status.SoldPrice = marketplaces.Sold, new(m.last), new(l.offer.Price)
		l.status.BuyerReference = "order-" + l.status.ExternalID
	})
	if err != nil {
		t.Fatal(err)
	}
}

// EndThere ends a live listing on the marketplace's site.
func (m *Memory) EndThere(t *testing.T, listingID string) {
	t.Helper()
	_, err := m.change(t.Context(), listingID, func(l *memoryListing) {
		l.status.State, l.status.EndReason = marketplaces.Ended, marketplaces.EndedAtMarketplace
	})
	if err != nil {
		t.Fatal(err)
	}
}
