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

// rawConn is a connection on which a test writes what no client library sends.
type rawConn struct {
	net.Conn
	t         testing.TB
	responses *bufio.Reader
}

func dial(t testing.TB, address string) *rawConn {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(time.Minute))
	return &rawConn{conn, t, bufio.NewReader(conn)}
}

// write sends text; the server may have closed the connection already.
func (w *rawConn) write(text string) { _, _ = io.WriteString(w, text) }

// read returns the next response.
func (w *rawConn) read() response {
	w.t.Helper()
	resp, err := http.ReadResponse(w.responses, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return response{resp.StatusCode, resp.Header, body}
}

// closed reports an error unless the server closes the connection and sends nothing more.
func (w *rawConn) closed() {
	w.t.Helper()
	if rest, err := io.ReadAll(w.responses); err != nil || len(rest) > 0 {
		w.t.Errorf("read %q, %v, want the end of the connection", rest, err)
	}
}

// listen serves the service's handler as `cardvault serve` does. It returns the address.
func (s *service) listen(t testing.TB) string {
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

// TestServer_Protocol sends requests as text. The server serves what HTTP/1.1 allows. It refuses other requests and
// closes the connection where the protocol says so. It never takes a part of a request for another request.
func TestServer_Protocol(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	address := s.listen(t)
	before := s.snapshot(t)
	head := "\r\nHost: vault.example\r\nAuthorization: Bearer " + c.token + "\r\n"
	get := "GET /api/cards HTTP/1.1" + head
	post := "POST /api/batches HTTP/1.1" + head + "Content-Type: application/json\r\n"
	chunked := post + "Transfer-Encoding: chunked\r\n\r\n"
	for _, exchange := range []struct {
		name   string
		sent   string
		status int
		code   string // "" if net/http responds
		closes bool
	}{
		{"HTTP/1.0", "GET /api/cards HTTP/1.0\r\nAuthorization: Bearer " + c.token + "\r\n\r\n", 200, "", true},
		{"HTTP/1.1", get + "\r\n", 200, "", false},
		{"absolute URL", "GET http://elsewhere.example/api/cards HTTP/1.1" + head + "\r\n", 200, "", false},
		{"NUL in the query", "GET /api/cards?q=%00 HTTP/1.1" + head + "\r\n", 400, "invalid_request", false},
		{"invalid escape in the query", "GET /api/cards?q=%zz HTTP/1.1" + head + "\r\n", 400, "invalid_request", false},
		{"invalid UTF-8 in the query", "GET /api/cards?a=\xff HTTP/1.1" + head + "\r\n", 400, "invalid_request", false},
		{"TRACE", "TRACE /api/cards HTTP/1.1" + head + "\r\n", 405, "method_not_allowed", false},
		{"CONNECT with a path", "CONNECT /api/cards HTTP/1.1" + head + "\r\n", 405, "method_not_allowed", false},
		{"CONNECT", "CONNECT vault.example:443 HTTP/1.1" + head + "\r\n", 404, "route_not_found", false},
		{"OPTIONS *", "OPTIONS * HTTP/1.1" + head + "\r\n", 200, "", false},
		{"Expect without a body", get + "Expect: 100-continue\r\n\r\n", 200, "", false},
		{"text after the JSON value", post + "Content-Length: 3\r\n\r\n{}x", 400, "invalid_json", false},
		{"empty body", post + "Content-Length: 0\r\n\r\n", 400, "invalid_request", false},
		{"empty chunked body", chunked + "0\r\n\r\n", 400, "invalid_request", false},
		{"chunk without a length", chunked + "zz\r\n{}\r\n0\r\n\r\n", 400, "invalid_request", true},
		{"chunk of 2⁶⁴-1 bytes", chunked + "ffffffffffffffff\r\n{}", 400, "invalid_request", true},
		{"chunks and a length", post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
			400, "invalid_request", false},
		{"two lengths", post + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x", 400, "", true},
		{"negative length", post + "Content-Length: -1\r\n\r\n", 400, "", true},
		{"unknown transfer encoding", post + "Transfer-Encoding: gzip\r\n\r\n{}", 501, "", true},
		{"invalid escape in the path", "GET /api/cards/%zz HTTP/1.1" + head + "\r\n", 400, "", true},
		{"space in the path", "GET /api/car ds HTTP/1.1" + head + "\r\n", 400, "", true},
		{"no Host", "GET /api/cards HTTP/1.1\r\nAuthorization: Bearer " + c.token + "\r\n\r\n", 400, "", true},
		{"NUL in a header", get + "X-Request-Id: a\x00b\r\n\r\n", 400, "", true},
		{"large header", get + "X: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431, "", true},
		{"large path", "GET /" + strings.Repeat("x", 64<<10) + " HTTP/1.1" + head + "\r\n", 431, "", true},
		{"HTTP/9.9", "GET /api/cards HTTP/9.9" + head + "\r\n", 505, "", true},
		{"HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404, "route_not_found", true},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01", 400, "", true},
	} {
		t.Run(exchange.name, func(t *testing.T) {
			w := dial(t, address)
			w.write(exchange.sent)
			if !exchange.closes { // the server must take the next request on the connection for a request of its own
				w.write("GET /api/nothing HTTP/1.1" + head + "Connection: close\r\n\r\n")
			} else if exchange.status != http.StatusOK { // the server does not respond to a client that has closed
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
		})
	}
	s.unchanged(t, before)
}

// TestServer_SlowClients checks that the server disconnects clients that send a header or a body slowly, and that they
// do not delay others.
func TestServer_SlowClients(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	before := s.snapshot(t)
	address := s.listen(t)
	head := "POST /api/batches HTTP/1.1\r\nHost: vault.example\r\nContent-Type: application/json\r\n" +
		"Authorization: Bearer " + c.token + "\r\n"
	var slow []*rawConn
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
		w.closed() // after five seconds, the time for headers
	}

	// The service allows 30 seconds for a whole request, this server 3.
	impatient := httptest.NewUnstartedServer(s.public)
	impatient.Config.ReadTimeout = 3 * time.Second
	impatient.Start()
	t.Cleanup(impatient.Close)
	w := dial(t, impatient.Listener.Addr().String())
	w.write(head + "Content-Length: 1000\r\n\r\n")
	go func() {
		pause := time.NewTicker(50 * time.Millisecond)
		defer pause.Stop()
		for range 1000 {
			if _, err := io.WriteString(w, "{"); err != nil {
				return // the server has closed the connection
			}
			<-pause.C
		}
	}()
	w.read().want(t, http.StatusBadRequest, nil).refused(t, "invalid_request")
	if _, err := w.responses.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection stays open: %v", err)
	}
	s.unchanged(t, before)
}

// TestServer_Disconnects closes connections while an import runs. Each import must create all of its cards or none.
func TestServer_Disconnects(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.client(t, false)
	address := s.listen(t)
	body := `{"cards":[` + strings.TrimSuffix(strings.Repeat(`{"notes":"x"},`, 500), ",") + `]}`
	request := "POST /api/cards HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
		fmt.Sprintf("Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", c.token, len(body), body)
	for n := range 10 {
		w := dial(t, address)
		w.write(request)
		<-time.After(time.Duration(n) * 5 * time.Millisecond) // disconnect at different points of the import
		w.Close()
	}
	// The writes of one account are serialized: when this one is done, all before it have committed or failed.
	c.create(`{}`)
	var counts []int
	err := s.DB.Select(t.Context(), &counts,
		`SELECT count(*) FROM cards WHERE account_id = $1 GROUP BY created_at`, c.account)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range counts {
		if n != 500 && n != 1 {
			t.Errorf("an import of 500 cards created %d", n)
		}
	}
}
