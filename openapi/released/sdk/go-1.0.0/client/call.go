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

// call sends a request whose answer is a T.
func call[T any](ctx context.Context, c *Client, r request, options []RequestOption) (*T, error) {
	answer := new(T)
	if err := c.call(ctx, r, answer, options); err != nil {
		return nil, err
	}
	return answer, nil
}

// call sends a request, again where that can help, and reads the answer's body into answer unless that is nil.
func (c *Client) call(ctx context.Context, r request, answer any, options []RequestOption) error {
	m, err := c.prepare(r, options)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		body, err := c.attempt(ctx, m, attempt)
		if err == nil {
			return m.decode(body, answer)
		}
		pause, again := c.retry(attempt, err)
		if !again {
			return err
		}
		if ended := sleep(ctx, pause); ended != nil {
			return fmt.Errorf("cardvault: %s: %w before another attempt; the last one: %w", m.operation, ended, err)
		}
	}
}

// attempt sends a request once and returns the body of a successful answer.
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
		return nil, c.unanswered(ctx, attemptCtx, m, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, c.unanswered(ctx, attemptCtx, m, err)
	}
	response := newResponse(resp, number)
	if m.into != nil {
		*m.into = response
	}
	return body, m.outcome(response, body)
}

// outcome is the error that an answer's status stands for, nil for success.
func (m *message) outcome(response Response, body []byte) error {
	switch {
	case response.Status == http.StatusNotModified:
		return ErrNotModified
	case response.Status < 200 || response.Status > 299:
		return newAPIError(m.operation, response, body)
	}
	return nil
}

// unanswered says why there was no whole answer: the caller's context has ended, the attempt's time is up, or the
// connection failed.
func (c *Client) unanswered(caller, attempt context.Context, m *message, err error) error {
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
		err = outer.Err // the operation says which address
	}
	return &ConnectionError{Operation: m.operation, Err: err}
}

func (m *message) decode(body []byte, answer any) error {
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return fmt.Errorf("cardvault: %s: the answer is not what the API answers; check the base address of %s: %w", m.operation, m.url, err)
	}
	return nil
}

// sleep waits, or returns the context's error as soon as it ends.
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
