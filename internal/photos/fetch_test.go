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

// photoHost starts a server that returns photo at /photo and fails in a different way at each other path.
func photoHost(t *testing.T, photo []byte) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/photo", func(w http.ResponseWriter, r *http.Request) {
		if r.UserAgent() != "CardVault-Photos/1" {
			w.WriteHeader(http.StatusForbidden)
		}
		w.Header().Set("Content-Type", "text/plain") // wrong: the fetcher detects the type of the content
		_, _ = w.Write(photo)
	})
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<html>sold out</html>")
	})
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write(photo[:1000])
	})
	mux.HandleFunc("/huge", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "15728641")
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		for chunk := make([]byte, 1<<20); r.Context().Err() == nil; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	})
	for from, to := range map[string]string{
		"/moved": "/photo", "/loop": "/loop", "/metadata": "http://169.254.169.254/", "/file": "file:///etc/passwd",
	} {
		mux.Handle(from, http.RedirectHandler(to, http.StatusFound))
	}
	return quietServer(t, mux)
}

// quietServer starts a server that does not log aborted connections.
func quietServer(t *testing.T, handler http.Handler) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server
}

func TestFetch(t *testing.T) {
	t.Parallel()
	server := photoHost(t, cameraJPEG(jpegOf(t, 400, 300), 6))
	fetcher := NewFetcher(netguard.New(netguard.Config{AllowPrivate: true}))
	for path, tc := range map[string]struct {
		code    fault.Code
		message string // a part of it
	}{
		"/photo":    {},
		"/moved":    {},
		"/missing":  {fault.PhotoUnreachable, "status 404"},
		"/cut":      {fault.PhotoUnreachable, "connection fails"},
		"/loop":     {fault.PhotoUnreachable, "more than 3 times"},
		"/page":     {fault.PhotoInvalid, "text/html"},
		"/huge":     {fault.PhotoInvalid, "15 MiB"},
		"/endless":  {fault.PhotoInvalid, "15 MiB"},
		"/metadata": {fault.PhotoForbidden, "not public"},
		"/file":     {fault.PhotoForbidden, "https://"},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			data, info, err := fetcher.Fetch(t.Context(), "acc_1", server.URL+path)
			if tc.code == "" {
				if err != nil || info.ContentType != JPEG || info.Orientation != 6 ||
					strings.Contains(string(data), secret) {
					t.Errorf("got %+v, %v, want a JPEG of orientation 6 without the secret", info, err)
				}
				return
			}
			known, _ := fault.As(err)
			if known == nil || known.Code != tc.code || !strings.Contains(known.Message, tc.message) || data != nil {
				t.Errorf("got %d bytes, %v, want %s with %q", len(data), err, tc.code, tc.message)
			}
		})
	}
}

func TestFetch_RefusesForbiddenAddresses(t *testing.T) {
	t.Parallel()
	fetcher := NewFetcher(netguard.New(netguard.Config{}))
	for _, address := range []string{
		"", "not a url", "http://example.com/a.jpg", "https://127.0.0.1/a.jpg", "https://localhost/a.jpg",
		"https://u:p@example.com/a.jpg",
	} {
		if _, _, err := fetcher.Fetch(context.Background(), "acc_1", address); !fault.Is(err, fault.PhotoForbidden) {
			t.Errorf("%q: %v, want photo_forbidden", address, err)
		}
	}
}

// Only the host of a URL is logged, because URLs of stores often contain a signature that grants access.
func TestFetch_LogsNoURL(t *testing.T) {
	t.Parallel()
	const path, query = "hidden-path", "X-Amz-Signature=hidden-query"
	server := quietServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch to {
		case "cut":
			panic(http.ErrAbortHandler)
		case "loop":
			http.Redirect(w, r, r.URL.String(), http.StatusFound)
		case "nowhere": // an invalid target that contains a signature, too
			w.Header().Set("Location", "https://%zz/"+path+"?"+query)
			w.WriteHeader(http.StatusFound)
		case "forbidden":
			http.Redirect(w, r, "http://169.254.169.254/"+path+"?"+query, http.StatusFound)
		case "missing":
			http.NotFound(w, r)
		}
	}))
	closed := httptest.NewServer(nil)
	closed.Close()
	fetcher := NewFetcher(netguard.New(netguard.Config{AllowPrivate: true}))
	for _, address := range []string{
		server.URL + "/cut/", server.URL + "/loop/", server.URL + "/nowhere/", server.URL + "/forbidden/",
		server.URL + "/missing/", closed.URL + "/", strings.Replace(server.URL, "http:", "https:", 1) + "/",
		"http://%zz/", server.URL + "/%zz/",
	} {
		_, _, err := fetcher.Fetch(t.Context(), "acc_1", address+path+"?"+query)
		if err == nil {
			t.Errorf("%s: no error", address)
			continue
		}
		for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprint(errors.Unwrap(err))} {
			if strings.Contains(text, "hidden") || strings.Contains(text, "Signature") {
				t.Errorf("%s: the error contains a part of the URL: %s", address, text)
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
	_, _, err := NewFetcher(netguard.New(netguard.Config{AllowPrivate: true})).Fetch(ctx, "acc_1", server.URL)
	if _, known := fault.As(err); known || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}
