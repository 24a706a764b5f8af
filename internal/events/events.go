// Package events records what happens in an account. There are several kinds of events, each with its typed
// data. A Recorder inserts events in the transaction of the change that they report and passes them to
// the Outbox, which is package webhooks. A Reader reads them for GET /events.
//
// The JSON envelope of an event is rendered once, when it is recorded, and never changes. Every delivery
// and GET /events use these bytes. The package never sends anything.
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
	Enqueue(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, recorded []Event) error
	// Wants reports whether an endpoint of the account gets events of the kind.
	Wants(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, kind Kind) (bool, error)
}

// Recorder records events.
type Recorder struct{ outbox Outbox }

// NewRecorder returns a Recorder that passes recorded events to outbox.
func NewRecorder(outbox Outbox) *Recorder { return &Recorder{outbox} }

// Record records the events of one change, in the given order, and passes them to the outbox.
func (r *Recorder) Record(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, data ...Data) error {
	dated := make([]Dated, len(data))
	for i, d := range data {
		dated[i] = Dated{stamp.At, d}
	}
	return r.RecordDated(ctx, tx, stamp, dated)
}

// Dated is an event of one of many changes in a write; see clock.Stamp.ExtendTo.
type Dated struct {
	At   time.Time // of the change
	Data Data
}

// RecordDated is Record for the events of many changes, in the order of time. No two events of an account have the same
// time (clock.Stamp.EventTime).
func (r *Recorder) RecordDated(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, dated []Dated) error {
	dated, err := r.withoutUnwanted(ctx, tx, stamp, dated)
	if err != nil || len(dated) == 0 {
		return err
	}
	dated = slices.Clone(dated)
	for i := range dated {
		dated[i].At = stamp.EventTime(tx, dated[i].At)
	}
	recorded, err := render(stamp, dated)
	if err != nil {
		return fmt.Errorf("events.Record: %w", err)
	}
	insert(tx, stamp, recorded)
	if stamp.Endpoints == 0 {
		return nil
	}
	return r.outbox.Enqueue(ctx, tx, stamp, recorded)
}

// withoutUnwanted returns the events without those that are recorded on demand and that no endpoint names.
func (r *Recorder) withoutUnwanted(
	ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, dated []Dated,
) ([]Dated, error) {
	for _, kind := range onDemand {
		ofKind := func(d Dated) bool { return d.Data.Kind() == kind }
		if !slices.ContainsFunc(dated, ofKind) {
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
		dated = slices.DeleteFunc(slices.Clone(dated), ofKind)
	}
	return dated, nil
}

// envelope is the JSON that receivers rely on: exactly these five fields, in this order.
type envelope struct {
	ID        string `json:"id"`
	Event     Kind   `json:"event"`
	CreatedAt string `json:"created_at"`
	AccountID string `json:"account_id"`
	Data      Data   `json:"data"`
}

func render(stamp clock.Stamp, dated []Dated) ([]Event, error) {
	var next func() string
	var millisecond int64 // of next; Reader.Get finds an event by the millisecond in its identifier
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // writes &, < and > unescaped, as GET /events does
	recorded := make([]Event, len(dated))
	for i, d := range dated {
		if ms := d.At.UnixMilli(); next == nil || ms != millisecond {
			next, millisecond = id.Run(id.Event, d.At), ms
		}
		e := Event{AccountID: stamp.AccountID, ID: next(), Kind: d.Data.Kind(), CreatedAt: d.At}
		body.Reset()
		if err := encoder.Encode(envelope{e.ID, e.Kind, timestamp.Format(d.At), e.AccountID, d.Data}); err != nil {
			return nil, err
		}
		e.Body = strings.TrimSuffix(body.String(), "\n")
		recorded[i] = e
	}
	return recorded, nil
}

// insert defers the INSERT of the events.
func insert(tx *postgres.Tx, stamp clock.Stamp, recorded []Event) {
	n := len(recorded)
	accounts, created := make(pq.StringArray, n), make(pq.StringArray, n)
	ids, kinds, bodies := make(pq.StringArray, n), make(pq.StringArray, n), make(pq.StringArray, n)
	for i, e := range recorded {
		accounts[i], created[i], ids[i] = stamp.AccountID, timestamp.Format(e.CreatedAt), e.ID
		kinds[i], bodies[i] = string(e.Kind), e.Body
	}
	tx.DeferRows(`
		INSERT INTO events (account_id, created_at, id, event, body)
		SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])`,
		accounts, created, ids, kinds, bodies)
}
