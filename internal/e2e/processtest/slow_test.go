package processtest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// inFlight returns the number of requests in flight according to the server's metrics.
func (p *server) inFlight() int {
	p.t.Helper()
	return int(p.metric("cardvault_http_requests_in_flight"))
}

// drip sends the text every 200 ms until the server closes the connection, and then sends the time to closed.
func drip(conn net.Conn, text string, closed chan<- time.Time) {
	pace := time.NewTicker(200 * time.Millisecond)
	defer pace.Stop()
	for range pace.C {
		if _, err := io.WriteString(conn, text); err != nil {
			closed <- time.Now()
			return
		}
	}
}

// soon is much longer than a request takes on a machine under load, and shorter than the 30 s for which the server
// waits for a body. A request that waited for a slow client would take longer.
const soon = 25 * time.Second

// Clients that send headers or bodies slowly, or do not read responses, do not delay other clients. The server closes
// connections whose headers do not end.
func TestServer_SlowClients(t *testing.T) {
	t.Parallel()
	const each = 10 // clients of each kind, more than the server has connections to PostgreSQL
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_DATABASE_MAX_CONNS", "6")
	owner := s.account(t)
	server := s.serve(t)
	c := owner.at(server)
	draft := `{"identification":{"title":"Ember Fox"},"notes":"` + strings.Repeat("x", 4000) + `"}`
	c.do("POST", "/cards", `{"cards":[`+draft+strings.Repeat(","+draft, 199)+`]}`, http.StatusCreated, nil)
	slowOne := c.create(1)[0]
	// Another account, because the lists that the slow clients request count against the reads of theirs.
	c = s.account(t).at(server)
	one := c.create(1)[0]

	begun := time.Now()
	headers, bodies := make(chan time.Time, each), make(chan time.Time, each)
	authorization := "Host: vault\r\nAuthorization: Bearer " + owner.token + "\r\n"
	for range each {
		slow := connect(t, server)
		fmt.Fprintf(slow, "GET /api/cards HTTP/1.1\r\n%s", authorization)
		go drip(slow, "X-More: x\r\n", headers)

		slow = connect(t, server)
		fmt.Fprintf(slow, "PATCH /api/cards/%s HTTP/1.1\r\n%s"+
			"Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n", slowOne.ID, authorization)
		go drip(slow, " ", bodies)

		slow = connect(t, server)
		if err := slow.(*net.TCPConn).SetReadBuffer(1024); err != nil {
			t.Fatal(err)
		}
		// Eight responses of a megabyte each are more than the kernel buffers.
		fmt.Fprint(slow, strings.Repeat("GET /api/cards?limit=200 HTTP/1.1\r\n"+authorization+"\r\n", 8))
	}
	// A request without its headers is not in flight yet.
	eventually(t, "the slow requests are in flight", func() bool { return server.inFlight() >= 2*each })

	c.http.Timeout = soon
	for i := range int64(50) {
		c.do("GET", "/cards/"+one.ID, "", http.StatusOK, nil)
		c.do("PATCH", "/cards/"+one.ID, price(i+1), http.StatusOK, nil)
	}
	for range each {
		select {
		case at := <-headers:
			if took := at.Sub(begun); took > soon {
				t.Errorf("the server waited %v for headers, want at most %v", took, soon)
			}
		case <-time.After(patience):
			t.Fatalf("the server still waits for headers after %v", patience)
		}
	}
}
