package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Log reads deliveries together with their attempts.
type Log struct {
	db      *postgres.DB
	cursors paging.Cursors
}

// NewLog returns a Log.
func NewLog(db *postgres.DB, cursors paging.Cursors) *Log { return &Log{db, cursors} }

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
	// maxAccountLogScan limits the scan of an account's deliveries to all endpoints. Such a scan reads this many
	// deliveries per endpoint.
	maxAccountLogScan = 200
	// maxLoggedAttempts is the number of attempts of a LoggedDelivery.
	maxLoggedAttempts = 10
)

// List returns a page of the deliveries to an endpoint, newest event first.
func (s *Log) List(
	ctx context.Context, accountID, endpointID string, f LogFilter, p paging.Request,
) (paging.Page[LoggedDelivery], error) {
	e, err := selectEndpoint(ctx, s.db, accountID, endpointID)
	if err != nil {
		return paging.Page[LoggedDelivery]{}, fmt.Errorf("list logged deliveries: %w", err)
	}
	list, err := s.list(ctx, accountID, e.ID, f, p)
	if err != nil {
		return paging.Page[LoggedDelivery]{}, fmt.Errorf("list logged deliveries: %w", err)
	}
	return list, nil
}

// ListAll returns a page of the deliveries to all endpoints of the account, deleted ones included, newest event first.
func (s *Log) ListAll(
	ctx context.Context, accountID string, f LogFilter, p paging.Request,
) (paging.Page[LoggedDelivery], error) {
	list, err := s.list(ctx, accountID, "", f, p)
	if err != nil {
		return paging.Page[LoggedDelivery]{}, fmt.Errorf("list logged deliveries: %w", err)
	}
	return list, nil
}

// list returns a page of the deliveries to an endpoint, or to all for "".
func (s *Log) list(
	ctx context.Context, accountID, endpointID string, f LogFilter, p paging.Request,
) (paging.Page[LoggedDelivery], error) {
	var none paging.Page[LoggedDelivery]
	if err := f.check(); err != nil {
		return none, err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return none, err
	}
	scope := "deliveries " + accountID + " " + endpointID + " " + string(text)
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	filter := Filter{Account: accountID, Endpoint: endpointID}
	if after != nil {
		filter.Cursor = after.ID
	}
	read, err := s.read(ctx, filter, f, p.Size())
	if err != nil {
		return none, err
	}
	cut := paging.Cut(s.cursors, scope, read, p.Size(), func(d LoggedDelivery) paging.Position {
		return paging.Position{At: d.CreatedAt, ID: d.ID}
	})
	return cut, s.addAttempts(ctx, accountID, cut.Data)
}

// check rejects states and kinds that do not exist.
func (f LogFilter) check() error {
	if f.State != "" && !slices.Contains(States, f.State) {
		return fault.Invalid("state", "must be one of %s", joinNames(States))
	}
	if f.Event != "" && !slices.Contains(events.Kinds, f.Event) {
		return fault.Invalid("event", "must be the kind of an event, such as %s", events.KindListingSold)
	}
	return nil
}

// read reads up to size + 1 deliveries, without their attempts.
func (s *Log) read(
	ctx context.Context, filter Filter, f LogFilter, size int,
) (read paging.Read[LoggedDelivery], err error) {
	states := States
	if f.State != "" {
		states = []State{f.State}
	}
	find, scan := selectDeliveries, maxLogScan
	if filter.Endpoint == "" {
		find, scan = selectAccountDeliveries, maxAccountLogScan
	}
	limit := size + 1
	if f.Event != "" {
		limit = scan
	}
	rows, err := find(ctx, s.db, states, filter, limit)
	if err != nil {
		return read, err
	}
	list, err := s.withEvents(ctx, filter.Account, rows)
	if err != nil {
		return read, err
	}
	for i, d := range list {
		included := f.Event == "" || d.Event != nil && *d.Event == string(f.Event)
		read.Add(d, paging.Scanned{Included: included, Last: f.Event != "" && i == scan-1})
	}
	return read, nil
}

// Describe returns the delivery with its event's kind and its attempts.
func (s *Log) Describe(ctx context.Context, d Delivery) (LoggedDelivery, error) {
	list, err := s.withEvents(ctx, d.AccountID, []Delivery{d})
	if err == nil {
		err = s.addAttempts(ctx, d.AccountID, list)
	}
	if err != nil {
		return LoggedDelivery{}, fmt.Errorf("describe deliveries: %w", err)
	}
	return list[0], nil
}

// withEvents adds the kinds of the events.
func (s *Log) withEvents(ctx context.Context, accountID string, rows []Delivery) ([]LoggedDelivery, error) {
	kinds, err := selectKinds(ctx, s.db, accountID, rows)
	if err != nil {
		return nil, err
	}
	list := make([]LoggedDelivery, len(rows))
	for i, d := range rows {
		list[i] = LoggedDelivery{Delivery: d, Event: kinds[d.ID]}
	}
	return list, nil
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
