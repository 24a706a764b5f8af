package webhooks

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/page"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Log reads deliveries together with their attempts.
type Log struct {
	db      *postgres.DB
	cursors page.Cursors
}

// NewLog returns a Log.
func NewLog(db *postgres.DB, cursors page.Cursors) *Log { return &Log{db, cursors} }

// LogFilter selects deliveries. The zero LogFilter selects all.
type LogFilter struct {
	State State
	Event events.Kind
}

// LoggedDelivery is a delivery with its event's kind and its attempts.
type LoggedDelivery struct {
	Delivery
	Event *string // nil if the event is no longer kept, or was made up for a test and has been delivered
	Log   []Attempt
}

const (
	// maxLogScan is the number of deliveries that a page with a filter by event examines.
	maxLogScan = 1000
	// maxLoggedAttempts is the number of attempts of a LoggedDelivery.
	maxLoggedAttempts = 10
)

// List returns a page of the deliveries to an endpoint, newest event first.
func (s *Log) List(
	ctx context.Context, accountID, endpointID string, f LogFilter, p page.Request,
) (page.Page[LoggedDelivery], error) {
	var none page.Page[LoggedDelivery]
	e, err := selectEndpoint(ctx, s.db, accountID, endpointID)
	if err != nil {
		return none, fmt.Errorf("webhooks.Log.List: %w", err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		return none, fmt.Errorf("webhooks.Log.List: %w", err)
	}
	scope := "deliveries " + accountID + " " + e.ID + " " + string(text)
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	read, err := s.read(ctx, e, f, after, p.Size())
	if err != nil {
		return none, fmt.Errorf("webhooks.Log.List: %w", err)
	}
	cut := page.Cut(s.cursors, scope, read, p.Size(), func(d LoggedDelivery) page.Position {
		return page.Position{At: d.CreatedAt, ID: d.ID}
	})
	if err := s.addAttempts(ctx, accountID, cut.Data); err != nil {
		return none, fmt.Errorf("webhooks.Log.List: %w", err)
	}
	return cut, nil
}

// read reads up to size + 1 deliveries after a position, without their attempts.
func (s *Log) read(
	ctx context.Context, e Endpoint, f LogFilter, after *page.Position, size int,
) (read page.Read[LoggedDelivery], err error) {
	filter := Filter{Account: e.AccountID, Endpoint: e.ID}
	if after != nil {
		filter.Cursor = after.ID
	}
	states := []State{Pending, Delivered, Dropped}
	if f.State != "" {
		states = []State{f.State}
	}
	limit := size + 1
	if f.Event != "" {
		limit = maxLogScan
	}
	rows, err := selectDeliveries(ctx, s.db, states, filter, limit)
	if err != nil {
		return read, err
	}
	logged, err := s.withEvents(ctx, e.AccountID, rows)
	if err != nil {
		return read, err
	}
	for i, d := range logged {
		included := f.Event == "" || d.Event != nil && *d.Event == string(f.Event)
		read.Add(d, page.Scanned{Included: included, Last: f.Event != "" && i == maxLogScan-1})
	}
	return read, nil
}

// Describe returns the delivery with its event's kind and its attempts.
func (s *Log) Describe(ctx context.Context, d Delivery) (LoggedDelivery, error) {
	logged, err := s.withEvents(ctx, d.AccountID, []Delivery{d})
	if err == nil {
		err = s.addAttempts(ctx, d.AccountID, logged)
	}
	if err != nil {
		return LoggedDelivery{}, fmt.Errorf("webhooks.Log.Describe: %w", err)
	}
	return logged[0], nil
}

// withEvents adds the kinds of the events.
func (s *Log) withEvents(ctx context.Context, accountID string, rows []Delivery) ([]LoggedDelivery, error) {
	kinds, err := selectKinds(ctx, s.db, accountID, rows)
	if err != nil {
		return nil, err
	}
	logged := make([]LoggedDelivery, len(rows))
	for i, d := range rows {
		logged[i] = LoggedDelivery{Delivery: d, Event: kinds[d.ID]}
	}
	return logged, nil
}

func (s *Log) addAttempts(ctx context.Context, accountID string, rows []LoggedDelivery) error {
	attempts, err := selectLastAttempts(ctx, s.db, accountID, rows)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].Log = attempts[rows[i].ID]
	}
	return nil
}
