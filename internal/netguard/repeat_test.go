package netguard

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// certified returns a server's certificate, and a guard that trusts it.
func certified(t *testing.T) (tls.Certificate, *Guard) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	server.Close()
	return server.TLS.Certificates[0], New(Config{AllowPrivate: true, RootCAs: rootsOf(server)})
}

// post sends a request whose header and body have the given text.
func post(t *testing.T, client *http.Client, url, text string) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Test", text)
	res, err := client.Do(req)
	if err == nil {
		res.Body.Close()
	}
	return err
}

// repeatCase is a server with two requests of a client: what happens, and which requests arrive on which connection.
type repeatCase struct {
	name string
	ends []end
	fail int // number of the request that fails, from 1; 0 if none does
	want []int
}

func (c repeatCase) check(t *testing.T, server *closer, client *http.Client, url string) {
	t.Helper()
	for i, text := range []string{"first", "second"} {
		err := post(t, client, url, text)
		if (err != nil) != (c.fail == i+1) {
			t.Errorf("request %d: %v, want failure %t", i+1, err, c.fail == i+1)
		}
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	if fmt.Sprint(server.connections) != fmt.Sprint(c.want) {
		t.Errorf("requests came on connections %v, want %v", server.connections, c.want)
	}
	for i, got := range server.requests {
		if got != "" && got != "firstfirst" && got != "secondsecond" {
			t.Errorf("request %d has header and body %q", i+1, got)
		}
	}
}

func TestClient_RepeatsOnClosedConnection(t *testing.T) {
	t.Parallel()
	for _, c := range []repeatCase{
		{"open", nil, 0, []int{1, 1}},
		{"closed after the request", []end{answer, hangUp}, 0, []int{1, 1, 2}},
		{"reset as the request arrives", []end{answer, reset}, 0, []int{1, 1, 2}},
		{"closed again", []end{answer, hangUp, hangUp}, 2, []int{1, 1, 2}},
		{"closed in a response", []end{answer, halfway}, 2, []int{1, 1}},
		{"new connection closed", []end{hangUp}, 1, []int{1, 2}},
		{"new connection reset", []end{reset}, 1, []int{1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server := newCloser(t, listen(t), c.ends...)
			server.serve(t, server.handleHTTP1)
			client := New(Config{AllowPrivate: true}).Client(Options{RepeatClosed: true})
			c.check(t, server, client, "http://"+server.Addr().String()+"/")
		})
	}
}

func TestClient_RepeatsOnClosedHTTP2Connection(t *testing.T) {
	t.Parallel()
	for _, c := range []repeatCase{
		{"open", nil, 0, []int{1, 1}},
		{"closed after the request", []end{answer, hangUp}, 0, []int{1, 1, 2}},
		{"GOAWAY after the request", []end{answer, goAway}, 0, []int{1, 1, 2}},
		{"GOAWAY before the request", []end{answer, goAwayed}, 0, []int{1, 1, 2}},
		{"closed again", []end{answer, hangUp, hangUp}, 2, []int{1, 1, 2}},
		{"stream reset", []end{answer, refuse}, 2, []int{1, 1}},
		{"new connection closed", []end{hangUp}, 1, []int{1, 2}},
		{"new connection with GOAWAY", []end{goAway}, 1, []int{1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			certificate, guard := certified(t)
			secure := tls.NewListener(listen(t),
				&tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"h2"}})
			server := newCloser(t, secure, c.ends...)
			server.serve(t, server.handleHTTP2)
			client := guard.Client(Options{RepeatClosed: true})
			c.check(t, server, client, "https://"+server.Addr().String()+"/")
		})
	}
}

// The repeated request connects again, so its address is checked: the name leads to a forbidden one by then.
func TestClient_ChecksAddressOfRepeatedRequest(t *testing.T) {
	t.Parallel()
	server := newCloser(t, listen(t), answer, hangUp)
	server.serve(t, server.handleHTTP1)
	_, port, _ := net.SplitHostPort(server.Addr().String())
	guard := New(Config{AllowPrivate: true, Resolver: rebindingDNS("127.0.0.1", "169.254.169.254")})
	client, url := guard.Client(Options{RepeatClosed: true}), "http://rebind.example.com:"+port+"/"
	if err := post(t, client, url, "first"); err != nil {
		t.Fatal(err)
	}
	if err := post(t, client, url, "second"); Classify(err) != ClassForbidden {
		t.Errorf("repeated request: %v, want a refused address", err)
	}
}

// Without the option, a request is not repeated: the caller decides whether a repetition is harmless.
func TestClient_RepeatsOnlyIfAsked(t *testing.T) {
	t.Parallel()
	server := newCloser(t, listen(t), answer, hangUp)
	server.serve(t, server.handleHTTP1)
	client := New(Config{AllowPrivate: true}).Client(Options{})
	repeatCase{fail: 2, want: []int{1, 1}}.check(t, server, client, "http://"+server.Addr().String()+"/")
}
