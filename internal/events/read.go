package events

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Reader reads recorded events. They are kept for 30 days.
type Reader struct {
	db      *postgres.DB
	cursors paging.Cursors
}

// NewReader returns a Reader.
func NewReader(db *postgres.DB, cursors paging.Cursors) *Reader { return &Reader{db, cursors} }

// Filter selects events. The zero Filter selects all.
type Filter struct {
	Kinds        []Kind
	CreatedSince *time.Time // inclusive; also changes the order to oldest first
	CardID       string     `json:",omitempty"` // only events about this card
}

// row is a stored event.
type row struct {
	ID        string    `db:"id"`
	CreatedAt time.Time `db:"created_at"`
	Kind      Kind      `db:"event"`
	Body      string    `db:"body"`
}

// Get returns the envelope of one event. It returns event_not_found if the account has no event with this id.
func (r *Reader) Get(ctx context.Context, accountID, eventID string) (json.RawMessage, error) {
	notFound := fault.NotFound(fault.EventNotFound)
	eventID, ok := id.Parse(id.Event, eventID)
	if !ok {
		return nil, notFound
	}
	// The id contains the millisecond of created_at, which selects the partition.
	from := id.Time(eventID)
	var result row
	err := r.db.Get(ctx, &result, `
		SELECT id, created_at, event, body FROM events
		WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 AND id = $4`,
		accountID, from, from.Add(time.Millisecond), eventID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, notFound
	}
	if err != nil {
		return nil, fmt.Errorf("load event: %w", err)
	}
	return json.RawMessage(result.Body), nil
}

// List returns a page of envelopes: newest first or, with CreatedSince, oldest first.
func (r *Reader) List(ctx context.Context, accountID string, f Filter,
	p paging.Request) (paging.Page[json.RawMessage], error) {
	var none paging.Page[json.RawMessage]
	for _, kind := range f.Kinds {
		if !slices.Contains(Kinds, kind) {
			return none, fault.Invalid("event", "must be the kind of an event, such as %s", KindListingSold)
		}
	}
	if f.CardID != "" {
		cardID, ok := id.Parse(id.Card, f.CardID)
		if !ok {
			return none, fault.Invalid("card_id", "must be a card identifier (card_…)")
		}
		f.CardID = cardID
	}
	text, err := json.Marshal(f)
	if err != nil {
		return none, fmt.Errorf("list events: %w", err)
	}
	scope := "events " + accountID + " " + string(text)
	after, err := r.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	l := paging.List{
		Columns: "id, created_at, event, body", Table: "events", Sort: paging.ByTime("created_at"),
		ID: "id", Account: accountID, Since: f.CreatedSince,
	}
	if len(f.Kinds) > 0 {
		l.Filter = append(l.Filter, paging.Where("event = ANY(?)", pq.Array(f.Kinds)))
	}
	if f.CardID != "" {
		// Envelopes are written without spaces, and a quote within a text is escaped.
		l.Filter = append(l.Filter, paging.Where("strpos(body, ?) > 0", `"card_id":"`+f.CardID+`"`))
	}
	var rows []struct {
		row
		paging.Scanned
	}
	if err := paging.Select(ctx, r.db, &rows, l, after, p.Size()); err != nil {
		return none, fmt.Errorf("list events: %w", err)
	}
	var read paging.Read[row]
	for _, e := range rows {
		read.Add(e.row, e.Scanned)
	}
	cut := paging.Cut(r.cursors, scope, read, p.Size(), func(e row) paging.Position {
		return paging.Position{At: e.CreatedAt, ID: e.ID}
	})
	bodies := make([]json.RawMessage, len(cut.Data))
	for i, e := range cut.Data {
		bodies[i] = json.RawMessage(e.Body)
	}
	return paging.Page[json.RawMessage]{Data: bodies, NextCursor: cut.NextCursor}, nil
}
