// Package events is what happened in an account: the eight kinds, each with its
// typed data, written in the transaction of the change they tell of (the outbox).
//
// An event's envelope is rendered once, here, and never changes: every delivery sends these bytes
// and GET /events answers them. The package never sends anything.
package events

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Event is one event as recorded.
type Event struct {
	AccountID string
	ID        string
	Kind      Kind
	CreatedAt time.Time
	// Body is the envelope: the bytes that receivers get and signatures cover.
	Body string
}

// Outbox takes events on their way to webhook endpoints, inside the transaction that records them.
type Outbox interface {
	Enqueue(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, recorded []Event) error
}

// Recorder writes events.
type Recorder struct{ outbox Outbox }

// NewRecorder returns a recorder that hands what it records to outbox.
func NewRecorder(outbox Outbox) *Recorder { return &Recorder{outbox} }

// Record writes the events in the order given, at the stamp's time, and puts them into the outbox.
func (r *Recorder) Record(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, data ...Data) error {
	dated := make([]Dated, len(data))
	for i, d := range data {
		dated[i] = Dated{stamp.At, d}
	}
	return r.RecordDated(ctx, tx, stamp, dated)
}

// Dated is what happened at a time of its own within a lengthened write.
type Dated struct {
	At   time.Time
	Data Data
}

// RecordDated is Record for events of several times, in order.
func (r *Recorder) RecordDated(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, dated []Dated) error {
	if len(dated) == 0 {
		return nil
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

// envelope is what receivers rely on: exactly these five fields, in this order.
type envelope struct {
	ID        string `json:"id"`
	Event     Kind   `json:"event"`
	CreatedAt string `json:"created_at"`
	AccountID string `json:"account_id"`
	Data      Data   `json:"data"`
}

func render(stamp clock.Stamp, dated []Dated) ([]Event, error) {
	var next func() string
	var millisecond int64 // that an identifier tells, which is where its event is looked for
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false) // & < > stand as they are, here and where the API answers the event
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

// insert has the events written with the transaction's last statements.
func insert(tx *postgres.Tx, stamp clock.Stamp, recorded []Event) {
	n := len(recorded)
	accounts, created := make(pq.StringArray, n), make(pq.StringArray, n)
	ids, kinds, bodies := make(pq.StringArray, n), make(pq.StringArray, n), make(pq.StringArray, n)
	for i, e := range recorded {
		accounts[i], created[i], ids[i], kinds[i], bodies[i] = stamp.AccountID, timestamp.Format(e.CreatedAt), e.ID, string(e.Kind), e.Body
	}
	tx.DeferRows(`
		INSERT INTO events (account_id, created_at, id, event, body)
		SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[])`,
		accounts, created, ids, kinds, bodies)
}
