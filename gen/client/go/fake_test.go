package cardvault

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// service is a fake of the service that uses no network, so that tests can run in a synctest bubble.
type service func(*http.Request) (*http.Response, error)

func (s service) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	return s(r)
}

// client returns a client of the fake service whose random pauses have their maximum length.
func (s service) client(t *testing.T, options ...Option) *Client {
	t.Helper()
	options = append([]Option{WithHTTPClient(&http.Client{Transport: s})}, options...)
	c, err := New("https://vault.example/api/", "cv_test_token", options...)
	if err != nil {
		t.Fatal(err)
	}
	c.jitter = func(limit time.Duration) time.Duration { return limit - 1 }
	return c
}

// inTurn returns a service that handles each request with the next of the responses. One request too many fails the
// test.
func inTurn(t *testing.T, responses ...service) (s service, count *int) {
	count = new(int)
	return func(r *http.Request) (*http.Response, error) {
		*count++
		if *count > len(responses) {
			t.Errorf("request %d: %s %s: want only %d requests", *count, r.Method, r.URL, len(responses))
			return respond(http.StatusInternalServerError, "")(r)
		}
		return responses[*count-1](r)
	}, count
}

// respond responds with a status, a body and headers given as "Name: value".
func respond(status int, body string, headers ...string) service {
	return func(r *http.Request) (*http.Response, error) {
		header := http.Header{}
		for _, line := range headers {
			name, value, _ := strings.Cut(line, ": ")
			header.Add(name, value)
		}
		return &http.Response{
			StatusCode: status, Header: header, Request: r, Body: io.NopCloser(strings.NewReader(body)),
		}, nil
	}
}

// refuse responds with an error of the API.
func refuse(status int, code Code, headers ...string) service {
	body := fmt.Sprintf(`{"error":{"code":%q,"message":"It cannot be done.","status":%d}}`, string(code), status)
	return respond(status, body, headers...)
}

// hang does not respond until the request's context ends.
func hang(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// breaks closes the connection with an error.
func breaks(err error) service {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}
