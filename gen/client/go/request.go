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
	"time"
)

// request is a call of an operation by a generated method.
type request struct {
	operation string // the name of the method of Client, for errors
	method    string
	path      string   // with a %s for each of segments
	segments  []string // the identifiers in the path, not escaped
	query     url.Values
	body      any    // sent as JSON unless it is a nil pointer
	form      any    // a struct that is sent as a form
	picture   []byte // sent unchanged
}

// userAgent has the name and version of the client, and the version of Go.
var userAgent = "cardvault-go/" + Version + " " + runtime.Version()

// rateClass returns the class of the request, x-rate-class in the contract.
func (r request) rateClass() RateClass {
	switch {
	case r.operation == "Identify" || r.operation == "LookupPrice" || r.operation == "LookupPrices":
		return RateClassAI
	case r.method == http.MethodGet:
		return RateClassRead
	}
	return RateClassWrite
}

// message is a prepared request, which can be sent several times.
type message struct {
	operation, method, url string
	class                  RateClass
	header                 http.Header
	body                   []byte
	uploadTime             time.Duration // that an attempt gets in addition to the client's timeout
	into                   *Response     // where to store the response, or nil
}

// prepare returns the message for a request. A POST has an idempotency key, which is the same in every attempt: the
// caller's or a new one.
func (c *Client) prepare(r request, options []RequestOption) (*message, error) {
	path, err := r.fullPath()
	if err != nil {
		return nil, err
	}
	m := &message{operation: r.operation, method: r.method, url: c.baseURL + path, class: r.rateClass(),
		header: http.Header{}}
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

// fullPath inserts the identifiers into the path. It returns an error for an identifier that would change the path.
func (r request) fullPath() (string, error) {
	escaped := make([]any, len(r.segments))
	for i, segment := range r.segments {
		if strings.Trim(segment, ".") == "" {
			return "", fmt.Errorf("cardvault: %s: %q is not an identifier: pass one that the service returned",
				r.operation, segment)
		}
		escaped[i] = url.PathEscape(segment)
	}
	return fmt.Sprintf(r.path, escaped...), nil
}

func (m *message) setBody(r request) error {
	if r.picture != nil {
		m.body = r.picture
		m.header.Set("Content-Type", pictureType(r.picture))
		return nil
	}
	if r.form != nil {
		return m.setForm(r.form)
	}
	if r.body == nil {
		return nil
	}
	text, err := json.Marshal(r.body)
	if err != nil {
		return fmt.Errorf("cardvault: %s: the body: %w", m.operation, err)
	}
	if string(text) == "null" { // an optional body that is omitted
		return nil
	}
	m.body = text
	m.header.Set("Content-Type", "application/json")
	return nil
}

// httpRequest returns the HTTP request of one attempt.
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
