// Package fault defines the errors that clients may see. A fault has a code from the contract, a message that states
// the problem and the remedy, and the invalid fields of the request.
//
// All other errors are unexpected: the packages that write responses log them and respond with internal_error. This
// package never writes responses and never logs.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Error is an error that is safe to show to clients.
type Error struct {
	Code    Code
	Message string
	// Details lists the invalid fields of the request. It is empty for faults that are not about fields.
	Details []Detail
	// RetryAfter is how long the client should wait before it tries again, or 0 if that is not known.
	RetryAfter time.Duration
	// Err is the cause. It is logged but not shown to clients.
	Err error
}

// Detail describes the problem with a field. Field is the field's path in the request: "pricing.asking_price.amount".
type Detail struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// New returns a fault with this code. The message is formatted with args as by fmt.Sprintf.
func New(code Code, message string, args ...any) *Error {
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}
	return &Error{Code: code, Message: message}
}

// Invalid returns an invalid_request fault about one field.
func Invalid(field, message string, args ...any) *Error {
	e := New(InvalidRequest, message, args...)
	e.Details = []Detail{{Field: field, Message: e.Message}}
	e.Message = field + ": " + e.Message
	return e
}

var notFoundMessages = map[Code]string{
	CardNotFound:     "There is no card with this identifier in your account.",
	BatchNotFound:    "There is no batch with this identifier in your account.",
	ListingNotFound:  "There is no listing with this identifier in your account.",
	PhotoNotFound:    "This card has no photo with this identifier.",
	EventNotFound:    "There is no event with this identifier in your account. Events are kept for 30 days.",
	SaleNotFound:     "There is no sale with this identifier in your account.",
	JobNotFound:      "There is no job with this identifier in your account. Finished jobs are kept for 30 days.",
	EndpointNotFound: "There is no webhook with this identifier in your account.",
	DeliveryNotFound: "There is no delivery with this identifier to this webhook.",
	SecretNotFound:   "The webhook has no previous secret with this identifier that still signs.",
	ViewNotFound:     "There is no view with this identifier in your account.",
	RouteNotFound:    "There is no such address. /openapi/v1.yaml lists all of them.",
}

// NotFound returns the fault for an object that does not exist. All packages use it, so that malformed identifiers,
// unknown identifiers and identifiers of other accounts get the same response.
func NotFound(code Code) *Error { return New(code, notFoundMessages[code]) }

// WithDetails returns a copy of e with additional invalid fields.
func (e *Error) WithDetails(details ...Detail) *Error {
	c := *e
	c.Details = append(append([]Detail(nil), e.Details...), details...)
	return &c
}

// WithCause returns a copy of e with this cause.
func (e *Error) WithCause(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// WithCode returns a copy of e with another code.
func (e *Error) WithCode(code Code) *Error {
	c := *e
	c.Code = code
	return &c
}

// WithRetryAfter returns a copy of e that asks the client to wait before it tries again.
func (e *Error) WithRetryAfter(wait time.Duration) *Error {
	c := *e
	c.RetryAfter = wait
	return &c
}

// Status returns the HTTP status of the fault's code.
func (e *Error) Status() int { return e.Code.Status() }

// Error returns the code, the message and the cause.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// As returns the first fault in err's chain, if there is one.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Within returns a fault whose fields are prefixed with the request's field that contains them. It returns any other
// error unchanged, and nil for nil.
func Within(field string, err error) error {
	f, ok := As(err)
	if !ok {
		return err
	}
	clone := *f
	clone.Message, clone.Details = field+": "+f.Message, nil
	for _, d := range f.Details {
		clone.Details = append(clone.Details, Detail{Field: field + "." + d.Field, Message: d.Message})
	}
	return &clone
}

// Is reports whether the first fault in err's chain has this code.
func Is(err error, code Code) bool {
	e, ok := As(err)
	return ok && e.Code == code
}
