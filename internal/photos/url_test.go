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
	if got := u.For(accountID, photoID, PNG, noon); !strings.HasPrefix(got, "https://cards.example.com/api/photos/"+accountID+"/"+photoID+".png?expires=1795305600&signature=") {
		t.Errorf("got %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(1_700_000_000, 4_000_000_000).Draw(t, "at"), 0)
		expires := expiryOf(t, u.For(accountID, photoID, JPEG, at))
		if left := expires.Sub(at); left <= 24*time.Hour || left > 48*time.Hour {
			t.Fatalf("an address of %s lives %s", at, left)
		}
		later := at.Add(time.Duration(rapid.Int64Range(0, int64(24*time.Hour)).Draw(t, "later")))
		same := u.For(accountID, photoID, JPEG, at) == u.For(accountID, photoID, JPEG, later)
		if sameDay := at.Unix()/86400 == later.Unix()/86400; same != sameDay {
			t.Fatalf("%s and %s: same address %v", at, later, same)
		}
	})
}

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
	made := func(secrets ...[]byte) *URLs {
		u, err := NewURLs("https://example.com", secrets...)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	before, during, after := made(oldSecret), made(newSecret, oldSecret), made(newSecret)
	handedOut, fresh := before.For(accountID, photoID, JPEG, noon), during.For(accountID, photoID, JPEG, noon)
	for _, c := range []struct {
		urls    *URLs
		address string
		want    bool
	}{
		{during, handedOut, true}, {during, fresh, true}, {after, fresh, true}, {after, handedOut, false}, {before, fresh, false},
	} {
		if got := verified(t, c.urls, c.address); got != c.want {
			t.Errorf("%s: verified is %v, want %v", c.address, got, c.want)
		}
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
		t.Error("a short secret is accepted")
	}
}

// photoServer returns a handler with a store of one photo, and its clock.
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
			t.Errorf("%s: %d %q", method, w.Code, w.Body)
		}
		for name, want := range map[string]string{
			"Content-Type": JPEG, "Content-Length": "9", "ETag": `"` + photoID + `"`, "X-Content-Type-Options": "nosniff",
			"Cache-Control": "private, immutable, max-age=129600", "Content-Security-Policy": "default-src 'none'; sandbox",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", method, name, got, want)
			}
		}
	}
	for header, want := range map[string]int{
		`"` + photoID + `"`: http.StatusNotModified, `"x", W/"` + photoID + `"`: http.StatusNotModified, "*": http.StatusNotModified, `"x"`: http.StatusOK,
	} {
		if w := serve(h, http.MethodGet, address, "If-None-Match", header); w.Code != want || want == http.StatusNotModified && w.Body.Len() > 0 {
			t.Errorf("If-None-Match %s: %d", header, w.Code)
		}
	}
	if w := serve(h, http.MethodPost, address); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d", w.Code)
	}
}

// Every URL that was not issued exactly so gets the same response, whether or not the photo exists.
func TestHandler_HidesWhyURLIsInvalid(t *testing.T) {
	t.Parallel()
	h, urls, now := photoServer(t)
	good := urls.For(accountID, photoID, JPEG, noon)
	other, account2 := id.New(id.Photo, noon), id.New(id.Account, noon)
	parsed, _ := url.Parse(good)
	bad := map[string]string{
		"no photo there":    urls.For(accountID, other, JPEG, noon),
		"other photo":       strings.Replace(good, photoID, other, 1),
		"other account":     strings.Replace(good, accountID, account2, 1),
		"other extension":   strings.Replace(good, ".jpg", ".png", 1),
		"no extension":      strings.Replace(good, ".jpg", "", 1),
		"later expiry":      strings.Replace(good, "expires=1", "expires=2", 1),
		"no expiry":         strings.Replace(good, "expires", "x", 1),
		"no signature":      strings.Replace(good, "signature", "x", 1),
		"shorter signature": good[:len(good)-1],
		"longer signature":  good + "A",
		"other secret":      addresses(t, "http://localhost/api", strings.Repeat("t", minSecret)).For(accountID, photoID, JPEG, noon),
		"no query":          "http://localhost" + parsed.Path,
		"no segments":       "http://localhost/?" + parsed.RawQuery,
		"traversal":         strings.Replace(good, accountID, "..%2f..", 1),
	}
	want := serve(h, http.MethodGet, "http://localhost/api/photos/x/y.jpg")
	for name, address := range bad {
		got := serve(h, http.MethodGet, address)
		if got.Code != http.StatusNotFound || got.Body.String() != want.Body.String() || got.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %q", name, got.Code, got.Body)
		}
	}
	*now = noon.Add(36*time.Hour - time.Second)
	if w := serve(h, http.MethodGet, good); w.Code != http.StatusOK || !strings.HasSuffix(w.Header().Get("Cache-Control"), "max-age=1") {
		t.Errorf("in its last second: %d", w.Code)
	}
	*now = noon.Add(36 * time.Hour)
	if w := serve(h, http.MethodGet, good); w.Code != http.StatusNotFound || !bytes.Equal(w.Body.Bytes(), want.Body.Bytes()) {
		t.Errorf("expired: %d", w.Code)
	}
}

func BenchmarkURLsFor(b *testing.B) {
	u := addresses(b, "https://cards.example.com/api", longSecret)
	b.ReportAllocs()
	for b.Loop() {
		u.For(accountID, photoID, JPEG, noon)
	}
}
