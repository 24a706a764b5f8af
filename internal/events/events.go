// Package events records events of an account. There are several kinds of events, each with its typed data. A Recorder
// inserts events in the transaction of the change that they report and passes them to the Outbox, which is package
// webhooks. A Reader reads them for GET /events.
//
// The JSON envelope of an event is rendered once, when it is recorded, and never changes. Every delivery and GET
// /events use these bytes. The package never sends anything.
package events

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Event is a recorded event.
type Event struct {
	AccountID string
	ID        string
	Kind      Kind
	CreatedAt time.Time
	// Body is the envelope, which deliveries send and sign.
	Body string
}

// Outbox enqueues events for delivery to webhook endpoints, in the transaction that records them.
type Outbox interface {
	Enqueue(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, events []Event) error
	// Wants reports whether an endpoint of the account gets events of the kind.
	Wants(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, kind Kind) (bool, error)
}

// Recorder records events.
type Recorder struct{ outbox Outbox }

// NewRecorder returns a Recorder that passes recorded events to outbox.
func NewRecorder(outbox Outbox) *Recorder { return &Recorder{outbox} }

// Record records the events of one change, in the given order, and passes them to the outbox.
func (r *Recorder) Record(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, data ...Data) error {
	list := make([]Dated, len(data))
	for i, d := range data {
		list[i] = Dated{stamp.At, d}
	}
	return r.RecordDated(ctx, tx, stamp, list)
}

// Dated is an event of one of many changes in a write; see clock.Stamp.ExtendTo.
type Dated struct {
	At   time.Time // of the change
	Data Data
}

// RecordDated is Record for the events of many changes, in the order of time. No two events of an account have the same
// time (clock.Stamp.EventTime).
func (r *Recorder) RecordDated(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, data []Dated) error {
	data, err := r.withoutUnwanted(ctx, tx, stamp, data)
	if err != nil || len(data) == 0 {
		return err
	}
	data = slices.Clone(data)
	for i := range data {
		data[i].At = stamp.EventTime(tx, data[i].At)
	}
	events, err := render(stamp, data)
	if err != nil {
		return fmt.Errorf("record events: %w", err)
	}
	insert(tx, stamp, events)
	if stamp.Endpoints == 0 {
		return nil
	}
	return r.outbox.Enqueue(ctx, tx, stamp, events)
}

// withoutUnwanted drops events of kinds that are recorded on demand and that no endpoint names.
func (r *Recorder) withoutUnwanted(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, data []Dated,
) ([]Dated, error) {
	for _, kind := range onDemand {
		ofKind := func(d Dated) bool { return d.Data.Kind() == kind }
		if !slices.ContainsFunc(data, ofKind) {
			continue
		}
		if stamp.Endpoints > 0 {
			wanted, err := r.outbox.Wants(ctx, tx, stamp, kind)
			if err != nil {
				return nil, err
			}
			if wanted {
				continue
			}
		}
		data = slices.DeleteFunc(slices.Clone(data), ofKind)
	}
	return data, nil
}

// envelope is the JSON that receivers rely on: exactly these five fields, in this order.
type envelope struct {
	ID        string `json:"id"`
	Event     Kind   `json:"event"`
	CreatedAt string `json:"created_at"`
	AccountID string `json:"account_id"`
	Data      Data   `json:"data"`
}

func render(stamp clock.Stamp, data []Dated) ([]Event, error) {
	var next func() string
	var millisecond int64 // of next; Reader.Get finds an event by the millisecond in its identifier
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // writes &, < and > unescaped, as GET /events does
	events := make([]Event, len(data))
	for i, d := range data {
		if ms := d.At.UnixMilli(); next == nil || ms != millisecond {
			next, millisecond = id.Run(id.Event, d.At), ms
		}
		e := Event{AccountID: stamp.AccountID, ID: next(), Kind: d.Data.Kind(), CreatedAt: d.At}
		body.Reset()
		if err := encoder.Encode(envelope{e.ID, e.Kind, timestamp.Format(d.At), e.AccountID, d.Data}); err != nil {
			return nil, err
		}
		e.Body = strings.TrimSuffix(body.String(), "\n")
		events[i] = e
	}
	return events, nil
}

// insert defers the INSERT of the events.
func insert(tx *postgres.Tx, stamp clock.Stamp, events []Event) {
	n := len(events)
	accounts, times := make(pq.StringArray, n), make(pq.StringArray, n)
	ids, kinds, bodies := make(pq.StringArray, n), make(pq.StringArray, n), make(pq.StringArray, n)
	for i, e := range events {
		accounts[i], times[i], ids[i] = stamp.AccountID, timestamp.Format(e.CreatedAt), e.ID
		kinds[i], bodies[i] = string(e.Kind), e.Body
	}
	tx.DeferRows(`
		INSERT INTO events (account_id, created_at, id, event, body)
		SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])`,
		accounts, times, ids, kinds, bodies)
}
