package netguard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/netguard/netguardtest"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func TestClassify_Errors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want Class
	}{
		{nil, ""},
		{errors.New("x"), ClassOther},
		{fmt.Errorf("wrapped: %w", ErrForbidden), ClassForbidden},
		{&net.DNSError{IsTimeout: true}, ClassDNS},
		{&net.OpError{Op: "dial", Err: &net.DNSError{}}, ClassDNS},
		{&net.OpError{Op: "dial", Err: errNotPublic}, ClassForbidden},
		{fmt.Errorf("wrapped: %w", context.DeadlineExceeded), ClassTimeout},
		{context.Canceled, ClassOther},
		{io.ErrUnexpectedEOF, ClassConnect},
		{&handshakeError{errors.New("x")}, ClassTLS},
		{&handshakeError{context.DeadlineExceeded}, ClassTimeout},
	} {
		t.Run(fmt.Sprint(c.err), func(t *testing.T) {
			if got := Classify(c.err); got != c.want {
				t.Errorf("%v: %q, want %q", c.err, got, c.want)
			}
		})
	}
}

func TestClassify_FailedRequests(t *testing.T) {
	t.Parallel()
	refusing := netguardtest.RefusingAddress(t)
	release := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cut" {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-release // a body that never ends
	}))
	server.Config.ErrorLog = quiet()
	server.Start()
	defer server.Close()
	defer close(release)
	client := New(Config{AllowPrivate: true}).Client(Options{})
	for url, want := range map[string]Class{
		"http://" + refusing:                         ClassConnect,
		server.URL + "/cut":                          ClassConnect,
		server.URL + "/drip":                         ClassTimeout,
		"https://" + server.Listener.Addr().String(): ClassTLS,
	} {
		patience := time.Minute
		if want == ClassTimeout {
			patience = 100 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		res, err := client.Do(req)
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		cancel()
		if got := Classify(err); got != want {
			t.Errorf("%s: %q, want %q (%v)", url, got, want, err)
		}
	}
}
