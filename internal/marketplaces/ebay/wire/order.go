package wire

// CancelRequest is a request to cancel an order.
type CancelRequest struct {
	CancelRequestID     string `json:"cancelRequestId"`
	CancelInitiator     string `json:"cancelInitiator"` // Buyer, Seller or System
	CancelRequestState  string `json:"cancelRequestState"`
	CancelRequestedDate string `json:"cancelRequestedDate"`
	CancelCompletedDate string `json:"cancelCompletedDate,omitempty"`
}

// PaymentSummary has the payments and refunds of an order.
type PaymentSummary struct {
	TotalDueSeller Amount   `json:"totalDueSeller"`
	Refunds        []Refund `json:"refunds"` // empty if there are none
}

// Refund is money that the seller paid back. RefundStatus is absent in line items.
type Refund struct {
	RefundID     string `json:"refundId"`
	Amount       Amount `json:"amount"`
	RefundDate   string `json:"refundDate"`
	RefundStatus string `json:"refundStatus,omitempty"`
}

// OrderPricing has the sums of an order.
type OrderPricing struct {
	PriceSubtotal Amount `json:"priceSubtotal"`
	DeliveryCost  Amount `json:"deliveryCost"`
	Total         Amount `json:"total"`
}

// DeliveryCost is what the buyer paid for the delivery of a line item.
type DeliveryCost struct {
	ShippingCost Amount `json:"shippingCost"`
}

// IssueRefund is the body of issueRefund for a whole order.
type IssueRefund struct {
	ReasonForRefund        string  `json:"reasonForRefund"`
	Comment                string  `json:"comment,omitempty"`
	OrderLevelRefundAmount *Amount `json:"orderLevelRefundAmount,omitempty"`
}

// RefundIssued is the response of issueRefund.
type RefundIssued struct {
	RefundID     string `json:"refundId"`
	RefundStatus string `json:"refundStatus"`
}

// Refunded is the status of a completed refund.
const Refunded = "REFUNDED"

// Values of Order.OrderPaymentStatus.
const (
	Paid              = "PAID"
	PartiallyRefunded = "PARTIALLY_REFUNDED"
	FullyRefunded     = "FULLY_REFUNDED"
)
