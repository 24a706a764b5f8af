package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
)

// connection sends prepared requests over one keep-alive connection. The load generator shares the machine with the
// programs that it measures, so it must use little processor time.
type connection struct {
	net.Conn
	in *bufio.Reader
}

func dial(ctx context.Context, addr string) (*connection, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return &connection{conn, bufio.NewReaderSize(conn, 64<<10)}, nil
}

// do sends a request and reads its answer to the end. Anything but 200 is an error.
func (c *connection) do(request []byte) error { return c.expect(request, http.StatusOK) }

// expect is do for requests that are answered with another status.
func (c *connection) expect(request []byte, status int) error {
	body, err := c.send(request, status)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, body)
	return err
}

// decode is do for requests whose answer is decoded.
func (c *connection) decode(request []byte, into any) error {
	body, err := c.send(request, http.StatusOK)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// send sends a request and returns the body of its answer, which the caller must read to the end. Another status is an
// error.
func (c *connection) send(request []byte, status int) (body io.Reader, err error) {
	if _, err := c.Write(request); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != status {
		text, _ := io.ReadAll(answer.Body)
		return nil, fmt.Errorf("%s: %.300s", answer.Status, text)
	}
	return answer.Body, nil
}

// request renders a request. target is the path below /api with its query.
func request(method, target, token, body string) []byte {
	text := method + " /api" + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token +
		"\r\nAccept: application/json\r\n"
	if body != "" {
		text += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return []byte(text + "\r\n" + body)
}

// fetch sends a GET that is not measured and decodes the response.
func fetch(ctx context.Context, p *process, target, token string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.addr+"/api"+target, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: GET %s: %s", p.name, target, answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}
