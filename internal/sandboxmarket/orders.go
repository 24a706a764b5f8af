package sandboxmarket

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// order is a row of market.orders: one sale of one card.
type order struct {
	OrderID     string     `db:"order_id"`
	Seller      string     `db:"seller"`
	SKU         string     `db:"sku"`
	ListingID   string     `db:"listing_id"`
	Title       string     `db:"title"`
	Buyer       string     `db:"buyer"`
	Amount      int64      `db:"amount"`
	Currency    string     `db:"currency"`
	CreatedAt   time.Time  `db:"created_at"`
	ModifiedAt  time.Time  `db:"modified_at"`
	Marketplace string     `db:"marketplace"`
	Delivery    int64      `db:"delivery"`
	Fee         int64      `db:"fee"`
	Refunds     string     `db:"refunds"`  // JSON
	Refunded    int64      `db:"refunded"` // their sum
	CancelledAt *time.Time `db:"cancelled_at"`
}

const orderColumns = "order_id, seller, sku, listing_id, title, buyer, amount, currency, created_at, modified_at, " +
	"marketplace, delivery, fee, refunds, refunded, cancelled_at"

func (o order) price() money.Money { return money.Money{Amount: o.Amount, Currency: o.Currency} }

// total is what the buyer paid.
func (o order) total() int64 { return o.Amount + o.Delivery }

// fee returns the marketplace's fee for an order: 13.25 % of the total.
func fee(total int64) int64 { return total * 1325 / 10000 }

func (o order) insert(ctx context.Context, q postgres.Querier) error {
	_, err := q.Exec(ctx, `INSERT INTO market.orders
		(order_id, seller, sku, listing_id, title, buyer, amount, currency, created_at, modified_at, marketplace,
			delivery, fee)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12)`,
		o.OrderID, o.Seller, o.SKU, o.ListingID, o.Title, o.Buyer, o.Amount, o.Currency, o.CreatedAt, o.Marketplace,
		o.Delivery, o.Fee)
	return err
}

// period selects the orders that getOrders returns.
type period struct {
	column   string // created_at or modified_at
	from, to time.Time
}

// orders returns a page of the seller's orders in a period, oldest first, and their total number.
func (s store) orders(ctx context.Context, seller string, p period,
	limit, offset int) (page []order, total int, err error) {
	where := " FROM market.orders WHERE seller = $1 AND " + p.column + " BETWEEN $2 AND $3"
	if err := s.db.Get(ctx, &total, "SELECT count(*)"+where, seller, p.from, p.to); err != nil {
		return nil, 0, fmt.Errorf("load orders: %w", err)
	}
	err = s.db.Select(ctx, &page, "SELECT "+orderColumns+where+" ORDER BY "+p.column+", order_id LIMIT $4 OFFSET $5",
		seller, p.from, p.to, limit, offset)
	return page, total, err
}

// The page sizes and the default period of getOrders.
const (
	defaultLimit  = 50
	maxLimit      = 200
	defaultPeriod = 90 * 24 * time.Hour
)

func (s *server) getOrders(w http.ResponseWriter, r *http.Request, from caller) error {
	query := r.URL.Query()
	limit, err := count(query, "limit", defaultLimit, 1, maxLimit)
	if err != nil {
		return badOrdersRequest(31100, "Invalid limit: "+query.Get("limit"))
	}
	offset, err := count(query, "offset", 0, 0, 1<<31-1)
	if err != nil {
		return badOrdersRequest(31000, "Invalid offset: "+query.Get("offset"))
	}
	if list := query.Get("orderIds"); list != "" {
		return s.getOrdersByID(w, r, from, strings.Split(list, ","))
	}
	span, err := parseFilter(query.Get("filter"), now())
	if err != nil {
		return err
	}
	orders, total, err := s.store.orders(r.Context(), from.seller, span, limit, offset)
	if err != nil {
		return err
	}
	page := wire.Orders{
		Href: r.URL.RequestURI(), Limit: limit, Offset: offset, Total: total, Orders: make([]wire.Order, len(orders)),
	}
	for i := range orders {
		if page.Orders[i], err = orders[i].wire(); err != nil {
			return err
		}
	}
	if offset+len(orders) < total {
		query.Set("offset", strconv.Itoa(offset+limit))
		page.Next = r.URL.Path + "?" + query.Encode()
	}
	writeJSON(w, http.StatusOK, page)
	return nil
}

// count returns a parameter that is a number from least to most, or otherwise if the query does not contain it.
func count(query url.Values, name string, otherwise, least, most int) (int, error) {
	if !query.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(query.Get(name))
	if err == nil && (n < least || n > most) {
		err = strconv.ErrRange
	}
	return n, err
}

// badOrdersRequest returns a 400 response with one error of the Fulfillment API.
func badOrdersRequest(id int, message string) *apiError {
	apiErr := badRequest(id, message)
	apiErr.errors[0].Domain = domainFulfillment
	return apiErr
}

// parseFilter parses the filter of getOrders: criteria "name:[from..to]" separated by commas. The end of the
// range is optional. As documented by eBay, creationdate takes precedence over lastmodifieddate.
func parseFilter(filter string, at time.Time) (period, error) {
	span := period{column: "created_at", from: at.Add(-defaultPeriod), to: at}
	if filter == "" {
		return span, nil
	}
	dates := map[string]period{}
	for _, criterion := range strings.Split(filter, ",") {
		name, value, _ := strings.Cut(criterion, ":")
		column, ok := map[string]string{"creationdate": "created_at", "lastmodifieddate": "modified_at"}[name]
		if !ok {
			return period{}, badOrdersRequest(30700, "Invalid filter name: "+name)
		}
		p, err := parseRange(value, at)
		if err != nil {
			return period{}, err
		}
		p.column = column
		dates[name] = p
	}
	if p, ok := dates["creationdate"]; ok {
		return p, nil
	}
	return dates["lastmodifieddate"], nil
}

// parseRange parses "[from..to]" and "[from..]".
func parseRange(value string, at time.Time) (p period, err error) {
	value, opened := strings.CutPrefix(value, "[")
	value, closed := strings.CutSuffix(value, "]")
	from, to, ranged := strings.Cut(value, "..")
	if !opened || !closed || !ranged {
		return p, badOrdersRequest(30800, "Invalid filter value "+value)
	}
	if from == "" {
		return p, badOrdersRequest(30820, "Start date is missing")
	}
	p.to = at
	if p.from, err = time.Parse(time.RFC3339, from); err != nil {
		return p, badOrdersRequest(30810, "Invalid date format")
	}
	if to != "" {
		if p.to, err = time.Parse(time.RFC3339, to); err != nil {
			return p, badOrdersRequest(30810, "Invalid date format")
		}
	}
	if p.from.After(at) || p.to.After(at) {
		return p, badOrdersRequest(30850, "Start and end dates can't be in the future")
	}
	if p.from.After(p.to) {
		return p, badOrdersRequest(30840, "Start date should be before end date")
	}
	return p, nil
}
