package ebayapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

const (
	// callTimeout limits one call, from dial to the last byte of the body. publishOffer takes seconds
	// on eBay.
	callTimeout = 20 * time.Second
	// maxBody limits a response body. A page of 200 orders with every field is below 4 MB.
	maxBody = 8 << 20
	// maxRetryAfter limits the Retry-After of a marketplace.
	maxRetryAfter = time.Hour
)

// NewHTTPClient returns a client for a marketplace whose URL the operator configured. All sellers
// share it. It follows no redirects, because these APIs have none, and ignores proxies in the
// environment.
func NewHTTPClient() *http.Client {
	return &http.Client{
		Timeout:       callTimeout,
		Transport:     &http.Transport{MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// apiError is a response with errors[].
type apiError struct {
	Status int
	Errors []wire.Error
}

// Error returns the status and the first reason.
func (e *apiError) Error() string {
	return fmt.Sprintf("status %d: %d %s", e.Status, e.Errors[0].ErrorID, e.Errors[0].Message)
}

// existingOffer returns the identifier of the existing offer that a failed createOffer names.
func (e *apiError) existingOffer() (string, bool) {
	for _, reason := range e.Errors {
		for _, p := range reason.Parameters {
			if reason.ErrorID == wire.UserError && p.Name == wire.ParameterOffer && p.Value != "" {
				return p.Value, true
			}
		}
	}
	return "", false
}

// refusal converts the error to one for the seller. eBay's long messages tell the seller what to do.
func (e *apiError) refusal() *marketplaces.Refusal {
	first := e.Errors[0]
	message := first.LongMessage
	if message == "" {
		message = first.Message
	}
	return &marketplaces.Refusal{Code: "ebay_" + strconv.Itoa(first.ErrorID), Message: message}
}

// file is a body that is sent as it is, not as JSON.
type file struct {
	contentType string
	parts       [][]byte
}

// reader returns the file from its start. The parts are not copied, because pictures have megabytes.
func (f file) reader() (body io.Reader, size int64) {
	readers := make([]io.Reader, len(f.parts))
	for i, part := range f.parts {
		readers[i], size = bytes.NewReader(part), size+int64(len(part))
	}
	return io.MultiReader(readers...), size
}

// plain is an answer with its headers, which is not decoded.
type plain struct {
	header http.Header
	body   []byte
}

// do sends body as JSON unless it is nil or a file, and decodes the response into answer unless that is nil or a plain.
// It returns an *apiError if the marketplace refused the request permanently, and a *fault.Error with
// code upstream_error if the call can be retried.
func (s *Seller) do(ctx context.Context, method, path string, body, answer any) error {
	token, err := s.token(ctx)
	if err != nil {
		return err
	}
	err = s.send(ctx, token, method, path, body, answer)
	if s.cfg.Reject == nil || !errors.Is(err, errUnauthorized) {
		return err
	}
	if err := s.cfg.Reject(ctx, token); err != nil {
		return fmt.Errorf("ebayapi: reject token: %w", err)
	}
	if token, err = s.token(ctx); err != nil {
		return err
	}
	return s.send(ctx, token, method, path, body, answer)
}

// errUnauthorized means that the marketplace does not accept the access token.
var errUnauthorized = errors.New("ebayapi: the access token was not accepted")

func (s *Seller) token(ctx context.Context) (string, error) {
	token, err := s.cfg.Token(ctx)
	if err != nil {
		return "", fmt.Errorf("ebayapi: token: %w", err)
	}
	return token, nil
}

// send sends one request.
func (s *Seller) send(ctx context.Context, token, method, path string, body, answer any) error {
	req, err := s.request(ctx, token, method, path, body)
	if err != nil {
		return err
	}
	if s.cfg.Take != nil {
		if err := s.cfg.Take(ctx); err != nil {
			return err
		}
	}
	resp, err := s.cfg.HTTP.Do(req)
	if err != nil {
		return s.later("does not answer", 0, err)
	}
	defer resp.Body.Close()
	traceStatus(ctx, resp.StatusCode)
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return s.later("broke off its answer", 0, err)
	}
	if len(data) > maxBody {
		return s.later("sent an answer that is too large", 0, nil)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return s.failure(resp, data)
	}
	if answer == nil {
		return nil
	}
	if whole, ok := answer.(*plain); ok {
		whole.header, whole.body = resp.Header, data
		return nil
	}
	if err := json.Unmarshal(data, answer); err != nil {
		return s.later("sent an answer that cannot be read", 0, err)
	}
	return nil
}

func (s *Seller) request(ctx context.Context, token, method, path string, body any) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.address(path), nil)
	if err != nil {
		return nil, fmt.Errorf("ebayapi: request: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "CardVault/1")
	switch content := body.(type) {
	case nil:
		return req, nil
	case file:
		reader, size := content.reader()
		req.Body, req.ContentLength = io.NopCloser(reader), size
		req.Header.Set("Content-Type", content.contentType)
		return req, nil
	}
	data, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("ebayapi: request body: %w", err)
	}
	req.Body, req.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Content-Language", s.cfg.Language)
	return req, nil
}

// address returns the URL of a path. The Media API is on a host of its own.
func (s *Seller) address(path string) string {
	if strings.HasPrefix(path, wire.MediaPath+"/") {
		return s.cfg.MediaURL + path
	}
	return s.cfg.BaseURL + path
}

// failure classifies a response that is not 2xx. A 4xx with errors is permanent, except for temporary
// conditions (408, 409, 425, 429) and for an invalid token (401, 403), which can be replaced. A
// response without errors comes from an intermediary, not from the marketplace. 413 and 415 are for pictures that the
// marketplace does not take.
func (s *Seller) failure(resp *http.Response, data []byte) error {
	if resp.StatusCode == http.StatusUnauthorized {
		return s.later("does not accept the seller's authorisation", 0, errUnauthorized)
	}
	var body wire.ErrorBody
	if err := json.Unmarshal(data, &body); err != nil || len(body.Errors) == 0 {
		return s.later("answers in an unexpected way", retryAfter(resp.Header), errors.New(resp.Status))
	}
	answer := &apiError{Status: resp.StatusCode, Errors: body.Errors}
	switch resp.StatusCode {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity,
		http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType:
		return answer
	case http.StatusForbidden:
		return s.later("does not accept the seller's authorisation", 0, errors.New(answer.Error()))
	}
	return s.later("cannot take the request at the moment", retryAfter(resp.Header), errors.New(answer.Error()))
}

func (s *Seller) later(what string, wait time.Duration, err error) error {
	return fault.New(fault.UpstreamError, "the marketplace %s %s", s.cfg.Name, what).WithRetryAfter(wait).WithCause(err)
}

// retryAfter parses whole seconds. eBay sends no dates.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, maxRetryAfter)
}
