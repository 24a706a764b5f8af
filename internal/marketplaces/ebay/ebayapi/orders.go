package ebayapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

const (
	// pageSize is the largest page of getOrders.
	pageSize = 200
	// overlap is how far before the requested time orders are read. An order can become visible some time
	// after its time, and the marketplace's clock can differ from ours.
	overlap = 10 * time.Minute
	// maxPasses limits how often a list of orders that changes during paging is read again.
	maxPasses = 3
)

// errMoved means that orders changed during paging.
var errMoved = errors.New("ebayapi: the list of orders changed while it was read")

// Sales implements marketplaces.Marketplace.
func (s *Seller) Sales(ctx context.Context, since time.Time) (marketplaces.Sales, error) {
	orders, err := s.orders(ctx, "lastmodifieddate", since)
	if err != nil {
		return marketplaces.Sales{}, fmt.Errorf("read sales: %w", asRefusal(err))
	}
	sales := marketplaces.Sales{Through: since}
	for _, order := range orders {
		modified, err := time.Parse(time.RFC3339, order.LastModifiedDate)
		if err != nil {
			return marketplaces.Sales{}, s.later("sent an order without a date", 0, err)
		}
		if modified.After(sales.Through) {
			sales.Through = modified
		}
		sold, err := s.sold(order)
		if err != nil {
			return marketplaces.Sales{}, err
		}
		sales.Sold = append(sales.Sold, sold...)
	}
	return sales, nil
}

// withOrder adds price, time and buyer reference of the order to the status of a sold listing, if the
// order is visible yet.
func (s *Seller) withOrder(
	ctx context.Context, ref marketplaces.Ref, status marketplaces.Status,
) (marketplaces.Status, error) {
	orders, err := s.orders(ctx, "creationdate", ref.PublishedAt)
	if err != nil {
		return marketplaces.Status{}, fmt.Errorf("read status: %w", asRefusal(err))
	}
	for _, order := range orders {
		sold, err := s.sold(order)
		if err != nil {
			return marketplaces.Status{}, err
		}
		for _, sale := range sold {
			if sale.ListingID != ref.ListingID {
				continue
			}
			if status = sale; !sale.Order.Cancelled {
				return sale, nil
			}
		}
	}
	return status, nil
}

// sold returns the order's sales of our listings.
func (s *Seller) sold(order wire.Order) ([]marketplaces.Status, error) {
	at, err := time.Parse(time.RFC3339, order.CreationDate)
	if err != nil {
		return nil, s.later("sent an order without a date", 0, err)
	}
	amounts, err := orderAmounts(order)
	if err != nil {
		return nil, s.later("sent an order with an unreadable amount", 0, err)
	}
	var sold []marketplaces.Status
	for i, line := range order.LineItems {
		listingID, ok := parseSKU(line.SKU)
		if !ok {
			continue
		}
		sale, price := s.live(listingID, line.LegacyItemID), amounts[i].price
		sale.State, sale.SoldPrice, sale.SoldAt = marketplaces.Sold, &price, &at
		sale.BuyerReference, sale.Order = order.OrderID, &amounts[i].Order
		sold = append(sold, sale)
	}
	return sold, nil
}

// orders returns all orders whose date (creationdate or lastmodifieddate) is from or later. The zero
// time means the marketplace's own limit. The list is paged by offset, so it is read again if its
// length changes between pages.
func (s *Seller) orders(ctx context.Context, date string, from time.Time) ([]wire.Order, error) {
	for range maxPasses {
		orders, err := s.pass(ctx, date, from)
		if !errors.Is(err, errMoved) {
			return orders, err
		}
	}
	return nil, s.later("changes its orders faster than they can be read", 0, errMoved)
}

func (s *Seller) pass(ctx context.Context, date string, from time.Time) ([]wire.Order, error) {
	var orders []wire.Order
	seen := map[string]bool{}
	for offset, total := 0, -1; ; {
		query := url.Values{"limit": {strconv.Itoa(pageSize)}, "offset": {strconv.Itoa(offset)}}
		if !from.IsZero() {
			query.Set("filter", date+":["+from.Add(-overlap).UTC().Format(wire.TimeFormat)+"..]")
		}
		var page wire.Orders
		if err := s.call(ctx, http.MethodGet, wire.FulfillmentPath+"/order?"+query.Encode(), nil, &page); err != nil {
			return nil, err
		}
		if total >= 0 && page.Total != total {
			return nil, errMoved
		}
		total = page.Total
		for _, order := range page.Orders {
			if !seen[order.OrderID] {
				seen[order.OrderID] = true
				orders = append(orders, order)
			}
		}
		offset += len(page.Orders)
		if len(page.Orders) == 0 || offset >= total {
			return orders, nil
		}
	}
}
