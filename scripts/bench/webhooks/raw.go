package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// Raw is the helper that sends the same requests as the engine without a database: the least that an engine can cost.
type Raw struct{ client *http.Client }

func newRaw() *Raw {
	return &Raw{&http.Client{
		Timeout:   10 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: workersAtOnce},
	}}
}

// Sending says what to send: Count requests, one every Interval or, if that is 0, as fast as possible.
type Sending struct {
	URL, Secret string
	Count       int
	Interval    time.Duration
}

// Send sends the requests and returns when each was started.
func (r *Raw) Send(o Sending, begun *Times) (err error) {
	*begun, err = paced(context.Background(), o.Count, workersAtOnce, o.Interval,
		func(ctx context.Context, i int) (time.Time, error) {
			at := time.Now()
			return at, r.post(ctx, o, i, at)
		})
	return err
}

func (r *Raw) post(ctx context.Context, o Sending, i int, at time.Time) error {
	body, err := rawBody(i, at)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, o.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(webhooks.Header, webhooks.Sign(o.Secret, at, body))
	answer, err := r.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("raw: the sink answered %s", answer.Status)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// rawBody renders an envelope like the service's.
func rawBody(i int, at time.Time) ([]byte, error) {
	data := numbered(i)
	return json.Marshal(struct {
		ID        string      `json:"id"`
		Event     events.Kind `json:"event"`
		CreatedAt time.Time   `json:"created_at"`
		AccountID string      `json:"account_id"`
		Data      events.Data `json:"data"`
	}{fmt.Sprintf("evt_%026d", i), data.Kind(), at, fmt.Sprintf("acc_%026d", 0), data})
}
