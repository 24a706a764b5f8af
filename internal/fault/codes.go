package fault

import "net/http"

// Code identifies the kind of an error. Clients branch on it, so codes never change. The codes are the values of
// ErrorCode in openapi/v1.yaml.
type Code string

// The codes of the contract, grouped by status.
const (
	InvalidRequest Code = "invalid_request"
	InvalidJSON    Code = "invalid_json"
	InvalidCursor  Code = "invalid_cursor"

	MissingToken Code = "missing_token"
	InvalidToken Code = "invalid_token"
	RevokedToken Code = "revoked_token"

	InsufficientScope Code = "insufficient_scope"
	QuotaExceeded     Code = "quota_exceeded"

	CardNotFound     Code = "card_not_found"
	BatchNotFound    Code = "batch_not_found"
	ListingNotFound  Code = "listing_not_found"
	PhotoNotFound    Code = "photo_not_found"
	EventNotFound    Code = "event_not_found"
	EndpointNotFound Code = "webhook_not_found"
	SaleNotFound     Code = "sale_not_found"
	JobNotFound      Code = "job_not_found"
	DeliveryNotFound Code = "delivery_not_found"
	SecretNotFound   Code = "webhook_secret_not_found"
	RouteNotFound    Code = "route_not_found"

	MethodNotAllowed     Code = "method_not_allowed"
	NotAcceptable        Code = "not_acceptable"
	PayloadTooLarge      Code = "payload_too_large"
	UnsupportedMediaType Code = "unsupported_media_type"

	CardNotIdentified   Code = "card_not_identified"
	CardNotPriced       Code = "card_not_priced"
	PriceBelowFloor     Code = "price_below_floor"
	CardHasNoPhoto      Code = "card_has_no_photo"
	CardAlreadyListed   Code = "card_already_listed"
	CardSold            Code = "card_sold"
	CardArchived        Code = "card_archived"
	CardListed          Code = "card_listed"
	BatchComplete       Code = "batch_complete"
	ListingNotLive      Code = "listing_not_live"
	ExternalIDTaken     Code = "external_id_taken"
	SKUTaken            Code = "sku_taken"
	UnexpectedCount     Code = "unexpected_count"
	WebhookDisabled     Code = "webhook_disabled"
	WebhookLimitReached Code = "webhook_limit_reached"
	SecretLimitReached  Code = "webhook_secret_limit_reached"
	JobLimitReached     Code = "job_limit_reached"
	JobNotUndoable      Code = "job_not_undoable"
	SaleRefunded        Code = "sale_refunded"
	SaleVoided          Code = "sale_voided"
	SaleAtMarketplace   Code = "sale_at_marketplace"
	IdempotencyConflict Code = "idempotency_conflict"

	VersionMismatch Code = "version_mismatch"

	PhotoUnreachable     Code = "photo_unreachable"
	PhotoInvalid         Code = "photo_invalid"
	PhotoForbidden       Code = "photo_forbidden"
	IdempotencyKeyReused Code = "idempotency_key_reused"
	NoPriceFound         Code = "no_price_found"

	RateLimited Code = "rate_limited"

	InternalError  Code = "internal_error"
	NotImplemented Code = "not_implemented"
	UpstreamError  Code = "upstream_error"
	Unavailable    Code = "unavailable"
)

// Codes that only the command line and the dashboard use. They are not part of the contract.
const (
	AccountNotFound Code = "account_not_found"
	TokenNotFound   Code = "token_not_found"
	UserNotFound    Code = "user_not_found"
	LinkExpired     Code = "link_expired"
	LastOwner       Code = "last_owner"
	ExportNotFound  Code = "export_not_found"
	SellerDiffers   Code = "seller_differs"

	ViewNotFound Code = "view_not_found"
)

var statuses = map[Code]int{
	InvalidRequest: http.StatusBadRequest, InvalidJSON: http.StatusBadRequest, InvalidCursor: http.StatusBadRequest,
	MissingToken: http.StatusUnauthorized, InvalidToken: http.StatusUnauthorized, RevokedToken: http.StatusUnauthorized,
	InsufficientScope: http.StatusForbidden, QuotaExceeded: http.StatusForbidden,
	CardNotFound: http.StatusNotFound, BatchNotFound: http.StatusNotFound, ListingNotFound: http.StatusNotFound,
	PhotoNotFound: http.StatusNotFound, EventNotFound: http.StatusNotFound, RouteNotFound: http.StatusNotFound,
	SaleNotFound: http.StatusNotFound, SaleRefunded: http.StatusConflict,
	SaleVoided: http.StatusConflict, SaleAtMarketplace: http.StatusConflict,
	JobNotFound: http.StatusNotFound, JobLimitReached: http.StatusConflict,
	AccountNotFound: http.StatusNotFound, TokenNotFound: http.StatusNotFound, UserNotFound: http.StatusNotFound,
	LinkExpired: http.StatusGone, LastOwner: http.StatusConflict, ExportNotFound: http.StatusNotFound,
	SellerDiffers:    http.StatusConflict,
	ViewNotFound:     http.StatusNotFound,
	EndpointNotFound: http.StatusNotFound, DeliveryNotFound: http.StatusNotFound,
	MethodNotAllowed: http.StatusMethodNotAllowed, NotAcceptable: http.StatusNotAcceptable,
	PayloadTooLarge: http.StatusRequestEntityTooLarge, UnsupportedMediaType: http.StatusUnsupportedMediaType,
	CardNotIdentified: http.StatusConflict, CardNotPriced: http.StatusConflict, CardHasNoPhoto: http.StatusConflict,
	PriceBelowFloor:   http.StatusConflict,
	CardAlreadyListed: http.StatusConflict, CardSold: http.StatusConflict, CardArchived: http.StatusConflict,
	CardListed: http.StatusConflict, JobNotUndoable: http.StatusConflict,
	BatchComplete: http.StatusConflict, ListingNotLive: http.StatusConflict,
	ExternalIDTaken: http.StatusConflict, WebhookDisabled: http.StatusConflict,
	SKUTaken: http.StatusConflict, UnexpectedCount: http.StatusConflict,
	WebhookLimitReached: http.StatusConflict,
	SecretNotFound:      http.StatusNotFound, SecretLimitReached: http.StatusConflict,
	IdempotencyConflict: http.StatusConflict,
	VersionMismatch:     http.StatusPreconditionFailed,
	PhotoUnreachable:    http.StatusUnprocessableEntity, PhotoInvalid: http.StatusUnprocessableEntity,
	PhotoForbidden: http.StatusUnprocessableEntity, IdempotencyKeyReused: http.StatusUnprocessableEntity,
	NoPriceFound:  http.StatusUnprocessableEntity,
	RateLimited:   http.StatusTooManyRequests,
	InternalError: http.StatusInternalServerError, NotImplemented: http.StatusNotImplemented,
	UpstreamError: http.StatusBadGateway, Unavailable: http.StatusServiceUnavailable,
}

// Status returns the HTTP status of the code; 500 for an unknown code.
func (c Code) Status() int {
	if status, ok := statuses[c]; ok {
		return status
	}
	return http.StatusInternalServerError
}
