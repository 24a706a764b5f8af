package cardvault

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"runtime"
	"strings"
)

// request is a call of an operation, as the generated methods describe it.
type request struct {
	operation string // its method's name, for errors
	method    string
	path      string   // with %s for each of segments
	segments  []string // identifiers in the path, as the caller gave them
	query     url.Values
	body      any    // sent as JSON, unless it is a nil pointer
	picture   []byte // sent as it is
}

// userAgent names the client, its version and Go's.
var userAgent = "cardvault-go/" + Version + " " + runtime.Version()

// message is a request made ready to be sent any number of times.
type message struct {
	operation, method, url string
	header                 http.Header
	body                   []byte
	into                   *Response // what the caller wants to know of the answer, or nil
}

// prepare turns a request into what is sent. A POST gets an idempotency key, the same for every attempt, unless the
// caller has given one.
func (c *Client) prepare(r request, options []RequestOption) (*message, error) {
	path, err := r.fullPath()
	if err != nil {
		return nil, err
	}
	m := &message{operation: r.operation, method: r.method, url: c.baseURL + path, header: http.Header{}}
	if len(r.query) > 0 {
		m.url += "?" + r.query.Encode()
	}
	m.header.Set("Authorization", "Bearer "+c.token)
	m.header.Set("Accept", "application/json")
	m.header.Set("User-Agent", userAgent)
	if err := m.setBody(r); err != nil {
		return nil, err
	}
	if r.method == http.MethodPost {
		m.header.Set(idempotencyKey, rand.Text())
	}
	for _, option := range options {
		option(m)
	}
	return m, nil
}

// fullPath puts the identifiers into the path. One that would make it another path is refused.
func (r request) fullPath() (string, error) {
	escaped := make([]any, len(r.segments))
	for i, segment := range r.segments {
		if strings.Trim(segment, ".") == "" {
			return "", fmt.Errorf("cardvault: %s: %q is not an identifier: give one that the service has answered", r.operation, segment)
		}
		escaped[i] = url.PathEscape(segment)
	}
	return fmt.Sprintf(r.path, escaped...), nil
}

func (m *message) setBody(r request) error {
	if r.picture != nil {
		m.body = r.picture
		m.header.Set("Content-Type", http.DetectContentType(r.picture))
		return nil
	}
	if r.body == nil {
		return nil
	}
	text, err := json.Marshal(r.body)
	if err != nil {
		return fmt.Errorf("cardvault: %s: the body: %w", m.operation, err)
	}
	if string(text) == "null" { // a body that may be left out, and is
		return nil
	}
	m.body = text
	m.header.Set("Content-Type", "application/json")
	return nil
}

// httpRequest makes the request of one attempt.
func (m *message) httpRequest(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	if m.body != nil {
		body = bytes.NewReader(m.body)
	}
	r, err := http.NewRequestWithContext(ctx, m.method, m.url, body)
	if err != nil {
		return nil, fmt.Errorf("cardvault: %s: %w", m.operation, err)
	}
	r.Header = m.header.Clone()
	return r, nil
}
