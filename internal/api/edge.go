package api

import (
	"cmp"
	"context"
	"net/http"
	"net/netip"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/keyed"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// edge serves everything under /api.
type edge struct {
	routes      *routes
	tokens      Authenticator
	lookups     *keyed.Semaphore // by client address
	limiter     ratelimit.Limiter
	limits      ratelimit.Limits
	reads       readLimit
	bodies      *keyed.Semaphore // memory, by account
	idempotency *idempotency.Store
	clock       clock.Clock
	proxies     []netip.Prefix
}

// handlingTime is how long a request that writes may take once its body is here. It is shorter than
// idempotency.Lease, so that a key is never claimed anew while its request still runs.
const handlingTime = idempotency.Lease - 10*time.Second

// readingTime is how long a request that only reads may take: a slow one must not hold a connection to
// the database for longer than anybody waits for a page.
const readingTime = 15 * time.Second

// ServeHTTP is the way of a request, from routing on.
func (e *edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := exchangeOf(r.Context())
	allowOrigins(w.Header())
	e.routes.announce(w.Header(), r)
	call, routeErr := e.routes.find(r)
	x.route = call.operation.template
	if r.Method == http.MethodOptions {
		e.writeOptions(w, r, routeErr)
		return
	}
	class := call.operation.class
	who, window, tokenErr := e.admit(r, class)
	x.accountID = who.AccountID
	setRate(w.Header(), window)
	if err := cmp.Or(overLimit(window, class), routeErr, tokenErr); err != nil {
		WriteError(w, r, err)
		return
	}
	if call.large = e.arrival(r, call.operation, who.AccountID); call.large != nil {
		defer call.large.release()
	}
	body, err := call.check(w, r)
	if err != nil {
		WriteError(w, r, err)
		return
	}
	call.allowTime(w)
	ctx, cancel := call.context(r.Context(), who)
	defer cancel()
	e.answer(w, mux.SetURLVars(r.WithContext(ctx), call.vars), call, body)
}

// context returns what handlers get: who calls, and how long they have.
func (c call) context(ctx context.Context, who caller.Caller) (context.Context, context.CancelFunc) {
	ctx = caller.With(ctx, who)
	switch {
	case c.operation.class == ratelimit.Read:
		return context.WithTimeout(ctx, readingTime)
	case c.operation.binary: // the handler reads the body itself
		return context.WithTimeout(ctx, uploadTime+handlingTime)
	default:
		return context.WithTimeout(ctx, handlingTime)
	}
}

// answer runs the handler, or finds its earlier answer, and sends what it says.
func (e *edge) answer(w http.ResponseWriter, r *http.Request, c call, body []byte) {
	a := newAnswer(w)
	defer a.free()
	switch key := r.Header.Get("Idempotency-Key"); {
	case c.operation.class == ratelimit.Read:
		e.read(a, r, c)
	case key != "" && r.Method == http.MethodPost:
		e.answerOnce(a, r, c, idempotency.Request{
			AccountID: caller.From(r.Context()).AccountID, TokenID: caller.From(r.Context()).TokenID,
			Key: bareKey(key), Hash: hashRequest(r, body),
		})
	default:
		c.handler.ServeHTTP(a, r)
	}
	a.send(r)
}

// read runs a handler that only reads, as soon as its account may have one more of them running.
func (e *edge) read(a *answer, r *http.Request, c call) {
	held, err := e.reads.acquire(r.Context(), caller.From(r.Context()).AccountID)
	if err != nil {
		WriteError(a, r, err)
		return
	}
	defer held.Release()
	c.handler.ServeHTTP(a, r)
}
