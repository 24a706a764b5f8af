package photos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/netguard"
)

func TestFetch(t *testing.T) {
	t.Parallel()
	photo := cameraJPEG(jpegOf(t, 400, 300), 6)
	mux := http.NewServeMux()
	server := httptest.NewUnstartedServer(mux)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	defer server.Close()
	mux.HandleFunc("/photo", func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() != "CardVault-Photos/1" {
			w.WriteHeader(http.StatusForbidden)
		}
		w.Header().Set("Content-Type", "text/plain") // the content counts, not the header
		_, _ = w.Write(photo)
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>sold out</html>") })
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write(photo[:1000])
	})
	mux.HandleFunc("/huge", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "15728641") })
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for chunk := make([]byte, 1<<20); r.Context().Err() == nil; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	for from, to := range map[string]string{"/moved": "/photo", "/loop": "/loop", "/metadata": "http://169.254.169.254/", "/file": "file:///etc/passwd"} {
		mux.Handle(from, http.RedirectHandler(to, http.StatusFound))
	}
	fetcher := NewFetcher(netguard.New(netguard.Config{AllowPrivate: true}))
	for path, c := range map[string]struct {
		code fault.Code
		says string
	}{
		"/photo": {}, "/moved": {},
		"/missing": {fault.PhotoUnreachable, "status 404"}, "/cut": {fault.PhotoUnreachable, "connection fails"}, "/loop": {fault.PhotoUnreachable, "more than 3 times"},
		"/page": {fault.PhotoInvalid, "text/html"}, "/huge": {fault.PhotoInvalid, "15 MiB"}, "/endless": {fault.PhotoInvalid, "15 MiB"},
		"/metadata": {fault.PhotoForbidden, "not public"}, "/file": {fault.PhotoForbidden, "https://"},
	} {
		data, info, err := fetcher.Fetch(context.Background(), server.URL+path)
		if c.code == "" {
			if err != nil || info.ContentType != JPEG || info.Orientation != 6 || strings.Contains(string(data), secret) {
				t.Errorf("%s: %+v, %v", path, info, err)
			}
			continue
		}
		known, _ := fault.As(err)
		if known == nil || known.Code != c.code || !strings.Contains(known.Message, c.says) || data != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestFetch_RefusesForbiddenAddresses(t *testing.T) {
	t.Parallel()
	fetcher := NewFetcher(netguard.New(netguard.Config{}))
	for _, address := range []string{"", "not a url", "http://example.com/a.jpg", "https://127.0.0.1/a.jpg", "https://localhost/a.jpg", "https://u:p@example.com/a.jpg"} {
		if _, _, err := fetcher.Fetch(context.Background(), address); !fault.Is(err, fault.PhotoForbidden) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// Only the host of a URL is logged, because URLs of stores often contain a signature that grants access.
func TestFetch_LogsNoURL(t *testing.T) {
	t.Parallel()
	const path, query = "hidden-path", "X-Amz-Signature=hidden-query"
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch to {
		case "cut":
			panic(http.ErrAbortHandler)
		case "loop":
			http.Redirect(w, r, r.URL.String(), http.StatusFound)
		case "nowhere": // what leads here has a signature, too
			w.Header().Set("Location", "https://%zz/"+path+"?"+query)
			w.WriteHeader(http.StatusFound)
		case "forbidden":
			http.Redirect(w, r, "http://169.254.169.254/"+path+"?"+query, http.StatusFound)
		case "missing":
			http.NotFound(w, r)
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	defer server.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	fetcher := NewFetcher(netguard.New(netguard.Config{AllowPrivate: true}))
	for _, address := range []string{server.URL + "/cut/", server.URL + "/loop/", server.URL + "/nowhere/", server.URL + "/forbidden/",
		server.URL + "/missing/", closed.URL + "/", strings.Replace(server.URL, "http:", "https:", 1) + "/", "http://%zz/", server.URL + "/%zz/"} {
		_, _, err := fetcher.Fetch(t.Context(), address+path+"?"+query)
		if err == nil {
			t.Errorf("%s: no error", address)
			continue
		}
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprint(errors.Unwrap(err))} {
			if strings.Contains(text, "hidden") || strings.Contains(text, "Signature") {
				t.Errorf("%s: %s", address, text)
			}
		}
	}
}

// A worker that is stopped must not mark the photo as unreachable.
func TestFetch_CancellationIsNotUnreachable(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer server.Close()
	_, _, err := NewFetcher(netguard.New(netguard.Config{AllowPrivate: true})).Fetch(ctx, server.URL)
	if _, known := fault.As(err); known || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
