package delivery

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Limits on the response body, in bytes. The engine reads up to maxResponseRead and stores the first
// maxResponseStored.
const (
	maxResponseRead   = 64 << 10
	maxResponseStored = 4 << 10
)

// Classes of attempts. An attempt without a response has one of netguard's classes or one of these.
const (
	classSuccess  = ""
	classStatus   = "status"   // the response status is not 2xx
	classCanceled = "canceled" // canceled by Stop; not counted as an attempt
	// classEventExpired means that the event is no longer kept, so there is nothing to send. Its text is stored and
	// shown to clients. The response status 410 (Gone) has classStatus.
	classEventExpired = "gone"
)

// ErrorEndpointDeleted is the last_error of deliveries that are dropped because their endpoint was deleted.
const ErrorEndpointDeleted = "endpoint deleted"

// ErrorEndpointDisabled is the last_error of deliveries that are dropped because their endpoint stayed disabled.
const ErrorEndpointDisabled = "endpoint disabled for 90 days"

// messages maps a class to the last_error of its deliveries. The texts of network errors are not shown because they
// can contain names and addresses of the service's own network.
var messages = map[string]string{
	string(netguard.ClassForbidden): "forbidden: the address leads to a network that is not public",
	string(netguard.ClassDNS):       "dns: the name does not resolve",
	string(netguard.ClassTimeout):   "timeout: no complete answer in time",
	string(netguard.ClassTLS):       "tls: no secure connection, check certificate and protocol version",
	string(netguard.ClassConnect):   "connect: the connection could not be made, or broke",
	string(netguard.ClassOther):     "other: the answer was not understood",
	classEventExpired:               "gone: the event is no longer kept",
}

// Message returns the last_error of deliveries whose attempt failed without a response, by the attempt's class.
func Message(class string) string { return cmp.Or(messages[class], class) }

// outcome says what happens to a delivery after an attempt.
type outcome int

const (
	outcomeDelivered outcome = iota
	outcomeRetried
	outcomeDropped
	outcomeReleased
)

// result describes a finished attempt and its outcome.
type result struct {
	job      *job
	started  time.Time
	duration time.Duration
	status   int    // HTTP status of the response; 0 if there is none
	class    string // classSuccess, classStatus, classCanceled, classEventExpired or one of netguard's
	fault    string // the problem with TLS, for netguard.ClassTLS
	response []byte
	outcome  outcome
	retryAt  time.Time // start of the next attempt, by this process's monotonic clock; only for outcomeRetried
}

// attempt sends the delivery once and decides its outcome.
func (e *Engine) attempt(t *target, j *job) result {
	r := result{job: j, started: e.clock.Time()}
	start := time.Now()
	ctx, span := e.traceAttempt(t, j)
	if j.body == "" {
		r.class = classEventExpired
	} else {
		e.sendRequest(ctx, t, &r)
	}
	r.duration = time.Since(start)
	r.setOutcome(e.cfg.RetryDelays, time.Now(), rand.Float64())
	r.endSpan(span)
	return r
}

// setOutcome sets the outcome and, for a retry, the time of the next attempt. The delay is counted from end, the end
// of this attempt. jitter, from 0 to 1, adds up to 10 % to it, so a retry is never early.
func (r *result) setOutcome(delays []time.Duration, end time.Time, jitter float64) {
	attempts := r.job.attempts + 1
	switch {
	case r.class == classCanceled:
		r.outcome = outcomeReleased
	case r.class == classSuccess:
		r.outcome = outcomeDelivered
	case r.class == classEventExpired || attempts > len(delays):
		r.outcome = outcomeDropped
	default:
		delay := delays[attempts-1]
		r.outcome = outcomeRetried
		r.retryAt = end.Add(delay + time.Duration(float64(delay)*jitter/10))
	}
}

// message returns the delivery's last_error.
func (r *result) message() string {
	if r.class == classStatus {
		return "status: the answer was " + strconv.Itoa(r.status)
	}
	if r.fault != "" {
		return r.class + ": " + r.fault
	}
	return messages[r.class]
}

// sendRequest sends the request of the result's job and reads the response within Config.Timeout. It sets the status,
// the response, the class and the fault.
func (e *Engine) sendRequest(ctx context.Context, t *target, r *result) {
	ctx, cancel := context.WithTimeout(ctx, e.cfg.Timeout)
	defer cancel()
	req, err := newRequest(ctx, t, r.job, r.started)
	if err != nil {
		r.class = string(netguard.ClassOther)
		return
	}
	res, err := e.client.Do(req)
	if err == nil {
		r.status = res.StatusCode
		r.response, err = readResponse(res.Body)
		res.Body.Close()
	}
	switch {
	case err != nil && errors.Is(e.sendCtx.Err(), context.Canceled):
		r.status, r.response, r.class = 0, nil, classCanceled
	case err != nil:
		r.class = string(netguard.Classify(err))
		if r.class == string(netguard.ClassTLS) {
			r.fault = netguard.TLSFault(err)
		}
	case r.status < 200 || r.status > 299:
		r.class = classStatus
	}
}

// newRequest builds the request. Each attempt has a signature of its own time; the body never changes.
func newRequest(ctx context.Context, t *target, j *job, at time.Time) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.url, strings.NewReader(j.body))
	if err != nil {
		return nil, err
	}
	signature := webhooks.AppendSignatures(make([]byte, 0, 160), at.Unix(), []byte(j.body), t.keys(at)...)
	req.Header = http.Header{
		webhooks.Header:            {string(signature)},
		"X-Vault-Event":            {j.event},
		"X-Vault-Event-Id":         {j.eventID},
		"X-Vault-Delivery-Attempt": {strconv.Itoa(j.attempts + 1)},
		"Content-Type":             {"application/json"},
		"User-Agent":               {"CardVault-Webhooks/1"},
	}
	return req, nil
}

// readResponse reads the response body and returns its beginning. It reads more than it returns because a connection
// can only be reused if its response was read to the end. It returns an error if the body is incomplete.
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
