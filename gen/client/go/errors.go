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

// ErrNotModified is the error of a request with [IfNoneMatch] if the resource has not changed.
var ErrNotModified = errors.New("cardvault: not modified")

// APIError is a response other than success. Get its Code with errors.As, or compare it in one step with errors.Is:
//
//	if errors.Is(err, cardvault.CodeCardNotFound) { … }
type APIError struct {
	Operation  string // the method of Client
	Status     int    // the HTTP status
	Code       Code   // "" if the response is not from the service but, for example, from a proxy
	Message    string // for people and logs
	Details    []ErrorDetail
	RequestID  string // identifies the request for the operator of the service
	RetryAfter time.Duration
	RateLimit  RateLimit

	exceedsLimit bool // whether the throttle knows how long to wait
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

// Is reports whether target is the code of the error.
func (e *APIError) Is(target error) bool {
	code, ok := target.(Code)
	return ok && code == e.Code
}

// Error returns the code. It makes a code a target for errors.Is.
func (c Code) Error() string { return string(c) }

// ConnectionError says that there was no complete response: the service was unreachable or the connection broke.
type ConnectionError struct {
	Operation string
	Err       error
}

func (e *ConnectionError) Error() string {
	return fmt.Sprintf("cardvault: %s: no response: %v", e.Operation, e.Err)
}

func (e *ConnectionError) Unwrap() error { return e.Err }

// TimeoutError says that an attempt timed out; see [WithTimeout].
type TimeoutError struct {
	Operation string
	After     time.Duration // the timeout; 0 if the timeout of the caller's HTTP client applied
}

func (e *TimeoutError) Error() string {
	if e.After == 0 {
		return fmt.Sprintf("cardvault: %s: no response in time", e.Operation)
	}
	return fmt.Sprintf("cardvault: %s: no response within %v", e.Operation, e.After)
}

// Timeout returns true, as for a net.Error.
func (e *TimeoutError) Timeout() bool { return true }

// newAPIError converts a response other than success. The message quotes a body that is not an error of the API.
func newAPIError(operation string, response Response, body []byte) *APIError {
	e := &APIError{
		Operation:  operation,
		Status:     response.Status,
		RequestID:  response.RequestID,
		RetryAfter: retryAfter(response.Header),
		RateLimit:  response.RateLimit,

		exceedsLimit: exceedsLimit(response),
	}
	var decoded struct {
		Error struct {
			Code    Code          `json:"code"`
			Message string        `json:"message"`
			Details []ErrorDetail `json:"details"`
		} `json:"error"`
	}
	if err := json.Unmarshal(body, &decoded); err == nil && decoded.Error.Code != "" {
		e.Code, e.Message, e.Details = decoded.Error.Code, decoded.Error.Message, decoded.Error.Details
		return e
	}
	if to := response.Header.Get("Location"); to != "" {
		e.Message = fmt.Sprintf("%s: redirect to %s, which is not followed: check the base URL",
			http.StatusText(e.Status), to)
		return e
	}
	e.Message = fmt.Sprintf("%s: the response is not from CardVault%s: %.200q",
		http.StatusText(e.Status), advice(e.Status), body)
	return e
}

// advice says where a response that is not from CardVault comes from.
func advice(status int) string {
	switch {
	case status < 400 || status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return "; check the base URL"
	case status == http.StatusRequestEntityTooLarge:
		return ", but from a proxy or the like in between; allow larger bodies there"
	}
	return ", but from a proxy or the like in between"
}

// retryAfter parses the header Retry-After: seconds or, from proxies, a date. It returns 0 if there is none.
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

// as is errors.AsType of Go 1.26, which the module does not require.
func as[E error](err error) (E, bool) {
	var target E
	ok := errors.As(err, &target)
	return target, ok
}
