package listings

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/sandbox"
)

func (s *shop) seller(accountID string) marketplaces.Marketplace {
	there, err := sandbox.New(s.market)
	if err != nil {
		s.t.Error(err)
	}
	return hooked{there.Seller(accountID), s}
}

// hooked is the sandbox marketplace with the hook in front of it.
type hooked struct {
	marketplaces.Marketplace
	shop *shop
}

func (h hooked) through(call string, next func() error) error {
	if hook := h.shop.hook.Load(); hook != nil {
		return (*hook)(call, next)
	}
	return next()
}

// throughMany is through for a call with a list of n listings.
func (h hooked) throughMany(call string, n int, next func() []marketplaces.Result) (results []marketplaces.Result) {
	if n > 1 {
		call += " many"
	}
	if err := h.through(call, func() error {
		results = next()
		if n > 1 {
			return nil // each listing has its own
		}
		return results[0].Err
	}); err != nil {
		return slices.Repeat([]marketplaces.Result{{Err: err}}, n)
	}
	return results
}

func (h hooked) Publish(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	return h.throughMany("publish", len(offers), func() []marketplaces.Result {
		return h.Marketplace.Publish(ctx, offers)
	})
}

func (h hooked) Revise(ctx context.Context, offers []marketplaces.Offer) []marketplaces.Result {
	return h.throughMany("revise", len(offers), func() []marketplaces.Result {
		return h.Marketplace.Revise(ctx, offers)
	})
}

func (h hooked) End(ctx context.Context, refs []marketplaces.Ref) []marketplaces.Result {
	return h.throughMany("end", len(refs), func() []marketplaces.Result { return h.Marketplace.End(ctx, refs) })
}

func (h hooked) Status(ctx context.Context, ref marketplaces.Ref) (seen marketplaces.Status, err error) {
	err = h.through("status", func() (err error) { seen, err = h.Marketplace.Status(ctx, ref); return err })
	return seen, err
}

func (h hooked) Sales(ctx context.Context, since time.Time) (sales marketplaces.Sales, err error) {
	err = h.through("sales", func() (err error) { sales, err = h.Marketplace.Sales(ctx, since); return err })
	return sales, err
}

func (s *shop) setHook(hook func(call string, next func() error) error) { s.hook.Store(&hook) }

// visit performs an action on the sandbox marketplace's site: "buy" or "end".
func (s *shop) visit(l Listing, act string) {
	s.t.Helper()
	resp, err := http.Post(s.market+"/sandbox/listings/"+l.ID+"/"+act, "application/json", strings.NewReader(`{}`))
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(resp.Body)
		s.t.Fatalf("%s: %d %s", act, resp.StatusCode, body)
	}
}

// atMarket returns the number of listings of the sandbox marketplace in a state.
func (s *shop) atMarket(state string) (n int) {
	s.t.Helper()
	if err := s.db.Get(s.t.Context(), &n, `SELECT count(*) FROM market.offers WHERE state = $1`, state); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// offered returns the title and the price of the listing at the sandbox marketplace, such as "Fox 9.99".
func (s *shop) offered(l Listing) (offered string) {
	s.t.Helper()
	err := s.db.Get(s.t.Context(), &offered, `
		SELECT (item::jsonb #>> '{product,title}') || ' ' || (terms::jsonb #>> '{pricingSummary,price,value}')
		FROM market.offers WHERE sku = $1`, wire.SKU(l.ID))
	if err != nil {
		s.t.Fatal(err)
	}
	return offered
}
