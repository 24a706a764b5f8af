package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/api"
)

// wire is a connection on which a test writes what no client library would.
type wire struct {
	net.Conn
	t       testing.TB
	answers *bufio.Reader
}

func dial(t testing.TB, address string) *wire {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute))
	return &wire{conn, t, bufio.NewReader(conn)}
}

// write sends text; the server may have closed the connection already.
func (w *wire) write(text string) { _, _ = io.WriteString(w, text) }

// read returns the next answer.
func (w *wire) read() response {
	w.t.Helper()
	resp, err := http.ReadResponse(w.answers, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response{resp.StatusCode, resp.Header, body}
}

// closed fails the test unless the server closes the connection without another word.
func (w *wire) closed() {
	w.t.Helper()
	if rest, err := io.ReadAll(w.answers); err != nil || len(rest) > 0 {
		w.t.Errorf("%q, %v instead of the end", rest, err)
	}
}

// onAPort serves the service's handler as `cardvault serve` does, and returns the address.
func (s *service) onAPort(t testing.TB) string {
	t.Helper()
	server := api.NewServer("127.0.0.1:0", "CARDVAULT_ADDR", s.public, slog.Default())
	if err := server.Listen(); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	t.Cleanup(func() {
		if err := server.Shutdown(t.Context()); err == nil {
			err = <-served
			if err != nil {
				t.Error(err)
			}
		}
	})
	return server.Addr()
}

// What is said on the wire in ways of its own: what follows from the protocol is served, what breaks
// it is refused and the connection closed, and neither leads to another request being made up.
func TestTheWire(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	address := s.onAPort(t)
	before := s.snapshot(t)
	head := "\r\nHost: vault.example\r\nAuthorization: Bearer " + c.token + "\r\n"
	post := "POST /api/batches HTTP/1.1" + head + "Content-Type: application/json\r\n"
	for _, exchange := range []struct {
		sent   string
		status int
		code   string // "" where the server's protocol layer answers
		closes bool
	}{
		{"GET /api/cards HTTP/1.0\r\nAuthorization: Bearer " + c.token + "\r\n\r\n", 200, "", true},
		{"GET /api/cards HTTP/1.1" + head + "\r\n", 200, "", false},
		{"GET http://elsewhere.example/api/cards HTTP/1.1" + head + "\r\n", 200, "", false},
		{"GET /api/cards?q=%00 HTTP/1.1" + head + "\r\n", 400, "invalid_request", false},
		{"GET /api/cards?q=%zz HTTP/1.1" + head + "\r\n", 400, "invalid_request", false},
		{"GET /api/cards?a=\xff HTTP/1.1" + head + "\r\n", 400, "invalid_request", false},
		{"TRACE /api/cards HTTP/1.1" + head + "\r\n", 405, "method_not_allowed", false},
		{"CONNECT /api/cards HTTP/1.1" + head + "\r\n", 405, "method_not_allowed", false},
		{"CONNECT vault.example:443 HTTP/1.1" + head + "\r\n", 404, "route_not_found", false},
		{"OPTIONS * HTTP/1.1" + head + "\r\n", 200, "", false},
		{"GET /api/cards HTTP/1.1" + head + "Expect: 100-continue\r\n\r\n", 200, "", false},
		{post + "Content-Length: 3\r\n\r\n{}x", 400, "invalid_json", false},
		{post + "Content-Length: 0\r\n\r\n", 400, "invalid_request", false},
		{post + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "invalid_request", false},
		{post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400, "invalid_request", true},
		{post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}", 400, "invalid_request", true},
		{post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 400, "invalid_request", false},
		{post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x", 400, "", true},
		{post + "Content-Length: -1\r\n\r\n", 400, "", true},
		{post + "Transfer-Encoding: gzip\r\n\r\n{}", 501, "", true},
		{"GET /api/cards/%zz HTTP/1.1" + head + "\r\n", 400, "", true},
		{"GET /api/car ds HTTP/1.1" + head + "\r\n", 400, "", true},
		{"GET /api/cards HTTP/1.1\r\nAuthorization: Bearer " + c.token + "\r\n\r\n", 400, "", true},
		{"GET /api/cards HTTP/1.1" + head + "X-Request-Id: a\x00b\r\n\r\n", 400, "", true},
		{"GET /api/cards HTTP/1.1" + head + "X: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431, "", true},
		{"GET /" + strings.Repeat("x", 64<<10) + " HTTP/1.1" + head + "\r\n", 431, "", true},
		{"GET /api/cards HTTP/9.9" + head + "\r\n", 505, "", true},
		{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404, "route_not_found", true},
		{"\x16\x03\x01\x02\x00\x01\x00\x01", 400, "", true},
	} {
		w := dial(t, address)
		w.write(exchange.sent)
		if !exchange.closes { // the next request on the connection must be read as itself
			w.write("GET /api/nothing HTTP/1.1" + head + "Connection: close\r\n\r\n")
		} else if exchange.status != http.StatusOK { // to a client that has gone nothing would be said
			_ = w.Conn.(*net.TCPConn).CloseWrite()
		}
		got := w.read()
		if got.status != exchange.status {
			t.Errorf("%.120q: %d %s, want %d", exchange.sent, got.status, got.body, exchange.status)
		}
		if exchange.code != "" {
			got.refused(t, exchange.code)
		}
		if !exchange.closes {
			w.read().want(t, http.StatusNotFound, nil).refused(t, "route_not_found")
		}
		w.closed()
	}
	s.unchanged(t, before)
}

// Clients that send headers or bodies drop by drop are cut off and hold nobody else up.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	before := s.snapshot(t)
	address := s.onAPort(t)
	head := "POST /api/batches HTTP/1.1\r\nHost: vault.example\r\nContent-Type: application/json\r\nAuthorization: Bearer " + c.token + "\r\n"
	var slow []*wire
	for i := range 100 {
		w := dial(t, address)
		if w.write(head); i%2 == 0 {
			w.write("Content-Length: 1000\r\n\r\n{")
		} else {
			slow = append(slow, w)
		}
	}
	for range 50 {
		c.do("GET", "/cards", nil).want(t, http.StatusOK, nil)
	}
	for _, w := range slow {
		w.closed() // headerTime is five seconds
	}

	// The time for a whole request is half a minute; here it is three seconds.
	impatient := httptest.NewUnstartedServer(s.public)
	impatient.Config.ReadTimeout = 3 * time.Second
	impatient.Start()
	t.Cleanup(impatient.Close)
	w := dial(t, impatient.Listener.Addr().String())
	w.write(head + "Content-Length: 1000\r\n\r\n")
	go func() {
		drops := time.NewTicker(50 * time.Millisecond)
		defer drops.Stop()
		for range 1000 {
			if _, err := io.WriteString(w, "{"); err != nil {
				return // cut off
			}
			<-drops.C
		}
	}()
	w.read().want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
	if _, err := w.answers.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection stays open: %v", err)
	}
	s.unchanged(t, before)
}

// A client that leaves while its request runs leaves either all of what it asked for or nothing.
func TestClientsThatLeave(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	address := s.onAPort(t)
	body := `{"cards":[` + strings.TrimSuffix(strings.Repeat(`{"notes":"x"},`, 500), ",") + `]}`
	for n := range 10 {
		w := dial(t, address)
		w.write(fmt.Sprintf("POST /api/cards HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", c.token, len(body), body))
		<-time.After(time.Duration(n) * 5 * time.Millisecond) // at another point of the work each time
		w.Close()
	}
	// Writers of one account take turns: when this one is through, so are those before it or gone.
	c.create(`{}`)
	var counts []int
	if err := s.DB.Select(t.Context(), &counts, `SELECT count(*) FROM cards WHERE account_id = $1 GROUP BY created_at`, c.account); err != nil {
		t.Fatal(err)
	}
	for _, n := range counts {
		if n != 500 && n != 1 {
			t.Errorf("%d cards of an import of 500", n)
		}
	}
}
