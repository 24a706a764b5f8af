package cardvault

import (
	"crypto/tls"
	"net/http"
	"time"
)

const (
	firstPause     = 500 * time.Millisecond // the longest pause after the first attempt; it doubles with each
	longestPause   = 8 * time.Second
	busyPause      = 8 * time.Second // more while the service still works on an earlier attempt
	longestPatient = 2 * time.Minute // the longest Retry-After that is waited for
)

// retry says whether another attempt can help after the numbered one (from 1) has failed, and after what pause. Each
// request may be repeated: a POST carries its idempotency key.
func (c *Client) retry(attempt int, err error) (pause time.Duration, again bool) {
	if attempt > c.maxRetries {
		return 0, false
	}
	if failed, ok := as[*APIError](err); ok {
		if !temporary(failed, attempt) || failed.RetryAfter > longestPatient {
			return 0, false
		}
		least := failed.RetryAfter
		if failed.Status == http.StatusConflict {
			least = busyPause
		}
		return least + c.backoff(attempt), true
	}
	return c.backoff(attempt), unreachable(err)
}

// temporary says whether an answer may be another one soon. A key that is in use is so by an earlier attempt of the
// same call, where there was one, and will have that attempt's answer.
func temporary(e *APIError, attempt int) bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable:
		return true
	case http.StatusConflict:
		return e.Code == CodeIdempotencyConflict && attempt > 1
	}
	return false
}

// unreachable says whether there was no answer, for a reason that may pass.
func unreachable(err error) bool {
	if _, distrusted := as[*tls.CertificateVerificationError](err); distrusted {
		return false
	}
	_, timeout := as[*TimeoutError](err)
	_, broken := as[*ConnectionError](err)
	return timeout || broken
}

// backoff is a random part of a pause that doubles with each attempt, so that clients which failed together come back
// apart.
func (c *Client) backoff(attempt int) time.Duration {
	limit := longestPause
	if doubled := firstPause << min(attempt-1, 10); doubled < limit {
		limit = doubled
	}
	return c.jitter(limit + 1)
}
