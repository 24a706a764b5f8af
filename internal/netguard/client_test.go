package netguard

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// get sends a request and returns the status, or 0 and an error.
func get(t *testing.T, client *http.Client, url string) (int, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode, err
}

// counted returns a server that is not started, and the number of its connections.
func counted(t *testing.T, handler http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(handler)
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	return server, &connections
}

func ok(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

func rootsOf(server *httptest.Server) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	return pool
}

// The name resolves to a public address when it is checked and to a private one when the client connects.
func TestClient_RefusesRebindingWhenConnecting(t *testing.T) {
	t.Parallel()
	server, connections := counted(t, ok)
	server.StartTLS()
	defer server.Close()
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	guard := New(Config{Resolver: rebindingDNS("8.8.8.8", "127.0.0.1"), RootCAs: rootsOf(server)})

	if err := guard.CheckHost(context.Background(), "rebind.example.com"); err != nil {
		t.Fatalf("the first answer is public: %v", err)
	}
	_, err := get(t, guard.Client(Options{}), "https://rebind.example.com:"+port+"/")
	if !errors.Is(err, ErrForbidden) || Classify(err) != ClassForbidden {
		t.Errorf("got %v (%s)", err, Classify(err))
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections reached the private server", n)
	}
}

func TestClient_RefusesPrivateAddressesWhenConnecting(t *testing.T) {
	t.Parallel()
	answers := map[string][]string{
		"loopback.example.com.": {"127.0.0.1"}, "metadata.example.com.": {"169.254.169.254"},
		"mapped.example.com.": {"::ffff:127.0.0.1"}, "nat64.example.com.": {"64:ff9b::7f00:1"},
		"any.example.com.": {"0.0.0.0"},
	}
	client := New(Config{Resolver: fakeDNS(answers)}).Client(Options{})
	for name := range answers {
		t.Run(name, func(t *testing.T) {
			_, err := get(t, client, "https://"+strings.TrimSuffix(name, ".")+":8443/")
			if !errors.Is(err, ErrForbidden) || strings.Contains(err.Error(), answers[name][0]) {
				t.Errorf("got %v, want an error that is ErrForbidden and does not contain the address", err)
			}
		})
	}
}

func TestClient_ChecksRequestsBeforeSending(t *testing.T) {
	t.Parallel()
	server, connections := counted(t, ok)
	server.Start()
	defer server.Close()
	client := New(Config{}).Client(Options{})
	for _, address := range []string{server.URL, "https://user:pw@example.com/", "https://example.com:22/",
		"https://127.1/"} {
		t.Run(address, func(t *testing.T) {
			if _, err := get(t, client, address); !errors.Is(err, ErrForbidden) {
				t.Errorf("%v", err)
			}
		})
	}
	if n := connections.Load(); n != 0 {
		t.Errorf("%d connections were made", n)
	}
}

func TestClient_FollowsRedirects(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/end", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Referer") != "" {
			w.WriteHeader(http.StatusTeapot)
		}
	})
	for from, to := range map[string]string{
		"/3": "/2", "/2": "/1", "/1": "/end", "/4": "/3", "/loop": "/loop",
		"/metadata": "http://169.254.169.254/latest/", "/ssh": "http://localhost:22/", "/file": "file:///etc/passwd",
		"/credentials": "http://user:pw@" + server.Listener.Addr().String() + "/end", "/decimal": "http://2130706433/",
	} {
		mux.Handle(from, http.RedirectHandler(to, http.StatusFound))
	}
	guard := New(Config{AllowPrivate: true})
	follow := guard.Client(Options{MaxRedirects: 3})
	for path, want := range map[string]Class{
		"/end": "", "/1": "", "/3": "", "/4": ClassOther, "/loop": ClassOther, "/metadata": ClassForbidden,
		"/ssh": ClassForbidden, "/file": ClassForbidden, "/credentials": ClassForbidden, "/decimal": ClassForbidden,
	} {
		t.Run(path, func(t *testing.T) {
			status, err := get(t, follow, server.URL+path+"?secret=1")
			if Classify(err) != want || want == "" && status != http.StatusOK {
				t.Errorf("%d, %v", status, err)
			}
		})
	}
	if status, err := get(t, guard.Client(Options{}), server.URL+"/metadata"); err != nil ||
		status != http.StatusFound {
		t.Errorf("without redirects: %d, %v", status, err)
	}
}

func TestClient_IgnoresProxyOfEnvironment(t *testing.T) {
	proxy, proxied := counted(t, ok)
	proxy.Start()
	defer proxy.Close()
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, proxy.URL)
	}
	// http.ProxyFromEnvironment reads the environment once per process and never uses a proxy for loopback, so the
	// field is checked too.
	client := New(Config{Resolver: fakeDNS(nil)}).Client(Options{})
	if client.Transport.(*transport).base.Proxy != nil {
		t.Error("the transport has a proxy")
	}
	if _, err := get(t, client, "https://missing.example.com/"); Classify(err) != ClassDNS {
		t.Errorf("got %v", err)
	}
	if n := proxied.Load(); n != 0 {
		t.Errorf("%d connections went to the proxy", n)
	}
}

func TestClient_RequiresVerifiedAndRecentTLS(t *testing.T) {
	t.Parallel()
	start := func(maxVersion uint16) *httptest.Server {
		server, _ := counted(t, ok)
		server.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: maxVersion}
		server.EnableHTTP2 = true
		server.Config.ErrorLog = quiet()
		server.StartTLS()
		t.Cleanup(server.Close)
		return server
	}
	old, twelve, recent := start(tls.VersionTLS11), start(tls.VersionTLS12), start(tls.VersionTLS13)
	trusting := New(Config{AllowPrivate: true, RootCAs: rootsOf(recent)}).Client(Options{})
	for name, c := range map[string]struct {
		client *http.Client
		url    string
		want   Class
	}{
		"TLS 1.1":           {trusting, old.URL, ClassTLS},
		"TLS 1.2":           {trusting, twelve.URL, ""},
		"TLS 1.3":           {trusting, recent.URL, ""},
		"unknown authority": {New(Config{AllowPrivate: true}).Client(Options{}), recent.URL, ClassTLS},
		"wrong name":        {trusting, strings.Replace(recent.URL, "127.0.0.1", "localhost", 1), ClassTLS},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := get(t, c.client, c.url); Classify(err) != c.want {
				t.Errorf("%v (%s)", err, Classify(err))
			}
		})
	}
}

func TestClient_ReusesHTTP2Connections(t *testing.T) {
	t.Parallel()
	var protocol atomic.Value
	server, connections := counted(t, func(_ http.ResponseWriter, r *http.Request) { protocol.Store(r.Proto) })
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	client := New(Config{AllowPrivate: true, RootCAs: rootsOf(server)}).Client(Options{})
	for range 5 {
		if _, err := get(t, client, server.URL); err != nil {
			t.Fatal(err)
		}
	}
	if protocol.Load() != "HTTP/2.0" || connections.Load() != 1 {
		t.Errorf("%v over %d connections", protocol.Load(), connections.Load())
	}
	client.CloseIdleConnections()
}

// Otherwise the writer of the body would block forever.
func TestClient_ClosesBodyOfRefusedRequest(t *testing.T) {
	t.Parallel()
	reader, writer := io.Pipe()
	_, err := New(Config{}).Client(Options{}).Post("http://example.com/", "application/json", reader)
	var wrapped *url.Error
	if !errors.As(err, &wrapped) || !errors.Is(err, ErrForbidden) {
		t.Fatalf("got %v", err)
	}
	if _, err := writer.Write([]byte("x")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the body was not closed: %v", err)
	}
}
