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

// retryAfter is what a caller is told when the service is away and nobody knows for how long.
const retryAfter = 2 * time.Second

// envelope is the one shape of every error.
type envelope struct {
	Error struct {
		Code    fault.Code     `json:"code"`
		Message string         `json:"message"`
		Status  int            `json:"status"`
		Details []fault.Detail `json:"details,omitempty"`
	} `json:"error"`
}

// WriteError answers with an error, wherever it comes from. A fault is shown as it is; anything else
// is logged and shown as internal_error, but for what follows from a client's leaving or from a deadline.
func WriteError(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r.Context())
	var large *http.MaxBytesError
	shown, isFault := fault.As(err)
	switch {
	case errors.As(err, &large): // a handler that reads the body itself
		shown, _ = fault.As(tooLarge(large.Limit))
	case isFault:
		logCause(r, x, shown)
	case clientGone(r):
		shown = fault.New(fault.Unavailable, "The connection was closed before the answer.")
	case errors.Is(err, context.DeadlineExceeded):
		shown = fault.New(fault.Unavailable, "This took too long. Try again.")
		logCause(r, x, shown.WithCause(err))
	default:
		x.logger.LogAttrs(r.Context(), slog.LevelError, "unexpected error",
			slog.String("request_id", x.requestID), slog.String("route", x.route), slog.Any("error", err))
		shown = internalError(x.requestID)
	}
	writeFault(w, shown)
}

// clientGone reports whether the client has closed its side. It may still be reading: whatever is
// answered must be true.
func clientGone(r *http.Request) bool { return errors.Is(r.Context().Err(), context.Canceled) }

// WriteBindingError answers a request that passed the contract's check and yet does not fit the
// generated types: no case is known, but that is for the generator to say.
func WriteBindingError(w http.ResponseWriter, r *http.Request, err error) {
	if _, ok := fault.As(err); ok {
		WriteError(w, r, err)
		return
	}
	field := "body"
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) && mistyped.Field != "" {
		field = mistyped.Field
	}
	WriteError(w, r, fault.Invalid(field, "holds a value in a form that is not taken").WithCause(err))
}

// logCause logs what lies behind a fault that is the service's own.
func logCause(r *http.Request, x *exchange, f *fault.Error) {
	if f.Status() < http.StatusInternalServerError || f.Err == nil || clientGone(r) {
		return
	}
	x.logger.LogAttrs(r.Context(), slog.LevelWarn, "request failed", slog.String("request_id", x.requestID),
		slog.String("route", x.route), slog.String("code", string(f.Code)), slog.Any("error", f.Err))
}

// writeFault writes the envelope with the headers that go with it.
func writeFault(w http.ResponseWriter, f *fault.Error) {
	var body envelope
	body.Error.Code, body.Error.Message, body.Error.Status, body.Error.Details = f.Code, f.Message, f.Status(), f.Details
	text, err := json.Marshal(body)
	if err != nil { // strings and numbers: cannot be
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
	if allowed, ok := errors.AsType[allowedMethods](f); ok {
		h.Set("Allow", string(allowed))
	}
	w.WriteHeader(f.Status())
	_, _ = w.Write(text) // a client that has gone is no fault of anybody's
}

// seconds rounds a wait up to whole seconds, at least one: the unit of Retry-After.
func seconds(wait time.Duration) int { return max(1, int((wait+time.Second-1)/time.Second)) }

// allowedMethods is the Allow header that goes with method_not_allowed.
type allowedMethods string

// Error implements error.
func (a allowedMethods) Error() string { return "allowed: " + string(a) }

func methodNotAllowed(allowed string) error {
	return fault.New(fault.MethodNotAllowed, "This address takes %s.", allowed).WithCause(allowedMethods(allowed))
}

func routeNotFound() error {
	return fault.NotFound(fault.RouteNotFound)
}

func internalError(requestID string) *fault.Error {
	return fault.New(fault.InternalError, "Something went wrong on our side. Quote request %s.", requestID)
}
