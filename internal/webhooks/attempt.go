package webhooks

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/netguard"
)

// What is read and kept of an answer's body, in bytes.
const (
	maxResponseRead   = 64 << 10
	maxResponseStored = 4 << 10
)

// Classes of outcomes beside netguard's for exchanges that brought no answer.
const (
	classSuccess   = ""
	classStatus    = "status" // an answer that is not 2xx
	classCanceled  = "cut"    // cut off by Stop: not an attempt
	classEventGone = "gone"   // the event was not found, so there is nothing to send
)

// ErrorEndpointDeleted is the last_error of deliveries dropped because their endpoint was deleted.
const ErrorEndpointDeleted = "endpoint deleted"

// ErrorEndpointDisabled is the last_error of deliveries dropped because their endpoint stayed disabled.
const ErrorEndpointDisabled = "endpoint disabled for 90 days"

// messages are the last_error of each class. Network errors' own texts are not shown: they can
// name what only the service's network knows.
var messages = map[string]string{
	string(netguard.ClassForbidden): "forbidden: the address leads to a network that is not public",
	string(netguard.ClassDNS):       "dns: the name does not resolve",
	string(netguard.ClassTimeout):   "timeout: no complete answer in time",
	string(netguard.ClassTLS):       "tls: no secure connection, check certificate and protocol version",
	string(netguard.ClassConnect):   "connect: the connection could not be made, or broke",
	string(netguard.ClassOther):     "other: the answer was not understood",
	classEventGone:                  "gone: the event is no longer kept",
}

// state is what becomes of a delivery.
type outcome int

const (
	outcomeDelivered outcome = iota
	outcomeRetried
	outcomeDropped
	outcomeReleased
)

// result is an attempt that was made and what follows from it.
type result struct {
	job      *job
	started  time.Time
	duration time.Duration
	status   int    // of the answer; 0: none
	class    string // classSuccess, classStatus, classCut or one of netguard's
	response []byte
	outcome  outcome
	retryAt  time.Time // of a retried one, by this process's monotonic clock
}

// attempt makes one attempt and judges it.
func (e *Engine) attempt(t *target, j *job) result {
	r := result{job: j, started: e.clock.Time()}
	start := time.Now()
	ctx, span := e.traceAttempt(t, j)
	if j.body == "" {
		r.class = classEventGone
	} else {
		r.status, r.response, r.class = e.sendRequest(ctx, t, j, r.started)
	}
	r.duration = time.Since(start)
	r.setOutcome(e.cfg.RetryDelays, time.Now(), rand.Float64())
	r.endSpan(span)
	return r
}

// judge decides by what the attempt brought. The next one is counted from ended, the end of this
// one, and never comes earlier than its delay; spread, from 0 to 1, makes it up to a tenth later.
func (r *result) setOutcome(delays []time.Duration, end time.Time, jitter float64) {
	attempts := r.job.attempts + 1
	switch {
	case r.class == classCanceled:
		r.outcome = outcomeReleased
	case r.class == classSuccess:
		r.outcome = outcomeDelivered
	case r.class == classEventGone || attempts > len(delays):
		r.outcome = outcomeDropped
	default:
		delay := delays[attempts-1]
		r.outcome = outcomeRetried
		r.retryAt = end.Add(delay + time.Duration(float64(delay)*jitter/10))
	}
}

// message is the delivery's last_error.
func (r *result) message() string {
	if r.class == classStatus {
		return "status: the answer was " + strconv.Itoa(r.status)
	}
	return messages[r.class]
}

// exchange sends the delivery and reads the answer, all within the timeout.
func (e *Engine) sendRequest(ctx context.Context, t *target, j *job, at time.Time) (status int, response []byte, class string) {
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Timeout)
	defer cancel()
	req, err := newRequest(ctx, t, j, at)
	if err != nil {
		return 0, nil, string(netguard.ClassOther)
	}
	res, err := e.client.Do(req)
	if err == nil {
		status = res.StatusCode
		response, err = readResponse(res.Body)
		res.Body.Close()
	}
	switch {
	case err != nil && errors.Is(e.sendCtx.Err(), context.Canceled):
		return 0, nil, classCanceled
	case err != nil:
		return status, response, string(netguard.Classify(err))
	case status < 200 || status > 299:
		return status, response, classStatus
	}
	return status, response, classSuccess
}

// newRequest renders the request. The signature is made anew for each attempt; the body never is.
func newRequest(ctx context.Context, t *target, j *job, at time.Time) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, strings.NewReader(j.body))
	if err != nil {
		return nil, err
	}
	signature := appendSignatures(make([]byte, 0, 160), at.Unix(), []byte(j.body), t.keys(at)...)
	req.Header = http.Header{
		Header:                     {string(signature)},
		"X-Vault-Event":            {j.event},
		"X-Vault-Event-Id":         {j.eventID},
		"X-Vault-Delivery-Attempt": {strconv.Itoa(j.attempts + 1)},
		"Content-Type":             {"application/json"},
		"User-Agent":               {"CardVault-Webhooks/1"},
	}
	return req, nil
}

// readAnswer reads as much of the body as leaves the connection reusable for all but unusual
// receivers, and keeps its beginning. The error is that of a body that broke off or dripped.
func readResponse(body io.Reader) ([]byte, error) {
	kept := &strings.Builder{}
	if _, err := io.CopyN(kept, body, maxResponseStored); err != nil {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return []byte(kept.String()), err
	}
	_, err := io.CopyN(io.Discard, body, maxResponseRead-maxResponseStored)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return []byte(kept.String()), err
}
