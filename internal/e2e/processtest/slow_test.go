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

// inFlight is how many requests the server is answering, by its own metrics.
func (p *server) inFlight() int {
	p.t.Helper()
	return int(p.metric("cardvault_http_requests_in_flight"))
}

// drip sends the text again and again, slowly, until the server closes the connection; it says so on cut.
func drip(conn net.Conn, text string, cut chan<- time.Time) {
	pace := time.NewTicker(200 * time.Millisecond)
	defer pace.Stop()
	for range pace.C {
		if _, err := io.WriteString(conn, text); err != nil {
			cut <- time.Now()
			return
		}
	}
}

// soon is far longer than an answer takes on a machine under load, and shorter than the thirty seconds for
// which the server waits for a body: who had to wait for a slow client waits longer.
const soon = 25 * time.Second

// Clients that send headers or bodies by drops, or do not read what they asked for, hold up nobody
// else; headers that never end are cut off.
func TestSlowClientsHoldUpNobody(t *testing.T) {
	t.Parallel()
	const each = 10 // of every kind of slow client: more than the server has connections to PostgreSQL
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_DATABASE_MAX_CONNS", "6")
	owner := s.account(t)
	server := s.serve(t)
	c := owner.at(server)
	draft := `{"identification":{"title":"Ember Fox"},"notes":"` + strings.Repeat("x", 4000) + `"}`
	c.do("POST", "/cards", `{"cards":[`+draft+strings.Repeat(","+draft, 199)+`]}`, http.StatusCreated, nil)
	one := c.create(1)[0]

	begun := time.Now()
	headers, bodies := make(chan time.Time, each), make(chan time.Time, each)
	authorization := "Host: vault\r\nAuthorization: Bearer " + owner.token + "\r\n"
	for range each {
		slow := connect(t, server)
		fmt.Fprintf(slow, "GET /api/cards HTTP/1.1\r\n%s", authorization)
		go drip(slow, "X-More: x\r\n", headers)

		slow = connect(t, server)
		fmt.Fprintf(slow, "PATCH /api/cards/%s HTTP/1.1\r\n%sContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n", one.ID, authorization)
		go drip(slow, " ", bodies)

		slow = connect(t, server)
		if err := slow.(*net.TCPConn).SetReadBuffer(1024); err != nil {
			t.Fatal(err)
		}
		// Eight answers of a megabyte each: more than the kernel takes off the server's hands.
		fmt.Fprint(slow, strings.Repeat("GET /api/cards?limit=200 HTTP/1.1\r\n"+authorization+"\r\n", 8))
	}
	// The bodies and the answers; of the headers nobody knows yet.
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
				t.Errorf("headers were waited for during %v", took)
			}
		case <-time.After(patience):
			t.Fatal("headers that never end are waited for")
		}
	}
}
