package netguard

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// end is how the test's server ends a request.
type end int

const (
	answer   end = iota // respond with 200
	hangUp              // close the connection after the request was read
	reset               // reset the connection when the first byte of the request arrives
	halfway             // close the connection after the first byte of a response
	goAway              // HTTP/2: GOAWAY that includes the request, then close
	goAwayed            // HTTP/2: GOAWAY that excludes the request, then close
	refuse              // HTTP/2: reset the stream, and keep the connection
)

// closer is a server that answers or closes connections as the ends of its requests say, in order of their arrival.
type closer struct {
	net.Listener
	ends []end

	mu          sync.Mutex
	requests    []string // headers and body as they arrived
	connections []int    // of the requests: number of the connection, from 1
}

// next records a request on a connection and returns its end.
func (c *closer) next(request string, connection int) end {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests, c.connections = append(c.requests, request), append(c.connections, connection)
	if len(c.requests) > len(c.ends) {
		return answer
	}
	return c.ends[len(c.requests)-1]
}

// newCloser returns a server that is not served yet.
func newCloser(t *testing.T, l net.Listener, ends ...end) *closer {
	t.Helper()
	t.Cleanup(func() { l.Close() })
	return &closer{Listener: l, ends: ends}
}

// listen returns a listener on a free port.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// serve accepts connections until the test ends. handle serves one of them.
func (c *closer) serve(t *testing.T, handle func(conn net.Conn, connection int)) {
	t.Helper()
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(func() {
		stop()
		c.Close()
		running.Wait()
	})
	running.Go(func() {
		for n := 1; ; n++ {
			conn, err := c.Accept()
			if err != nil {
				return
			}
			running.Go(func() {
				defer context.AfterFunc(ctx, func() { conn.Close() })()
				defer conn.Close()
				handle(conn, n)
			})
		}
	})
}

// handleHTTP1 serves a connection with HTTP/1.1.
func (c *closer) handleHTTP1(conn net.Conn, connection int) {
	for in := bufio.NewReader(conn); ; {
		if _, err := in.Peek(1); err != nil {
			return
		}
		if c.nextIsReset() {
			c.next("", connection)
			conn.(*net.TCPConn).SetLinger(0)
			return
		}
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		switch c.next(r.Header.Get("X-Test")+string(body), connection) {
		case answer:
			fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
		case halfway:
			fmt.Fprint(conn, "H")
			return
		default:
			return
		}
	}
}

func (c *closer) nextIsReset() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.requests) < len(c.ends) && c.ends[len(c.requests)] == reset
}

// handleHTTP2 serves a connection with HTTP/2.
func (c *closer) handleHTTP2(conn net.Conn, connection int) {
	if _, err := io.ReadFull(conn, make([]byte, len(http2.ClientPreface))); err != nil {
		return
	}
	framer := http2.NewFramer(conn, conn)
	framer.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	framer.WriteSettings()
	header, body := "", ""
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				framer.WriteSettingsAck()
			}
		case *http2.MetaHeadersFrame:
			for _, field := range f.RegularFields() {
				if field.Name == "x-test" {
					header = field.Value
				}
			}
		case *http2.DataFrame:
			if body += string(f.Data()); !f.StreamEnded() {
				continue
			}
			if !endHTTP2(framer, f.StreamID, c.next(header+body, connection)) {
				return
			}
			body = ""
		}
	}
}

// endHTTP2 ends a request and reports whether the connection stays open.
func endHTTP2(framer *http2.Framer, stream uint32, how end) (open bool) {
	switch how {
	case answer:
		var block bytes.Buffer
		hpack.NewEncoder(&block).WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
		framer.WriteHeaders(http2.HeadersFrameParam{
			StreamID: stream, BlockFragment: block.Bytes(), EndStream: true, EndHeaders: true,
		})
		return true
	case refuse:
		framer.WriteRSTStream(stream, http2.ErrCodeInternal)
		return true
	case goAway:
		framer.WriteGoAway(stream, http2.ErrCodeNo, nil)
	case goAwayed:
		framer.WriteGoAway(stream-2, http2.ErrCodeNo, nil)
	}
	return false
}
