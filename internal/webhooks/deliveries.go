package webhooks

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// State is the state of a delivery.
type State string

// The states of a delivery.
const (
	Pending   State = "pending"   // waits for its next attempt, or is being sent
	Delivered State = "delivered" // the endpoint answered with 2xx; kept for 30 days
	Dropped   State = "dropped"   // no more attempts are made; kept for 90 days
)

// States lists the states of deliveries.
var States = []State{Pending, Delivered, Dropped}

// Delivery is one event to be sent to one endpoint.
type Delivery struct {
	ID            string     `json:"id" db:"id"`
	EventID       string     `json:"event_id" db:"event_id"`
	EndpointID    string     `json:"endpoint_id" db:"endpoint_id"`
	AccountID     string     `json:"account_id" db:"account_id"`
	State         State      `json:"state" db:"state"`
	Attempts      int        `json:"attempts" db:"attempts"`
	NextAttemptAt *time.Time `json:"next_attempt_at" db:"next_attempt_at"` // only if pending
	LastStatus    *int       `json:"last_status" db:"last_status"`         // HTTP status of the last response
	LastError     *string    `json:"last_error" db:"last_error"`           // why the last attempt failed
	CreatedAt     time.Time  `json:"created_at" db:"created_at"`           // time of the event
	FinishedAt    *time.Time `json:"finished_at" db:"finished_at"`         // only if delivered or dropped
}

// Attempt is one request to an endpoint.
type Attempt struct {
	Attempt   int           `json:"attempt" db:"attempt"` // counts from 1; starts again at 1 after a resend
	StartedAt time.Time     `json:"started_at" db:"started_at"`
	Duration  time.Duration `json:"duration" db:"duration"`
	Status    *int          `json:"status" db:"status"`
	// Class is "" for success, "status" for a response that is not 2xx, or the kind of error: dns, connect, tls,
	// timeout, forbidden, other.
	Class    string `json:"class" db:"class"`
	Response string `json:"answer" db:"answer"` // the first 4 KiB of the response body; may be binary
}

// Filter selects the deliveries that List returns. A zero field does not filter.
type Filter struct {
	Account  string // required
	State    State
	Endpoint string
	Since    time.Time // events at or after this time
	Limit    int       // 1 to 200; 0 means 50
	Cursor   string    // the value of next from the previous page
}

// Deliveries lists deliveries and sends them again.
type Deliveries struct {
	db    *postgres.DB
	clock clock.Clock
	waker Waker
	hook  postgres.TxHook // nil unless set by WithHook
}

// NewDeliveries returns the delivery service. It notifies the engines of resent deliveries through waker.
func NewDeliveries(db *postgres.DB, c clock.Clock, waker Waker) *Deliveries {
	return &Deliveries{db: db, clock: c, waker: waker}
}

// WithHook returns a service that calls hook, unless it is nil, in the transaction of every change.
func (s *Deliveries) WithHook(hook postgres.TxHook) *Deliveries {
	clone := *s
	clone.hook = hook
	return &clone
}

// List returns a page of deliveries, newest event first, and the cursor of the next page. The cursor of the last page
// is "".
func (s *Deliveries) List(ctx context.Context, f Filter) (page []Delivery, next string, err error) {
	if f.Limit == 0 {
		f.Limit = 50
	}
	if f.Limit < 1 || f.Limit > 200 {
		return nil, "", fault.Invalid("limit", "must be from 1 to 200")
	}
	states := States
	if f.State != "" {
		if !slices.Contains(states, f.State) {
			return nil, "", fault.Invalid("state", "must be one of %s", joinNames(states))
		}
		states = []State{f.State}
	}
	if _, ok := id.Parse(id.Delivery, f.Cursor); f.Cursor != "" && !ok {
		return nil, "", fault.New(fault.InvalidCursor, "use the cursor as the page before gave it")
	}
	page, err = selectDeliveries(ctx, s.db, states, f, f.Limit+1)
	if err != nil {
		return nil, "", fmt.Errorf("list deliveries: %w", err)
	}
	if len(page) > f.Limit {
		page = page[:f.Limit]
		next = page[f.Limit-1].ID
	}
	return page, next, nil
}

// Get returns one delivery.
func (s *Deliveries) Get(ctx context.Context, accountID, deliveryID string) (Delivery, error) {
	d, err := selectDelivery(ctx, s.db, accountID, deliveryID)
	if err != nil {
		return Delivery{}, fmt.Errorf("load delivery: %w", err)
	}
	return d, nil
}

// Attempts returns a delivery's attempts of the last 30 days, oldest first.
func (s *Deliveries) Attempts(ctx context.Context, accountID, deliveryID string) ([]Attempt, error) {
	d, err := s.Get(ctx, accountID, deliveryID)
	if err != nil {
		return nil, err
	}
	attempts, err := selectAttempts(ctx, s.db, accountID, d.ID)
	if err != nil {
		return nil, fmt.Errorf("load attempts: %w", err)
	}
	return attempts, nil
}

// Resend makes a delivery in any state pending and due now, with the same event and body and with 0 attempts. A
// delivery that is being sent is not changed.
func (s *Deliveries) Resend(ctx context.Context, accountID, deliveryID string) (Delivery, error) {
	return s.ResendTo(ctx, accountID, "", deliveryID)
}

// ResendTo is Resend for a delivery to the given endpoint; "" means any endpoint of the account.
func (s *Deliveries) ResendTo(ctx context.Context, accountID, endpointID, deliveryID string) (Delivery, error) {
	var resent Delivery
	// Write locks the account's clock. This prevents a concurrent deletion of the endpoint and a concurrent resend.
	err := s.clock.WriteWithHook(ctx, s.db, accountID, s.hook, func(tx *postgres.Tx, _ clock.Stamp) error {
		d, err := selectDeliveryTo(ctx, tx, accountID, endpointID, deliveryID)
		if err != nil {
			return err
		}
		count, err := resend(ctx, tx, accountID, d.State, []string{d.ID})
		if err != nil {
			return err
		}
		if count == 0 && d.State == Delivered {
			return fault.New(fault.EventNotFound, "The event of delivery %s is no longer kept, "+
				"or was made up for a test. Send another test event.", d.ID)
		}
		resent, err = selectDelivery(ctx, tx, accountID, d.ID)
		return err
	})
	if err != nil {
		return Delivery{}, fmt.Errorf("resend delivery: %w", err)
	}
	s.waker.WakeEndpoints([]EndpointKey{{accountID, resent.EndpointID}})
	return resent, nil
}

// selectDeliveryTo returns a delivery whose endpoint exists. If endpointID is not "", it must be this one.
func selectDeliveryTo(
	ctx context.Context, tx *postgres.Tx, accountID, endpointID, deliveryID string,
) (Delivery, error) {
	if endpointID != "" {
		e, err := selectEndpoint(ctx, tx, accountID, endpointID)
		if err != nil {
			return Delivery{}, err
		}
		endpointID = e.ID
	}
	d, err := selectDelivery(ctx, tx, accountID, deliveryID)
	if err != nil {
		return Delivery{}, err
	}
	if endpointID == "" {
		_, err = selectEndpoint(ctx, tx, accountID, d.EndpointID)
		return d, err
	}
	if d.EndpointID != endpointID {
		return Delivery{}, deliveryNotFound()
	}
	return d, nil
}

// maxResent is the maximum number of deliveries of one ResendDropped.
const maxResent = maxReplayBatch

// ResendDropped makes up to 500 deliveries of the endpoint that were dropped at or after since pending and due now,
// oldest event first. It returns their number, and whether there may be more.
func (s *Deliveries) ResendDropped(
	ctx context.Context, accountID, endpointID string, since time.Time,
) (count int, more bool, err error) {
	var key EndpointKey
	var batch resentBatch
	err = s.clock.WriteWithHook(ctx, s.db, accountID, s.hook, func(tx *postgres.Tx, _ clock.Stamp) error {
		e, err := selectEndpoint(ctx, tx, accountID, endpointID)
		if err != nil {
			return err
		}
		key = EndpointKey{accountID, e.ID}
		// PostgreSQL accepts offsets from UTC of less than 16 hours, RFC 3339 of less than 24.
		filter := finishedFilter{accountID, e.ID, true, since.UTC(), maxTime}
		batch, err = resendBatch(ctx, tx, filter, "", maxResent)
		return err
	})
	if err != nil {
		return 0, false, fmt.Errorf("resend dropped deliveries: %w", err)
	}
	s.waker.WakeEndpoints([]EndpointKey{key})
	return batch.queued, batch.more, nil
}

// maxTime is after all times of deliveries, whatever the clocks of the machines that wrote them.
var maxTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

func deliveryNotFound() error { return fault.NotFound(fault.DeliveryNotFound) }
