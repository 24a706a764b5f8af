package sandboxmarket

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
)

// money returns an amount of the order in eBay's format.
func (o *order) money(amount int64) wire.Amount {
	return wire.Amount{Value: money.Money{Amount: amount, Currency: o.Currency}.Major(), Currency: o.Currency}
}

// wire returns the order as getOrders shows it.
func (o *order) wire() (wire.Order, error) {
	refunds := []wire.Refund{}
	if err := json.Unmarshal([]byte(o.Refunds), &refunds); err != nil {
		return wire.Order{}, fmt.Errorf("sandboxmarket: stored refunds: %w", err)
	}
	ofItem := make([]wire.Refund, len(refunds))
	for i, r := range refunds {
		r.RefundStatus = ""
		ofItem[i] = r
	}
	cost, delivery, fee := o.money(o.Amount), o.money(o.Delivery), o.money(o.Fee)
	return wire.Order{
		OrderID: o.OrderID, CreationDate: o.CreatedAt.UTC().Format(wire.TimeFormat),
		LastModifiedDate: o.ModifiedAt.UTC().Format(wire.TimeFormat), OrderPaymentStatus: o.paymentStatus(),
		OrderFulfillmentStatus: "NOT_STARTED", CancelStatus: o.cancelStatus(), SellerID: o.Seller,
		Buyer: wire.Buyer{Username: o.Buyer},
		LineItems: []wire.LineItem{{
			LineItemID: strings.ReplaceAll(o.OrderID, "-", ""), LegacyItemID: o.ListingID, SKU: o.SKU,
			Title: o.Title, Quantity: 1, LineItemCost: cost, Total: o.money(o.total()),
			DeliveryCost: wire.DeliveryCost{ShippingCost: delivery}, Refunds: ofItem,
			ListingMarketplaceID: o.Marketplace, SoldFormat: wire.FixedPrice,
		}},
		PaymentSummary: wire.PaymentSummary{
			TotalDueSeller: o.money(o.total() - o.Fee - o.Refunded), Refunds: refunds,
		},
		PricingSummary:      wire.OrderPricing{PriceSubtotal: cost, DeliveryCost: delivery, Total: o.money(o.total())},
		TotalMarketplaceFee: &fee,
	}, nil
}

func (o *order) paymentStatus() string {
	switch o.Refunded {
	case 0:
		return wire.Paid
	case o.total():
		return wire.FullyRefunded
	}
	return wire.PartiallyRefunded
}

func (o *order) cancelStatus() wire.CancelStatus {
	status := wire.CancelStatus{CancelState: wire.NotCancelling, CancelRequests: []wire.CancelRequest{}}
	if o.CancelledAt != nil {
		status.CancelState, status.CancelledDate = wire.Cancelled, o.CancelledAt.UTC().Format(wire.TimeFormat)
	}
	return status
}

// refund pays money back to the buyer.
func (o *order) refund(amount int64, at time.Time) (wire.Refund, error) {
	if amount < 0 {
		return wire.Refund{}, refundError(http.StatusBadRequest, 34907, "REQUEST",
			"The amount value must be positive and within two decimals.")
	}
	if o.Refunded == o.total() {
		return wire.Refund{}, refundError(http.StatusBadRequest, 34917, "BUSINESS", "This order was already refunded.")
	}
	if amount > o.total()-o.Refunded {
		return wire.Refund{}, refundError(http.StatusBadRequest, 34915, "REQUEST",
			"The refund amount exceeds order amount.")
	}
	refunds := []wire.Refund{}
	if err := json.Unmarshal([]byte(o.Refunds), &refunds); err != nil {
		return wire.Refund{}, fmt.Errorf("sandboxmarket: stored refunds: %w", err)
	}
	paid := wire.Refund{RefundID: number(12), Amount: o.money(amount), RefundDate: at.Format(wire.TimeFormat),
		RefundStatus: wire.Refunded}
	data, err := json.Marshal(append(refunds, paid))
	o.Refunds, o.Refunded = string(data), o.Refunded+amount
	return paid, err
}

// cancel cancels the order and pays back the amount that was not refunded before. The marketplace then charges no fee.
func (o *order) cancel(at time.Time) error {
	if o.CancelledAt != nil {
		return nil
	}
	o.CancelledAt, o.Fee = &at, 0
	if o.Refunded == o.total() {
		return nil
	}
	_, err := o.refund(o.total()-o.Refunded, at)
	return err
}

func refundError(status, id int, category, message string) *apiError {
	return &apiError{status, []wire.Error{{ErrorID: id, Domain: domainFulfillment, Category: category,
		Message: message, LongMessage: message}}}
}

var errNoOrder = errors.New("sandboxmarket: there is no such order")

// changeOrder applies a rule to an order and stores the result. An empty seller matches any.
func (s store) changeOrder(ctx context.Context, id, seller string, rule func(*order) error) (*order, error) {
	var o order
	err := s.db.InTx(ctx, func(tx *postgres.Tx) error {
		err := tx.Get(ctx, &o, "SELECT "+orderColumns+` FROM market.orders
			WHERE order_id = $1 AND ($2 = '' OR seller = $2) FOR UPDATE`, id, seller)
		if errors.Is(err, sql.ErrNoRows) {
			return errNoOrder
		}
		if err == nil {
			err = rule(&o)
		}
		if err != nil {
			return err
		}
		o.ModifiedAt = now()
		_, err = tx.Exec(ctx, `UPDATE market.orders
			SET refunds = $2, refunded = $3, cancelled_at = $4, fee = $5, modified_at = $6 WHERE order_id = $1`,
			o.OrderID, o.Refunds, o.Refunded, o.CancelledAt, o.Fee,
			o.ModifiedAt)
		return err
	})
	return &o, err
}

// ordersByID returns the seller's orders with these ids, oldest first.
func (s store) ordersByID(ctx context.Context, seller string, ids []string) (list []order, err error) {
	err = s.db.Select(ctx, &list, "SELECT "+orderColumns+` FROM market.orders
		WHERE seller = $1 AND order_id = ANY($2) ORDER BY created_at, order_id`, seller, pq.Array(ids))
	return list, err
}

// getOrdersByID returns the orders whose identifiers the query names.
func (s *server) getOrdersByID(w http.ResponseWriter, r *http.Request, from caller, ids []string) error {
	list, err := s.store.ordersByID(r.Context(), from.seller, ids)
	if err != nil {
		return err
	}
	page := wire.Orders{Href: r.URL.RequestURI(), Limit: defaultLimit, Total: len(list), Orders: []wire.Order{}}
	for i := range list {
		shown, err := list[i].wire()
		if err != nil {
			return err
		}
		page.Orders = append(page.Orders, shown)
	}
	writeJSON(w, http.StatusOK, page)
	return nil
}

func (s *server) getOrder(w http.ResponseWriter, r *http.Request, from caller) error {
	id := r.PathValue("orderId")
	list, err := s.store.ordersByID(r.Context(), from.seller, []string{id})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return badOrdersRequest(32100, "Invalid order ID: "+id)
	}
	shown, err := list[0].wire()
	if err != nil {
		return err
	}
	if at := list[0].CancelledAt; at != nil {
		date := at.UTC().Format(wire.TimeFormat)
		shown.CancelStatus.CancelRequests = append(shown.CancelStatus.CancelRequests, wire.CancelRequest{
			CancelRequestID: shown.LineItems[0].LineItemID, CancelInitiator: "Seller", CancelRequestState: "COMPLETED",
			CancelRequestedDate: date, CancelCompletedDate: date,
		})
	}
	writeJSON(w, http.StatusOK, shown)
	return nil
}

func (s *server) issueRefund(w http.ResponseWriter, r *http.Request, from caller) error {
	var input wire.IssueRefund
	if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
		return refundError(http.StatusBadRequest, 34902, "REQUEST", "Request can't be empty.")
	}
	if input.ReasonForRefund == "" {
		return refundError(http.StatusBadRequest, 34903, "REQUEST", "The refund reason must be specified.")
	}
	if input.OrderLevelRefundAmount == nil {
		return refundError(http.StatusBadRequest, 34905, "REQUEST",
			"Either orderLevelRefundAmount or refundItems must be specified.")
	}
	var paid wire.Refund
	_, err := s.store.changeOrder(r.Context(), r.PathValue("order_id"), from.seller, func(o *order) (err error) {
		back, err := money.Parse(input.OrderLevelRefundAmount.Value, input.OrderLevelRefundAmount.Currency)
		if err != nil || back.Amount <= 0 {
			return refundError(http.StatusBadRequest, 34907, "REQUEST",
				"The amount value must be positive and within two decimals.")
		}
		if back.Currency != o.Currency {
			return refundError(http.StatusBadRequest, 34909, "REQUEST", "The amount currency isn't correct.")
		}
		paid, err = o.refund(back.Amount, now())
		return err
	})
	if errors.Is(err, errNoOrder) {
		return refundError(http.StatusNotFound, 34913, "REQUEST", "Can not find the order.")
	}
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.RefundIssued{RefundID: paid.RefundID, RefundStatus: paid.RefundStatus})
	return nil
}

// apiCancel and apiRefund cancel and refund orders as the seller does on the site.
func (s *server) apiCancel(r *http.Request) (any, error) {
	result, err := s.store.changeOrder(r.Context(), r.PathValue("order"), "",
		func(o *order) error { return o.cancel(now()) })
	if err != nil {
		return nil, err
	}
	return result.wire()
}

// apiRefund reads a body {"amount": minor units}. Without an amount it refunds the rest.
func (s *server) apiRefund(r *http.Request) (any, error) {
	var body struct {
		Amount int64 `json:"amount"`
	}
	if err := decodeOptional(r, &body); err != nil {
		return nil, err
	}
	result, err := s.store.changeOrder(r.Context(), r.PathValue("order"), "", func(o *order) error {
		if body.Amount == 0 {
			body.Amount = o.total() - o.Refunded
		}
		_, err := o.refund(body.Amount, now())
		return err
	})
	if err != nil {
		return nil, err
	}
	return result.wire()
}
