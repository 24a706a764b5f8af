package photos

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
)

// Handler serves photos at the URLs that URLs creates. It uses the last two segments of the path, so it can
// be mounted below any prefix.
//
// The response is the same for a wrong signature, an expired URL and a missing photo. The store is read only
// if the signature is valid.
type Handler struct {
	urls  *URLs
	store Store
	fail  func(http.ResponseWriter, *http.Request, error)
	now   func() time.Time
}

// NewHandler returns a handler. fail writes an error response for PhotoNotFound, MethodNotAllowed or
// Unavailable.
func NewHandler(urls *URLs, store Store, fail func(http.ResponseWriter, *http.Request, error)) *Handler {
	return &Handler{urls: urls, store: store, fail: fail, now: time.Now}
}

// ServeHTTP handles GET and HEAD.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	header.Set("Cache-Control", "no-store") // replaced below if the request may read the photo
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		h.fail(w, r, fault.New(fault.MethodNotAllowed, "photos can only be read: use GET or HEAD"))
		return
	}
	photo, ok := h.authorise(r)
	if !ok {
		h.fail(w, r, errNoPhoto())
		return
	}
	body, meta, err := h.store.Get(r.Context(), photo.key)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	defer body.Close()
	header.Set("Cache-Control", "private, immutable, max-age="+strconv.FormatInt(photo.maxAge, 10))
	header.Set("ETag", photo.etag)
	if matches(r.Header.Get("If-None-Match"), photo.etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", photo.contentType)
	header.Set("Content-Length", strconv.FormatInt(meta.Size, 10))
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		// A failure here closes the connection before Content-Length is reached, which the client
		// detects.
		_, _ = io.Copy(w, body)
	}
}

// authorised is a photo that the request may read.
type authorised struct {
	key, contentType, etag string
	maxAge                 int64 // in seconds, until the URL expires
}

// authorise returns the photo of the URL if its signature is valid and it has not expired.
func (h *Handler) authorise(r *http.Request) (authorised, bool) {
	dir, name := cutLast(r.URL.Path, '/')
	_, account := cutLast(dir, '/')
	stem, extension := cutLast(name, '.')
	extension = "." + extension
	contentType := contentTypeOf(extension)
	accountID, okAccount := id.Parse(id.Account, account)
	photoID, okPhoto := id.Parse(id.Photo, stem)
	query := r.URL.Query()
	expires, err := strconv.ParseInt(query.Get("expires"), 10, 64)
	if contentType == "" || !okAccount || !okPhoto || err != nil {
		return authorised{}, false
	}
	maxAge := expires - h.now().Unix()
	if maxAge <= 0 || !h.urls.verify(accountID, photoID, extension, expires, query.Get("signature")) {
		return authorised{}, false
	}
	// The bytes of an id never change, so the id is the entity tag.
	return authorised{Key(accountID, photoID, contentType), contentType, `"` + photoID + `"`, maxAge}, true
}

// cutLast cuts s around the last separator. Without a separator, before is empty and after is s.
func cutLast(s string, separator byte) (before, after string) {
	i := strings.LastIndexByte(s, separator)
	return s[:max(i, 0)], s[i+1:]
}

// matches compares an If-None-Match header weakly (RFC 9110 section 13.1.2).
func matches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		if tag = strings.TrimSpace(tag); tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
			return true
		}
	}
	return false
}
