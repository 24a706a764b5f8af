package api

import (
	"context"
	"crypto/sha256"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/api/idempotency"
)

const (
	// settleTime is how long an answer may take to be kept once the request itself is over: until its claim ends.
	settleTime = idempotency.Lease - handlingTime
	// settlePause is between two attempts to keep it: a database restarts in a second or two.
	settlePause = 500 * time.Millisecond
)

// answerOnce runs the handler, unless the same request under the same key has been answered: then it
// repeats that answer. What the client did wrong before anything happened, and what the service
// failed at, is not kept: the request may be repeated. The handler runs to its end even if the client
// leaves, so that what it did is what the key says.
func (e *edge) answerOnce(a *answer, r *http.Request, c call, request idempotency.Request) {
	claim, earlier, err := e.idempotency.Begin(r.Context(), request)
	if err != nil {
		WriteError(a, r, err)
		return
	}
	if earlier != nil {
		a.replay(earlier)
		return
	}
	keep := false
	defer func() { e.settle(a, r, request, claim, keep) }() // after a panic too
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), handlingTime)
	defer cancel()
	ctx = idempotency.WithHook(ctx, e.idempotency.MarkCarriedOut(request, claim))
	c.handler.ServeHTTP(a, r.WithContext(ctx))
	keep = lasting(a.status)
}

// lasting reports whether an answer is what the request will be answered for good.
func lasting(status int) bool {
	switch status {
	case 0, http.StatusBadRequest, http.StatusTooManyRequests:
		return false
	}
	return status < http.StatusInternalServerError
}

// settle keeps the answer or gives the key back, whether or not the client is still there.
func (e *edge) settle(a *answer, r *http.Request, request idempotency.Request, claim string, keep bool) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), settleTime)
	defer cancel()
	settle := func() error { return e.idempotency.Release(ctx, request, claim) }
	if keep {
		kept := idempotency.Answer{Status: a.status, ContentType: a.Header().Get("Content-Type"), Body: a.body.Bytes()}
		settle = func() error { return e.idempotency.Finish(ctx, request, claim, kept) }
	}
	err := settle()
	for err != nil && paused(ctx, settlePause) {
		err = settle()
	}
	if err != nil { // the key stays claimed: until its lease is over, or for good if the request was carried out
		x := exchangeOf(ctx)
		x.logger.LogAttrs(ctx, slog.LevelError, "idempotency key not settled",
			slog.String("request_id", x.requestID), slog.String("route", x.route), slog.Any("error", err))
	}
}

// paused waits, and reports whether ctx lasted.
func paused(ctx context.Context, pause time.Duration) bool {
	select {
	case <-time.After(pause):
		return true
	case <-ctx.Done():
		return false
	}
}

// replay writes an earlier answer. Rate headers and request id are this request's own.
func (a *answer) replay(earlier *idempotency.Answer) {
	h := a.Header()
	h.Set("Idempotent-Replayed", "true")
	if earlier.ContentType != "" {
		h.Set("Content-Type", earlier.ContentType)
	}
	a.WriteHeader(earlier.Status)
	_, _ = a.body.Write(earlier.Body)
}

// bareKey returns the key in an Idempotency-Key header that has passed the contract's check: bare, or
// a quoted string (RFC 8941, section 3.3.3).
func bareKey(header string) string {
	if len(header) < 2 || header[0] != '"' {
		return header
	}
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(header[1 : len(header)-1])
}

// hashRequest returns a hash of what makes two requests under one key the same.
func hashRequest(r *http.Request, body []byte) (sum [32]byte) {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.RawQuery} {
		_, _ = io.WriteString(h, part+"\n")
	}
	h.Write(body)
	h.Sum(sum[:0])
	return sum
}
