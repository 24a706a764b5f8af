// Package portal is the documentation at /docs: guides written in openapi/guides, the reference of the API with requests
// to try, and a search through both. What repeats the contract is generated from it, so that it cannot differ.
//
// Everything is rendered once, out of what is embedded in the program. Pages load nothing from elsewhere and run no
// script but the portal's own; a content security policy makes browsers hold them to that. The package knows no account
// and reads no token: a request that is tried goes from the browser to the API itself.
package portal

import (
	"net/http"
	"strings"
	"sync"

	"github.com/cardvault/cardvault/internal/fault"
)

// Portal serves /docs and what is below it.
type Portal struct {
	refuse func(w http.ResponseWriter, r *http.Request, err error)
}

// New returns the portal. refuse answers, in the API's shape of errors, a request that is none for documentation.
func New(refuse func(http.ResponseWriter, *http.Request, error)) *Portal { return &Portal{refuse} }

// published is rendered when somebody first asks for a page, which takes a fifth of a second that a start should not.
// The tests render it too: what is embedded either always works or never.
var published = sync.OnceValues(newSite)

const (
	root     = "/docs"
	typeHTML = "text/html; charset=utf-8"
)

// ServeHTTP implements http.Handler.
func (p *Portal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	site, err := published()
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		p.refuse(w, r, fault.New(fault.MethodNotAllowed, "Documentation is for reading: use GET."))
		return
	}
	if asset, ok := site.assets[r.URL.Path]; ok {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable") // other bytes have another address
		asset.ServeHTTP(w, r)
		return
	}
	protect(w.Header(), r.URL.Path)
	if page, ok := site.pages[r.URL.Path]; ok {
		w.Header().Set("Cache-Control", "no-cache") // keep it, and ask each time whether it is still the same
		page.ServeHTTP(w, r)
		return
	}
	switch clean := strings.TrimRight(r.URL.Path, "/"); {
	case r.URL.Path == searchPath:
		p.search(w, r, site)
	case site.pages[clean] != nil:
		http.Redirect(w, r, clean, http.StatusPermanentRedirect)
	default:
		write(w, http.StatusNotFound, site.notFound)
	}
}

// search answers a search with a page, so that it works without scripts.
func (p *Portal) search(w http.ResponseWriter, r *http.Request, site *site) {
	html, err := site.search(r.URL.Query().Get("q"))
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	write(w, http.StatusOK, html)
}

func write(w http.ResponseWriter, status int, html []byte) {
	w.Header().Set("Content-Type", typeHTML)
	w.WriteHeader(status)
	_, _ = w.Write(html) // a client that has gone is no fault of anybody's
}

// What pages may do: load the portal's own files and talk to this service, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// The reference's component writes its styles into the page. That is for this page alone, and not for scripts.
var referencePolicy = strings.Replace(policy, "style-src 'self'", "style-src 'self' 'unsafe-inline'", 1)

// protect sets the headers of pages.
func protect(h http.Header, path string) {
	h.Set("Content-Security-Policy", policy)
	if path == referencePath {
		h.Set("Content-Security-Policy", referencePolicy)
	}
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}
