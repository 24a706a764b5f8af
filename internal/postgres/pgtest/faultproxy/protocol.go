package faultproxy

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
)

// Message types of PostgreSQL's protocol, version 3.
const (
	typeQuery = 'Q'
	typeParse = 'P'
	typeBind  = 'B'
	typeSync  = 'S'
)

// requests reads the messages of a client, so that the proxy recognizes statements.
type requests struct {
	from     *bufio.Reader
	started  bool              // the first message, which has no type, was read
	prepared map[string]string // statements by name
}

// forwardRequests forwards the client's messages and springs the proxy's traps.
func (l *Link) forwardRequests(server net.Conn) {
	in := &requests{from: bufio.NewReaderSize(l.client, 32<<10), prepared: map[string]string{}}
	out := bufio.NewWriterSize(server, 32<<10)
	var sprung *trap
	for {
		message, err := in.next()
		if err != nil {
			out.Flush()
			return
		}
		statement := in.statement(message)
		if statement != "" {
			l.proxy.statements.Add(1)
		}
		if sprung == nil {
			sprung = l.proxy.spring(statement)
			if sprung != nil && sprung.after {
				l.responses.shut()
			} else if sprung != nil {
				out.Flush()
				l.Freeze()
				sprung.hit <- l
				sprung = nil
			}
		}
		if !l.requests.pass(l.cut) {
			return
		}
		out.Write(message)
		ends := message[0] == typeQuery || message[0] == typeSync
		if ends || in.from.Buffered() == 0 {
			if out.Flush() != nil {
				return
			}
		}
		if ends && sprung != nil { // the server can now execute the statement
			l.Freeze()
			sprung.hit <- l
			sprung = nil
		}
	}
}

// next returns the next message with its type and length.
func (r *requests) next() ([]byte, error) {
	header := make([]byte, 5)
	if !r.started {
		header = header[:4]
	}
	if _, err := io.ReadFull(r.from, header); err != nil {
		return nil, err
	}
	length := int(binary.BigEndian.Uint32(header[len(header)-4:])) - 4
	r.started = true
	message := make([]byte, len(header)+length)
	copy(message, header)
	_, err := io.ReadFull(r.from, message[len(header):])
	return message, err
}

// statement returns the text of the statement that a message runs or prepares, or "".
func (r *requests) statement(message []byte) string {
	body := message[min(5, len(message)):]
	first, rest, _ := bytes.Cut(body, []byte{0})
	second, _, _ := bytes.Cut(rest, []byte{0})
	switch message[0] {
	case typeQuery:
		return string(first)
	case typeParse:
		name, text := string(first), string(second)
		if r.prepared[name] = text; name == "" {
			return text // it runs at once; a named one is recognized when it is bound
		}
	case typeBind:
		if name := string(second); name != "" {
			return r.prepared[name]
		}
	}
	return ""
}
