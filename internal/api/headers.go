package api

import "net/http"

// setSecurityHeaders sets the headers that every response has.
func setSecurityHeaders(h http.Header, requestID string) {
	h.Set("X-Request-Id", requestID)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
}
