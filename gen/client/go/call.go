package cardvault

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// call sends a request and returns its response, decoded as a T.
func call[T any](ctx context.Context, c *Client, r request, options []RequestOption) (*T, error) {
	dest := new(T)
	if err := c.call(ctx, r, dest, options); err != nil {
		return nil, err
	}
	return dest, nil
}

// call sends a request, with retries, and decodes the body of the response into dest unless dest is nil.
func (c *Client) call(ctx context.Context, r request, dest any, options []RequestOption) error {
	m, err := c.prepare(r, options)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		body, err := c.attempt(ctx, m, attempt)
		if err == nil {
			return m.decode(body, dest)
		}
		pause, retry := c.retry(attempt, err)
		if !retry {
			return err
		}
		if ended := sleep(ctx, pause); ended != nil {
			return fmt.Errorf("cardvault: %s: %w before another attempt; the last one: %w", m.operation, ended, err)
		}
	}
}

// attempt sends a request once and returns the body of a successful response.
func (c *Client) attempt(ctx context.Context, m *message, number int) ([]byte, error) {
	attemptCtx, cancel := ctx, func() {}
	if c.timeout > 0 {
		attemptCtx, cancel = context.WithTimeout(ctx, c.timeout)
	}
	defer cancel()
	req, err := m.httpRequest(attemptCtx)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.noResponse(ctx, attemptCtx, m, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, c.noResponse(ctx, attemptCtx, m, err)
	}
	response := newResponse(resp, number)
	if m.into != nil {
		*m.into = response
	}
	return body, m.outcome(response, body)
}

// outcome returns the error for the status of a response, nil for success.
func (m *message) outcome(response Response, body []byte) error {
	switch {
	case response.Status == http.StatusNotModified:
		return ErrNotModified
	case response.Status < 200 || response.Status > 299:
		return newAPIError(m.operation, response, body)
	}
	return nil
}

// noResponse returns the error of an attempt without a complete response: the caller's context has ended, the attempt
// has timed out, or the connection failed.
func (c *Client) noResponse(caller, attempt context.Context, m *message, err error) error {
	if ended := caller.Err(); ended != nil {
		return fmt.Errorf("cardvault: %s: %w", m.operation, ended)
	}
	if attempt.Err() != nil {
		return &TimeoutError{Operation: m.operation, After: c.timeout}
	}
	if timeout, ok := as[net.Error](err); ok && timeout.Timeout() {
		return &TimeoutError{Operation: m.operation}
	}
	if outer, ok := as[*url.Error](err); ok {
		err = outer.Err // without the method and the URL, which the operation implies
	}
	return &ConnectionError{Operation: m.operation, Err: err}
}

func (m *message) decode(body []byte, dest any) error {
	if dest == nil {
		return nil
	}
	if err := json.Unmarshal(body, dest); err != nil {
		return fmt.Errorf("cardvault: %s: the response of %s is not from the API: check the base URL: %w",
			m.operation, m.url, err)
	}
	return nil
}

// sleep waits for pause. If the context ends before, it returns the context's error at once.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
