// Package portal serves the documentation at /docs: the guides of openapi/guides, the API reference with a client to
// send requests, and a search through both. Parts that repeat the contract are generated from it. Each page is also
// served as Markdown, and /llms.txt lists these pages for programs that read them.
//
// Everything is rendered once from embedded files. Pages load nothing from other origins and run only the portal's own
// scripts; a Content-Security-Policy enforces this. The package reads no accounts and no tokens: the browser sends
// requests of the reference directly to the API.
package portal

import (
	"cmp"
	"net/http"
	"strings"
	"sync"

	"github.com/cardvault/cardvault/internal/fault"
)

// Serves reports whether the portal serves a path: /docs, /docs.md, a path below /docs, or /llms.txt.
func Serves(path string) bool {
	return path == root || strings.HasPrefix(path, root+"/") || path == markdownPath(root) || path == llmsPath
}

// Portal serves the paths that Serves names.
type Portal struct {
	refuse func(w http.ResponseWriter, r *http.Request, err error)
}

// New returns the portal. refuse writes an error response in the format of the API.
func New(refuse func(http.ResponseWriter, *http.Request, error)) *Portal { return &Portal{refuse} }

// published renders the site on the first request, because rendering takes 0.3 s and would delay the start. An error
// would also fail the tests, which render the same embedded files.
var published = sync.OnceValues(newSite)

const (
	root         = "/docs"
	llmsPath     = "/llms.txt"
	typeHTML     = "text/html; charset=utf-8"
	typeMarkdown = "text/markdown; charset=utf-8"
	typeText     = "text/plain; charset=utf-8"
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
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable") // the path contains a hash or a version
		asset.ServeHTTP(w, r)
		return
	}
	setSecurityHeaders(w.Header(), r.URL.Path)
	if document := cmp.Or(site.pages[r.URL.Path], site.texts[r.URL.Path]); document != nil {
		w.Header().Set("Cache-Control", "no-cache") // clients revalidate a cached page
		document.ServeHTTP(w, r)
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

// search renders the results as a page, so that search works without scripts.
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
	_, _ = w.Write(html) // fails only if the client has disconnected
}

// The policy of pages: they may load the portal's own files and call this service, nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// The component of the reference writes inline styles. They are allowed on this page only; inline scripts are not.
var referencePolicy = strings.Replace(policy, "style-src 'self'", "style-src 'self' 'unsafe-inline'", 1)

// setSecurityHeaders sets the security headers of pages.
func setSecurityHeaders(h http.Header, path string) {
	h.Set("Content-Security-Policy", policy)
	if path == referencePath {
		h.Set("Content-Security-Policy", referencePolicy)
	}
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
}
