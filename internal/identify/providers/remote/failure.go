package remote

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/netguard"
)

// ErrDeclined means that a model did not want to answer about the photo.
var ErrDeclined = errors.New("the model declined to answer")

// failure describes why a call failed.
type failure struct {
	outcome string // for metrics
	message string // for clients
	detail  string // for the operator's log; it has neither keys nor addresses nor what the company responded
	wait    time.Duration
	// blames says that the failure is one of the company, which counts in the breaker.
	blames bool
}

// rejectedKey is how long the breaker stays open after a key was refused, which a second attempt does not change.
const rejectedKey = time.Minute

// describe returns the failure of a call from what the transport saw of it.
func describe(ctx context.Context, name string, e *exchange, err error) failure {
	f := failure{blames: true}
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		f = failure{outcome: "canceled", message: "The call was ended.", detail: "canceled"}
	case ctx.Err() != nil:
		f.outcome, f.detail, f.message = "timeout", "timeout", name+" did not answer in time."
	case e.tooLarge.Load():
		f.outcome, f.detail = "bad_answer", errTooLarge.Error()
		f.message = name + " answered with more than an identification can be."
	case e.status >= http.StatusMultipleChoices:
		return refused(name, e)
	case errors.Is(err, ErrDeclined):
		f = failure{outcome: "declined", detail: ErrDeclined.Error()}
		f.message = name + " declined to answer about the photo."
	case errors.Is(err, ErrBadAnswer):
		f.outcome, f.detail, f.message = "bad_answer", err.Error(), name+" gave an answer that is no identification."
	case e.status != 0:
		f.outcome, f.detail = "bad_answer", "the response is incomplete or malformed"
		f.message = name + " gave an incomplete or malformed answer."
	default:
		f.outcome, f.detail = "network", "network: "+string(netguard.Classify(err))
		f.message = name + " could not be reached."
	}
	return f
}

// refused returns the failure of a call whose response has a status other than 2xx.
func refused(name string, e *exchange) failure {
	f := failure{outcome: "refused", detail: fmt.Sprint("status ", e.status), blames: true}
	switch status := e.status; {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		f.outcome, f.wait = "unauthorized", rejectedKey
		f.message = name + " refused the key of this server. Its operator must check it."
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable && e.retryAfter > 0:
		f.outcome, f.wait = "rate_limited", e.retryAfter
		if f.wait == 0 {
			f.wait = breakTime
		}
		f.message = name + " gets too many requests at the moment."
	case status >= http.StatusInternalServerError, status == http.StatusRequestTimeout:
		f.outcome, f.message = "unavailable", name+" does not work at the moment."
	case status < http.StatusBadRequest:
		f.message = name + " is at another address. The operator must check it."
	default:
		f.message = fmt.Sprintf("%s refused the request (status %d).", name, status)
	}
	return f
}

// fault returns the error of the failure.
func (f failure) fault(name string) error {
	return fault.New(fault.UpstreamError, "%s", f.message).WithCause(fmt.Errorf("%s: %s", name, f.detail))
}
