package cardvault

import (
	"crypto/tls"
	"net/http"
	"time"
)

const (
	firstPause    = 500 * time.Millisecond // the maximum pause after the first attempt; it doubles with each attempt
	maxPause      = 8 * time.Second
	busyPause     = 8 * time.Second // added while the service still processes an earlier attempt
	maxRetryAfter = 2 * time.Minute // the maximum Retry-After for which the client waits
	rateWindow    = time.Minute     // the length of a window of the rate limit
)

// retry reports whether to send a request again after attempt, numbered from 1, failed with err, and after what pause.
// It is safe to repeat any request, because a POST has an idempotency key.
func (c *Client) retry(attempt int, err error) (pause time.Duration, retry bool) {
	if attempt > c.maxRetries {
		return 0, false
	}
	if failed, ok := as[*APIError](err); ok {
		if !temporary(failed, attempt) || failed.RetryAfter > maxRetryAfter {
			return 0, false
		}
		if failed.exceedsLimit {
			return 0, true // the throttle delays the next attempt
		}
		least := failed.RetryAfter
		if failed.Status == http.StatusConflict {
			least = busyPause
		}
		return least + c.backoff(attempt), true
	}
	return c.backoff(attempt), unreachable(err)
}

// temporary reports whether a later attempt may succeed. If an idempotency key is in use and there was an earlier
// attempt, that attempt uses it, and a later one gets its response.
func temporary(e *APIError, attempt int) bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable:
		return true
	case http.StatusConflict:
		return e.Code == CodeIdempotencyConflict && attempt > 1
	}
	return false
}

// unreachable reports whether there was no response, for a reason that may be temporary.
func unreachable(err error) bool {
	if _, distrusted := as[*tls.CertificateVerificationError](err); distrusted {
		return false
	}
	_, timeout := as[*TimeoutError](err)
	_, broken := as[*ConnectionError](err)
	return timeout || broken
}

// backoff returns a random pause up to a limit that doubles with each attempt. It is random so that clients whose
// requests failed at the same time do not retry at the same time.
func (c *Client) backoff(attempt int) time.Duration {
	limit := maxPause
	if doubled := firstPause << min(attempt-1, 10); doubled < limit {
		limit = doubled
	}
	return c.jitter(limit + 1)
}
