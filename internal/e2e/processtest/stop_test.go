package processtest

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// drainTime is how long a server may take to stop, whatever its clients do, and as much again for the
// machine's load.
const drainTime = (15 + 15) * time.Second

// half opens a connection and sends a POST /cards but for the end of its body. It returns once the
// server is at it.
func half(t testing.TB, p *server, token, body string) (conn net.Conn, rest string) {
	t.Helper()
	conn = connect(t, p)
	fmt.Fprintf(conn, "POST /api/cards HTTP/1.1\r\nHost: vault\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		token, len(body), body[:len(body)/2])
	eventually(t, "the request is being answered", func() bool { return p.inFlight() >= 1 })
	return conn, body[len(body)/2:]
}

// connect opens a connection that is closed with the test.
func connect(t testing.TB, p *server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// A server is asked to stop in the middle of work: it answers what it has begun, waits for the
// endpoint it is talking to, and is gone, having lost and repeated nothing.
func TestStopsInOrderUnderLoad(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	hook := owner.sink(nil)
	first := s.serve(t)
	conn, rest := half(t, first, owner.token, `{"cards":[{"identification":{"title":"Late but in time"}}]}`)
	customers := newLoad(owner.at(first), 4)
	customers.wentWell(40)
	hook.hold()
	hook.held(4)

	customers.leaving.Store(true)
	first.signal(syscall.SIGTERM)
	first.logged("msg=stopping")
	eventually(t, "no connection is taken any more", func() bool {
		late, err := net.Dial("tcp", first.host)
		if err == nil {
			late.Close()
		}
		return err != nil
	})
	fmt.Fprint(conn, rest)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("the request that was being answered: %v", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Errorf("the request that was being answered: status %d", response.StatusCode)
	}
	hook.release()
	if code := first.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}
	customers.stop()

	second := s.serve(t)
	all := hook.gotAll(owner.at(second))
	customers.durable(owner.at(second), all)
	owner.allDelivered(len(all))
	hook.sentOnce(1)
}

// A client that never finishes its request does not keep a server from stopping.
func TestStopsDespiteAClientThatHangs(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	server := s.serve(t)
	half(t, server, s.account(t).token, `{"cards":[]}`)
	server.signal(syscall.SIGTERM)
	if code := server.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(server.log.String(), "stopped before everything was finished") {
		t.Errorf("the log does not say that something was cut off:\n%s", server.log)
	}
}

// What runs until it is asked to stop does so in order: the parts that `make run` starts beside serve.
func TestPartsOfTheirOwn(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_MARKET_ADDR", "127.0.0.1:0")
	owner := s.account(t)
	hook := owner.sink(nil)
	c := owner.at(s.serve(t, "--workers=false"))
	c.create(1)
	for part, sign := range map[string]string{"market": "is open", "worker": "working"} {
		p := s.start(t, part)
		p.logged(sign)
		if part == "worker" {
			hook.gotAll(c)
		}
		p.signal(syscall.SIGTERM)
		if code := p.end(drainTime); code != 0 {
			t.Errorf("cardvault %s: exit code %d", part, code)
		}
	}
}
