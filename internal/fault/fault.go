// Package fault is the one error model of the service: an error that a caller may see, with the
// contract's code, a message that says what to do, and the fields at fault.
//
// Every other error is unexpected; the edges log it and answer internal_error. The package never
// writes to a response and never logs.
package fault

import (
	"errors"
	"fmt"
	"time"
)

// Error is a fault that is safe to show to the caller.
type Error struct {
	Code    Code
	Message string
	// Details names the fields of the request that are at fault; empty for other faults.
	Details []Detail
	// RetryAfter is how long the caller should wait before trying again; zero says nothing.
	RetryAfter time.Duration
	// Err is what lies behind it, for the log only.
	Err error
}

// Detail says what is wrong with one field, named by its path in the request: "pricing.asking_price.amount".
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

// Invalid returns an invalid_request about one field.
func Invalid(field, message string, args ...any) *Error {
	e := New(InvalidRequest, message, args...)
	e.Details = []Detail{{Field: field, Message: e.Message}}
	e.Message = field + ": " + e.Message
	return e
}

// absent is what is said of things that are not there.
var absent = map[Code]string{
	CardNotFound:    "There is no card with this identifier in your account.",
	BatchNotFound:   "There is no batch with this identifier in your account.",
	ListingNotFound: "There is no listing with this identifier in your account.",
	PhotoNotFound:   "This card has no photo with this identifier.",
	EventNotFound:   "There is no event with this identifier in your account. Events are kept for 30 days.",
	RouteNotFound:   "There is no such address. /openapi/v1.yaml lists all of them.",
}

// NotFound returns the fault of a thing that is not there: the same, to the letter, whether its
// identifier is malformed, unknown or of another account, and whichever part of the service found out.
func NotFound(code Code) *Error { return New(code, absent[code]) }

// With returns a copy of e that also names these fields.
func (e *Error) With(details ...Detail) *Error {
	c := *e
	c.Details = append(append([]Detail(nil), e.Details...), details...)
	return &c
}

// Because returns a copy of e that remembers what lies behind it.
func (e *Error) Because(err error) *Error {
	c := *e
	c.Err = err
	return &c
}

// WithCode returns a copy of e under another code.
func (e *Error) WithCode(code Code) *Error {
	c := *e
	c.Code = code
	return &c
}

// After returns a copy of e that asks the caller to wait.
func (e *Error) After(wait time.Duration) *Error {
	c := *e
	c.RetryAfter = wait
	return &c
}

// Status returns the HTTP status that goes with the fault.
func (e *Error) Status() int { return e.Code.Status() }

// Error returns the code, the message and what lies behind it.
func (e *Error) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap returns what lies behind the fault.
func (e *Error) Unwrap() error { return e.Err }

// As returns the fault in err's chain, if there is one.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)
	return e, ok
}

// Is reports whether err's chain holds a fault with this code.
func Is(err error, code Code) bool {
	e, ok := As(err)
	return ok && e.Code == code
}
