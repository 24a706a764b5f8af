package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// limits are the default limits of a token, in requests a minute. All are different, so that a response shows the class
// of its request.
var limits = map[cardvault.RateClass]int{
	cardvault.RateClassRead: 60, cardvault.RateClassWrite: 20, cardvault.RateClassAI: 5,
}

// counter counts the requests that it sends, by class.
type counter struct {
	next     http.RoundTripper
	mu       sync.Mutex
	requests map[cardvault.RateClass]int
}

// reset returns the requests since the last reset.
func (c *counter) reset() map[cardvault.RateClass]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	counted := c.requests
	c.requests = map[cardvault.RateClass]int{}
	return counted
}

// RoundTrip sends a request and counts it. It fails if the service counted the request in another class, or with other
// limits than the default ones.
func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	class := classOf(r)
	c.mu.Lock()
	c.requests[class]++
	c.mu.Unlock()
	response, err := c.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if limit := response.Header.Get("X-RateLimit-Limit"); limit != strconv.Itoa(limits[class]) {
		response.Body.Close()
		return nil, fmt.Errorf("%s %s has a limit of %q requests a minute, want %d: TOKEN must have the default limits",
			r.Method, r.URL.Path, limit, limits[class])
	}
	return response, nil
}

// classOf returns the class of a request.
func classOf(r *http.Request) cardvault.RateClass {
	switch {
	case r.Method == http.MethodGet:
		return cardvault.RateClassRead
	case strings.HasSuffix(r.URL.Path, "/identify"), strings.HasSuffix(r.URL.Path, "/price-lookup"):
		return cardvault.RateClassAI
	}
	return cardvault.RateClassWrite
}
