package web

import (
	"net/http"
	"net/netip"
	"net/url"
)

// Handler responds to a request or returns an error, which is shown as a page.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Handle returns the HTTP handler of a page.
func (frame *Frame) Handle(h Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			frame.Fail(w, r, err)
		}
	})
}

// Asset serves a file of the dashboard. Its path contains a hash of the content.
func (frame *Frame) Asset(w http.ResponseWriter, r *http.Request) {
	asset, ok := frame.Templates.assets[r.URL.Path]
	if !ok {
		frame.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	asset.ServeHTTP(w, r)
}

// MaxForm is the maximum size of a form without files.
const MaxForm = 256 << 10

// isLocal reports whether a URL leads to this machine, where browsers use no TLS.
func isLocal(public string) bool {
	u, err := url.Parse(public)
	if err != nil || u.Scheme != "http" {
		return false
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && address.IsLoopback()
}
