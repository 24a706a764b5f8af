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

// drainTime bounds how long a server takes to stop, whatever its clients do. Half of it is for a machine under load.
const drainTime = (15 + 15) * time.Second

// half opens a connection, sends a POST /cards with the first half of its body, and waits until the server handles it.
// It returns the second half.
func half(t testing.TB, p *server, token, body string) (conn net.Conn, rest string) {
	t.Helper()
	conn = connect(t, p)
	fmt.Fprintf(conn, "POST /api/cards HTTP/1.1\r\nHost: vault\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", token, len(body), body[:len(body)/2])
	eventually(t, "the request is in flight", func() bool { return p.inFlight() >= 1 })
	return conn, body[len(body)/2:]
}

// connect opens a connection and closes it when the test ends.
func connect(t testing.TB, p *server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// A server that gets SIGTERM under load responds to the requests in flight and waits for the responses of endpoints
// before it ends. No delivery is lost or repeated.
func TestServer_GracefulStop(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	hook := owner.sink(nil)
	first := s.serve(t)
	conn, rest := half(t, first, owner.token, `{"cards":[{"identification":{"title":"Late but in time"}}]}`)
	customers := newLoad(owner.at(first), 4)
	customers.awaitRounds(40)
	hook.hold()
	hook.held(4)

	customers.leaving.Store(true)
	first.signal(syscall.SIGTERM)
	first.logged("msg=stopping")
	eventually(t, "the server accepts no connections", func() bool {
		late, err := net.Dial("tcp", first.host)
		if err == nil {
			late.Close()
		}
		return err != nil
	})
	fmt.Fprint(conn, rest)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("the request in flight: %v", err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Errorf("the request in flight: status %d, want 201", response.StatusCode)
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

// A client that never finishes its request does not keep the server from stopping.
func TestServer_StopsWithHangingClient(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	server := s.serve(t)
	half(t, server, s.account(t).token, `{"cards":[]}`)
	server.signal(syscall.SIGTERM)
	if code := server.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if !strings.Contains(server.log.String(), "stopped before everything was finished") {
		t.Errorf("the server does not log that it aborted a request:\n%s", server.log)
	}
}

// The processes that `make run` starts beside serve stop without an error.
func TestSeparateProcesses_Stop(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_MARKET_ADDR", "127.0.0.1:0")
	owner := s.account(t)
	hook := owner.sink(nil)
	c := owner.at(s.serve(t, "--workers=false"))
	c.create(1)
	for command, started := range map[string]string{"market": "serving the sandbox", "worker": "working"} {
		t.Run(command, func(t *testing.T) {
			p := s.start(t, command)
			p.logged(started)
			if command == "worker" {
				hook.gotAll(c)
			}
			p.signal(syscall.SIGTERM)
			if code := p.end(drainTime); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}
