package api

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

const (
	// finalizeTimeout is how long it may take to store the response after the handler returned: until the claim
	// expires.
	finalizeTimeout = idempotency.Lease - writeTimeout
	// finalizeDelay is the delay between two attempts to store the response: a database restarts in a second or two.
	finalizeDelay = 500 * time.Millisecond
)

// idempotencyKeys runs requests that have an Idempotency-Key at most once.
type idempotencyKeys struct{ store *idempotency.Store }

// replay calls the handler, unless the same request was made before under the same key: then it replays the stored
// response. A response is not stored if its request had no effect; such a request may be repeated (see isFinal). The
// handler runs to its end even if the client disconnects, so that the stored response describes its effects.
//
// It comes last: it claims a key only for a request that will run, and it stores the response in the recorder.
func (k idempotencyKeys) replay(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		state, header := stateOf(r.Context()), r.Header.Get("Idempotency-Key")
		if header == "" || r.Method != http.MethodPost || state.call.operation.class == ratelimit.Read {
			next.ServeHTTP(w, r)
			return
		}
		request := idempotency.Request{
			AccountID: state.caller.AccountID, TokenID: state.caller.TokenID,
			Key: unquoteKey(header), Hash: hashRequest(r, state.body),
		}
		recorder := w.(*responseRecorder) // of the middleware record
		claim, earlier, err := k.store.Begin(r.Context(), request)
		switch {
		case err != nil:
			WriteError(w, r, err)
		case earlier != nil:
			recorder.replay(earlier)
		default:
			k.run(next, recorder, r, request, claim)
		}
	})
}

// run calls the handler under a claim, and then stores its response or releases the key.
func (k idempotencyKeys) run(
	next http.Handler, recorder *responseRecorder, r *http.Request, request idempotency.Request, claim string,
) {
	store := false
	defer func() { k.finalize(recorder, r, request, claim, store) }() // after a panic too
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), writeTimeout)
	defer cancel()
	ctx = idempotency.WithHook(ctx, k.store.MarkCarriedOut(request, claim))
	next.ServeHTTP(recorder, r.WithContext(ctx))
	store = isFinal(recorder.status)
}

// isFinal reports whether repeating a request cannot change its response. It is false for requests that were invalid or
// that the service failed to handle.
func isFinal(status int) bool {
	switch status {
	case 0, http.StatusBadRequest, http.StatusTooManyRequests:
		return false
	}
	return status < http.StatusInternalServerError
}

// finalize stores the response or releases the key, even if the client has disconnected.
func (k idempotencyKeys) finalize(
	recorder *responseRecorder, r *http.Request, request idempotency.Request, claim string, store bool,
) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), finalizeTimeout)
	defer cancel()
	finalize := func() error { return k.store.Release(ctx, request, claim) }
	if store {
		response := idempotency.Response{
			Status: recorder.status, ContentType: recorder.Header().Get("Content-Type"),
			Body: withNull(recorder.body.Bytes(), stateOf(r.Context()).call.operation.shownOnce),
		}
		finalize = func() error { return k.store.Finish(ctx, request, claim, response) }
	}
	err := finalize()
	for err != nil && sleep(ctx, finalizeDelay) {
		err = finalize()
	}
	if err != nil { // the key stays claimed until its lease expires, or until it expires if the request was carried out
		// A warning, because the cause is the database, and the key protects the client all the same.
		state := stateOf(ctx)
		state.logger.LogAttrs(ctx, slog.LevelWarn, "idempotency key not finalized",
			slog.String("request_id", state.requestID), slog.String("route", state.route), slog.Any("error", err))
	}
}

// withNull returns a JSON object with null as the value of a field, if it has the field. Stored responses have no
// secrets.
func withNull(body []byte, field string) []byte {
	var object map[string]json.RawMessage
	if field == "" || json.Unmarshal(body, &object) != nil || object[field] == nil {
		return body
	}
	object[field] = json.RawMessage("null")
	text, err := json.Marshal(object)
	if err != nil {
		return nil
	}
	return text
}

// sleep waits, and reports whether ctx is still valid afterwards.
func sleep(ctx context.Context, delay time.Duration) bool {
	select {
	case <-time.After(delay):
		return true
	case <-ctx.Done():
		return false
	}
}

// replay writes a stored response. It takes the rate limit headers and the request id from the current request.
func (rec *responseRecorder) replay(earlier *idempotency.Response) {
	h := rec.Header()
	h.Set("Idempotent-Replayed", "true")
	if earlier.ContentType != "" {
		h.Set("Content-Type", earlier.ContentType)
	}
	rec.WriteHeader(earlier.Status)
	_, _ = rec.body.Write(earlier.Body)
}

// unquoteKey returns the key in a valid Idempotency-Key header, which may be a quoted string (RFC 8941, section 3.3.3).
func unquoteKey(header string) string {
	if len(header) < 2 || header[0] != '"' {
		return header
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(header[1 : len(header)-1])
}

// hashRequest returns a hash of the parts that must be equal in all requests under a key.
func hashRequest(r *http.Request, body []byte) (sum [32]byte) {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.RawQuery} {
		_, _ = io.WriteString(h, part+"\n")
	}
	h.Write(body)
	h.Sum(sum[:0])
	return sum
}
