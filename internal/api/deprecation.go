package api

import (
	"fmt"
	"net/http"
	"time"
)

// Deprecation announces the end of a version of the API to its clients. The zero value announces nothing.
//
// It is announced from the moment it is known, not from Since on: the header's time may lie in the future
// (RFC 9745, section 2), and clients gain by what they hear early.
type Deprecation struct {
	Since  time.Time // when a newer version took over, or will
	Sunset time.Time // when this one may be gone; not before Since
	// Guide is the address of the page that says what to do; Successor is where the newer version is served.
	Guide, Successor string
}

// header returns what every answer of the version carries, keyed as net/http keeps names. It is
// shared by all answers and must not be changed.
func (d Deprecation) header() http.Header {
	if d.Since.IsZero() {
		return nil
	}
	link := fmt.Sprintf(`<%s>; rel="deprecation"; type="text/html", <%s>; rel="sunset"; type="text/html", <%s>; rel="successor-version"`,
		d.Guide, d.Guide, d.Successor)
	return http.Header{
		"Deprecation": {fmt.Sprintf("@%d", d.Since.Unix())},     // RFC 9745: a date of RFC 9651
		"Sunset":      {d.Sunset.UTC().Format(http.TimeFormat)}, // RFC 8594
		"Link":        {link},                                   // RFC 8288; the relations are of RFC 9745, 8594 and 5829
	}
}

// announce adds to an answer's headers what the version of the request's address says of its own end.
func (rs *routes) announce(h http.Header, r *http.Request) {
	v, _ := rs.owner(r.URL.Path)
	for name, values := range v.deprecation {
		h[name] = values
	}
}
