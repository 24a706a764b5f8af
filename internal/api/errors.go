package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// retryAfter is the default of Retry-After for responses that require it.
const retryAfter = 2 * time.Second

// envelope is the body of all error responses.
type envelope struct {
	Error struct {
		Code    fault.Code     `json:"code"`
		Message string         `json:"message"`
		Status  int            `json:"status"`
		Details []fault.Detail `json:"details,omitempty"`
	} `json:"error"`
}

// WriteError responds with an error. Clients see faults as they are. Other errors are logged, and clients see
// internal_error, or unavailable if a deadline passed or the connection was closed.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	state := stateOf(r.Context())
	var large *http.MaxBytesError
	shown, isFault := fault.As(err)
	switch {
	case errors.As(err, &large): // from a handler that reads the body itself
		shown, _ = fault.As(tooLarge(large.Limit))
	case isFault:
		logCause(r, state, shown)
	case clientGone(r):
		shown = fault.New(fault.Unavailable, "The connection was closed before the answer.")
	case errors.Is(err, context.DeadlineExceeded):
		shown = fault.New(fault.Unavailable, "This took too long. Try again.")
		logCause(r, state, shown.WithCause(err))
	default:
		state.logger.LogAttrs(r.Context(), slog.LevelError, "unexpected error",
			slog.String("request_id", state.requestID), slog.String("route", state.route), slog.Any("error", err))
		shown = internalError(state.requestID)
	}
	writeFault(w, shown)
}

// clientGone reports whether the client has closed its side of the connection. It may still read the response.
func clientGone(r *http.Request) bool { return errors.Is(r.Context().Err(), context.Canceled) }

// WriteBindingError responds to a request that is valid according to the contract but cannot be decoded into the
// generated types. No such request is known, but the generated code does not rule it out.
func WriteBindingError(w http.ResponseWriter, r *http.Request, err error) {
	if _, ok := fault.As(err); ok {
		WriteError(w, r, err)
		return
	}
	field := "body"
	var typeErr *json.UnmarshalTypeError
	if errors.As(err, &typeErr) && typeErr.Field != "" {
		field = typeErr.Field
	}
	WriteError(w, r, fault.Invalid(field, "holds a value in a form that is not taken").WithCause(err))
}

// logCause logs the cause of a fault with a 5xx status.
func logCause(r *http.Request, state *requestState, f *fault.Error) {
	if f.Status() < http.StatusInternalServerError || f.Err == nil || clientGone(r) {
		return
	}
	state.logger.LogAttrs(r.Context(), slog.LevelWarn, "request failed", slog.String("request_id", state.requestID),
		slog.String("route", state.route), slog.String("code", string(f.Code)), slog.Any("error", f.Err))
}

// writeFault writes an error response with the headers of its status.
func writeFault(w http.ResponseWriter, f *fault.Error) {
	var body envelope
	body.Error.Code, body.Error.Message = f.Code, f.Message
	body.Error.Status, body.Error.Details = f.Status(), f.Details
	text, err := json.Marshal(body)
	if err != nil { // impossible: it consists of strings and numbers
		panic(err)
	}
	h := w.Header()
	h.Del("ETag")
	h.Set("Content-Type", jsonType)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	switch status := f.Status(); status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", "Bearer")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		wait := f.RetryAfter
		if wait == 0 {
			wait = retryAfter
		}
		h.Set("Retry-After", strconv.Itoa(seconds(wait)))
	}
	if methodErr, ok := errors.AsType[allowedMethods](f); ok {
		h.Set("Allow", string(methodErr))
	}
	w.WriteHeader(f.Status())
	_, _ = w.Write(text) // fails only if the client closed the connection
}

// seconds returns a wait in seconds, rounded up and at least 1, for Retry-After.
func seconds(wait time.Duration) int { return max(1, int((wait+time.Second-1)/time.Second)) }

// allowedMethods is the Allow header of a method_not_allowed response. It is the cause of the fault.
type allowedMethods string

// Error implements error.
func (a allowedMethods) Error() string { return "allowed: " + string(a) }

func methodNotAllowed(methodList string) error {
	return fault.New(fault.MethodNotAllowed, "This address takes %s.", methodList).WithCause(allowedMethods(methodList))
}

func routeNotFound() error {
	return fault.NotFound(fault.RouteNotFound)
}

func internalError(requestID string) *fault.Error {
	return fault.New(fault.InternalError, "Something went wrong on our side. Quote request %s.", requestID)
}
