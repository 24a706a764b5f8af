package cardvault

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrNotModified is the error of a request with [IfNoneMatch] for something that has not changed.
var ErrNotModified = errors.New("cardvault: not modified")

// APIError is an answer other than success. Dispatch on its code, with errors.As, or in one step with errors.Is:
//
//	if errors.Is(err, cardvault.CodeCardNotFound) { … }
type APIError struct {
	Operation  string // the method of Client
	Status     int    // the HTTP status
	Code       Code   // "" where something other than the service has answered, such as a proxy
	Message    string // for people and logs
	Details    []ErrorDetail
	RequestID  string // quote it when asking the service's operator
	RetryAfter time.Duration
	RateLimit  RateLimit
}

func (e *APIError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cardvault: %s: %s (%d", e.Operation, e.Message, e.Status)
	if e.Code != "" {
		fmt.Fprintf(&b, " %s", string(e.Code))
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, ", request %s", e.RequestID)
	}
	b.WriteString(")")
	for _, d := range e.Details {
		fmt.Fprintf(&b, "; %s: %s", d.Field, d.Message)
	}
	return b.String()
}

// Is reports whether target is the error's code.
func (e *APIError) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Error is the code itself; it makes a code a target for errors.Is.
func (c Code) Error() string { return string(c) }

// ConnectionError is a request that got no whole answer: the service could not be reached, or the connection broke.
type ConnectionError struct {
	Operation string
	Err       error
}

func (e *ConnectionError) Error() string {
	return fmt.Sprintf("cardvault: %s: no answer: %v", e.Operation, e.Err)
}

func (e *ConnectionError) Unwrap() error { return e.Err }

// TimeoutError is a request that was not answered in the time for one attempt; see [WithTimeout].
type TimeoutError struct {
	Operation string
	After     time.Duration // the limit; 0 where it is the caller's HTTP client's
}

func (e *TimeoutError) Error() string {
	if e.After == 0 {
		return fmt.Sprintf("cardvault: %s: no answer in time", e.Operation)
	}
	return fmt.Sprintf("cardvault: %s: no answer within %v", e.Operation, e.After)
}

// Timeout says that this is a time-out, as net.Error has it.
func (e *TimeoutError) Timeout() bool { return true }

// newAPIError reads an answer other than success. What is not in the service's shape is kept as the message.
func newAPIError(operation string, response Response, body []byte) *APIError {
	e := &APIError{
		Operation:  operation,
		Status:     response.Status,
		RequestID:  response.RequestID,
		RetryAfter: retryAfter(response.Header),
		RateLimit:  response.RateLimit,
	}
	var said struct {
		Error struct {
			Code    Code          `json:"code"`
			Message string        `json:"message"`
			Details []ErrorDetail `json:"details"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &said); err == nil && said.Error.Code != "" {
		e.Code, e.Message, e.Details = said.Error.Code, said.Error.Message, said.Error.Details
		return e
	}
	if to := response.Header.Get("Location"); to != "" {
		e.Message = fmt.Sprintf("%s to %s, which is not followed: is the base address right?", http.StatusText(e.Status), to)
		return e
	}
	e.Message = fmt.Sprintf("%s, not in the API's form: %.200q", http.StatusText(e.Status), body)
	return e
}

// retryAfter reads the header Retry-After, which is seconds or, from proxies, a date. It is 0 where there is none.
func retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(0, min(seconds, 1e9))) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}

// as finds the first error of type E that err wraps. (The standard library has it as errors.AsType from Go 1.26.)
func as[E error](err error) (E, bool) {
	var target E
	ok := errors.As(err, &target)
	return target, ok
}
