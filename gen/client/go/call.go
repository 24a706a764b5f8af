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
	var last error
	for attempt := 1; ; attempt++ {
		if ended := c.acquire(ctx, m); ended != nil {
			return m.interrupted(ended, last)
		}
		response, body, err := c.attempt(ctx, m, attempt)
		c.throttles[m.class].observe(response)
		if err == nil {
			return m.decode(body, dest)
		}
		pause, retry := c.retry(attempt, err)
		if !retry {
			return err
		}
		if ended := sleep(ctx, pause); ended != nil {
			return m.interrupted(ended, err)
		}
		last = err
	}
}

// acquire waits until the rate limit allows an attempt.
func (c *Client) acquire(ctx context.Context, m *message) error {
	if c.maxRetries <= 0 {
		return nil
	}
	return c.throttles[m.class].acquire(ctx)
}

// interrupted returns the error of a request whose context ended before an attempt. last is the error of the attempt
// before, nil if there was none.
func (m *message) interrupted(ended, last error) error {
	if last == nil {
		return fmt.Errorf("cardvault: %s: %w before the rate limit allowed the request", m.operation, ended)
	}
	return fmt.Errorf("cardvault: %s: %w before another attempt; the last one: %w", m.operation, ended, last)
}

// attempt sends a request once and returns the response and its body. The response is zero if there was none.
func (c *Client) attempt(ctx context.Context, m *message, number int) (Response, []byte, error) {
	attemptCtx, cancel := ctx, func() {}
	if c.timeout > 0 {
		attemptCtx, cancel = context.WithTimeout(ctx, c.timeout+m.uploadTime)
	}
	defer cancel()
	req, err := m.httpRequest(attemptCtx)
	if err != nil {
		return Response{}, nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return Response{}, nil, c.noResponse(ctx, attemptCtx, m, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return Response{}, nil, c.noResponse(ctx, attemptCtx, m, err)
	}
	response := newResponse(resp, number)
	if m.into != nil {
		*m.into = response
	}
	return response, body, m.outcome(response, body)
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
		return &TimeoutError{Operation: m.operation, After: c.timeout + m.uploadTime}
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
