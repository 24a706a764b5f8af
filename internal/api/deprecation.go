package api

import (
	"fmt"
	"net/http"
	"time"
)

// Deprecation describes when a version of the API is deprecated and removed. The zero value means that it is not
// deprecated.
//
// The headers are sent as soon as Deprecation is set, not only from Since on: the time in the header may be in the
// future (RFC 9745, section 2), so that clients can prepare early.
type Deprecation struct {
	Since  time.Time // when the version is superseded by a newer one
	Sunset time.Time // when the version may be removed; not before Since
	// Guide is the URL of the migration guide; Successor is the URL of the newer version.
	Guide, Successor string
}

// header returns the headers of all responses of the version, with canonical names. The responses share them, so they
// must not be modified.
func (d Deprecation) header() http.Header {
	if d.Since.IsZero() {
		return nil
	}
	link := fmt.Sprintf(`<%s>; rel="deprecation"; type="text/html", `+
		`<%s>; rel="sunset"; type="text/html", <%s>; rel="successor-version"`, d.Guide, d.Guide, d.Successor)
	return http.Header{
		"Deprecation": {fmt.Sprintf("@%d", d.Since.Unix())},     // RFC 9745, with a date as in RFC 9651
		"Sunset":      {d.Sunset.UTC().Format(http.TimeFormat)}, // RFC 8594
		"Link":        {link},                                   // RFC 8288; relations: RFC 9745, 8594, 5829
	}
}

// setDeprecationHeaders sets the deprecation headers of the version that the request's path belongs to.
func (rs *routes) setDeprecationHeaders(h http.Header, r *http.Request) {
	v, _ := rs.owner(r.URL.Path)
	for name, values := range v.deprecation {
		h[name] = values
	}
}
