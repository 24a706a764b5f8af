package photos

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
)

var (
	noon      = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	accountID = id.New(id.Account, noon)
	photoID   = id.New(id.Photo, noon)
)

// addresses returns the URLs that secret signs.
func addresses(t testing.TB, base, secret string) *URLs {
	t.Helper()
	u, err := NewURLs(base, []byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

var longSecret = strings.Repeat("s", minSecret)

func TestURLs_AreStableForOneDayAndValidForTwo(t *testing.T) {
	t.Parallel()
	u := addresses(t, "https://cards.example.com/api/", longSecret)
	prefix := "https://cards.example.com/api/photos/" + accountID + "/" + photoID + ".png?expires=1795305600&signature="
	if got := u.For(accountID, photoID, PNG, noon); !strings.HasPrefix(got, prefix) {
		t.Errorf("For = %s, want %s…", got, prefix)
	}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(1_700_000_000, 4_000_000_000).Draw(t, "at"), 0)
		expires := expiryOf(t, u.For(accountID, photoID, JPEG, at))
		if left := expires.Sub(at); left <= 24*time.Hour || left > 48*time.Hour {
			t.Fatalf("a URL of %s is valid for %s, want 24 to 48 hours", at, left)
		}
		later := at.Add(time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "later")))
		same := u.For(accountID, photoID, JPEG, at) == u.For(accountID, photoID, JPEG, later)
		if sameDay := at.Unix()/86400 == later.Unix()/86400; same != sameDay {
			t.Fatalf("the URLs of %s and %s are equal: %v, want %v", at, later, same, sameDay)
		}
	})
}

// expiryOf returns the expiry time in a URL.
func expiryOf(t *rapid.T, address string) time.Time {
	_, rest, _ := strings.Cut(address, "expires=")
	digits, _, _ := strings.Cut(rest, "&")
	expires, err := time.ParseDuration(digits + "s")
	if err != nil {
		t.Fatal(err)
	}
	return time.Unix(int64(expires/time.Second), 0)
}

// During a rotation, URLs signed by the old secret are valid, and new URLs are signed by the new secret.
func TestURLs_OutliveRotatedSecret(t *testing.T) {
	t.Parallel()
	oldSecret, newSecret := []byte(strings.Repeat("o", minSecret)), []byte(strings.Repeat("n", minSecret))
	urls := func(secrets ...[]byte) *URLs {
		u, err := NewURLs("https://example.com", secrets...)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	before, during, after := urls(oldSecret), urls(newSecret, oldSecret), urls(newSecret)
	oldURL, newURL := before.For(accountID, photoID, JPEG, noon), during.For(accountID, photoID, JPEG, noon)
	for name, tc := range map[string]struct {
		urls    *URLs
		address string
		want    bool
	}{
		"old URL during": {during, oldURL, true},
		"new URL during": {during, newURL, true},
		"new URL after":  {after, newURL, true},
		"old URL after":  {after, oldURL, false},
		"new URL before": {before, newURL, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := verified(t, tc.urls, tc.address); got != tc.want {
				t.Errorf("%s: verified is %v, want %v", tc.address, got, tc.want)
			}
		})
	}
}

// verified reports whether the signature of a URL of the test's photo is valid.
func verified(t *testing.T, u *URLs, address string) bool {
	t.Helper()
	parsed, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	expires, err := strconv.ParseInt(parsed.Query().Get("expires"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return u.verify(accountID, photoID, Extension(JPEG), expires, parsed.Query().Get("signature"))
}

func TestURLs_RequireLongSecret(t *testing.T) {
	t.Parallel()
	if _, err := NewURLs("https://example.com", make([]byte, minSecret-1)); err == nil {
		t.Error("NewURLs accepts a short secret")
	}
}

// photoServer returns a handler with a store of one photo, its URLs and its clock.
func photoServer(t *testing.T) (*Handler, *URLs, *time.Time) {
	t.Helper()
	store, urls, now := open(t, t.TempDir()), addresses(t, "http://localhost/api", longSecret), noon
	if err := store.Put(context.Background(), Key(accountID, photoID, JPEG), JPEG, []byte("the photo")); err != nil {
		t.Fatal(err)
	}
	h := NewHandler(urls, store, func(w http.ResponseWriter, _ *http.Request, err error) {
		known, _ := fault.As(err)
		http.Error(w, known.Message, known.Status())
	})
	h.now = func() time.Time { return now }
	return h, urls, &now
}

// serve returns the response to a request with the given headers, as pairs of name and value.
func serve(h http.Handler, method, address string, header ...string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(method, address, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	h.ServeHTTP(w, r)
	return w
}

func TestHandler_ServesPhoto(t *testing.T) {
	t.Parallel()
	h, urls, _ := photoServer(t)
	address := urls.For(accountID, photoID, JPEG, noon)
	for method, body := range map[string]string{http.MethodGet: "the photo", http.MethodHead: ""} {
		w := serve(h, method, address)
		if w.Code != http.StatusOK || w.Body.String() != body {
			t.Errorf("%s: status %d, body %q, want 200 and %q", method, w.Code, w.Body, body)
		}
		for name, want := range map[string]string{
			"Content-Type": JPEG, "Content-Length": "9", "ETag": `"` + photoID + `"`,
			"X-Content-Type-Options": "nosniff", "Cache-Control": "private, immutable, max-age=129600",
			"Content-Security-Policy": "default-src 'none'; sandbox",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", method, name, got, want)
			}
		}
	}
	for header, want := range map[string]int{
		`"` + photoID + `"`: http.StatusNotModified, `"x", W/"` + photoID + `"`: http.StatusNotModified,
		"*": http.StatusNotModified, `"x"`: http.StatusOK,
	} {
		w := serve(h, http.MethodGet, address, "If-None-Match", header)
		if w.Code != want || want == http.StatusNotModified && w.Body.Len() > 0 {
			t.Errorf("If-None-Match %s: status %d with %d bytes, want %d", header, w.Code, w.Body.Len(), want)
		}
	}
	w := serve(h, http.MethodPost, address)
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: status %d, Allow %q, want 405 and GET, HEAD", w.Code, w.Header().Get("Allow"))
	}
}

// Every invalid URL gets the same response, whether or not the photo exists.
func TestHandler_HidesWhyURLIsInvalid(t *testing.T) {
	t.Parallel()
	h, urls, now := photoServer(t)
	good := urls.For(accountID, photoID, JPEG, noon)
	other, account2 := id.New(id.Photo, noon), id.New(id.Account, noon)
	parsed, _ := url.Parse(good)
	otherSecret := addresses(t, "http://localhost/api", strings.Repeat("t", minSecret))
	bad := map[string]string{
		"missing photo":     urls.For(accountID, other, JPEG, noon),
		"other photo":       strings.Replace(good, photoID, other, 1),
		"other account":     strings.Replace(good, accountID, account2, 1),
		"other extension":   strings.Replace(good, ".jpg", ".png", 1),
		"no extension":      strings.Replace(good, ".jpg", "", 1),
		"later expiry":      strings.Replace(good, "expires=1", "expires=2", 1),
		"no expiry":         strings.Replace(good, "expires", "x", 1),
		"no signature":      strings.Replace(good, "signature", "x", 1),
		"shorter signature": good[:len(good)-1],
		"longer signature":  good + "A",
		"other secret":      otherSecret.For(accountID, photoID, JPEG, noon),
		"no query":          "http://localhost" + parsed.Path,
		"no segments":       "http://localhost/?" + parsed.RawQuery,
		"traversal":         strings.Replace(good, accountID, "..%2f..", 1),
	}
	want := serve(h, http.MethodGet, "http://localhost/api/photos/x/y.jpg")
	for name, address := range bad {
		got := serve(h, http.MethodGet, address)
		if got.Code != http.StatusNotFound || got.Body.String() != want.Body.String() ||
			got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, body %q, want 404, %q and no-store", name, got.Code, got.Body, want.Body)
		}
	}
	*now = noon.Add(36*time.Hour - time.Second)
	w := serve(h, http.MethodGet, good)
	if w.Code != http.StatusOK || !strings.HasSuffix(w.Header().Get("Cache-Control"), "max-age=1") {
		t.Errorf("one second before expiry: status %d, want 200 and max-age=1", w.Code)
	}
	*now = noon.Add(36 * time.Hour)
	w = serve(h, http.MethodGet, good)
	if w.Code != http.StatusNotFound || !bytes.Equal(w.Body.Bytes(), want.Body.Bytes()) {
		t.Errorf("expired: status %d, body %q, want 404 and %q", w.Code, w.Body, want.Body)
	}
}

func BenchmarkURLsFor(b *testing.B) {
	u := addresses(b, "https://cards.example.com/api", longSecret)
	b.ReportAllocs()
	for b.Loop() {
		u.For(accountID, photoID, JPEG, noon)
	}
}
