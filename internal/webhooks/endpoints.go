package webhooks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

// MaxEndpoints is the maximum number of endpoints of an account. An event may be delivered to every endpoint.
const MaxEndpoints = 200

// Endpoint is a customer's URL that receives events.
type Endpoint struct {
	ID        string        `json:"id"`
	AccountID string        `json:"account_id"`
	URL       string        `json:"url"`
	Events    []events.Kind `json:"events"` // empty means events.DefaultKinds
	Enabled   bool          `json:"enabled"`
	// PreviousSecretExpiresAt is when the newest previous secret stops signing. It is nil if there is none.
	PreviousSecretExpiresAt *time.Time `json:"previous_secret_expires_at"`
	// PreviousSecrets are the secrets that were replaced, newest first. The grace period of some may be over.
	PreviousSecrets []PreviousSecret `json:"previous_secrets"`
	CreatedAt       time.Time        `json:"created_at"`
	UpdatedAt       time.Time        `json:"updated_at"`
}

// Wants reports whether the endpoint subscribes to this kind of event.
func (e Endpoint) Wants(kind events.Kind) bool {
	return slices.Contains(e.kinds(), kind)
}

// kinds returns the kinds of events that the endpoint subscribes to.
func (e Endpoint) kinds() []events.Kind {
	if len(e.Events) == 0 {
		return events.DefaultKinds
	}
	return e.Events
}

// Endpoints registers and manages endpoints.
type Endpoints struct {
	db    *postgres.DB
	clock clock.Clock
	guard *netguard.Guard
	keys  *keyring.Keyring
	waker Waker
	hook  postgres.TxHook // nil unless set by WithHook
}

// NewEndpoints returns the endpoint service. It notifies the engines of changes through waker.
func NewEndpoints(
	db *postgres.DB, c clock.Clock, guard *netguard.Guard, keys *keyring.Keyring, waker Waker,
) *Endpoints {
	return &Endpoints{db: db, clock: c, guard: guard, keys: keys, waker: waker}
}

// WithHook returns a service that calls hook, unless it is nil, in the transaction of every change.
func (s *Endpoints) WithHook(hook postgres.TxHook) *Endpoints {
	clone := *s
	clone.hook = hook
	return &clone
}

// Register adds an endpoint for the given kinds of events, or for all if kinds is empty. It returns the endpoint and
// its signing secret, which cannot be read again.
func (s *Endpoints) Register(ctx context.Context, accountID, url string,
	kinds []events.Kind) (Endpoint, string, error) {
	url = netguard.Canonical(url)
	if err := s.checkURL(ctx, url); err != nil {
		return Endpoint{}, "", err
	}
	kinds, err := checkKinds(kinds)
	if err != nil {
		return Endpoint{}, "", err
	}
	secret := newSecret()
	var e Endpoint
	err = s.change(ctx, accountID, 1, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if stamp.Endpoints >= MaxEndpoints {
			return fault.New(fault.WebhookLimitReached,
				"The account has %d webhooks, which is the maximum. Delete one of them.", stamp.Endpoints)
		}
		if err := stamp.Quotas(tx).Check(quota.Endpoints, int64(stamp.Endpoints), 1); err != nil {
			return err
		}
		e = Endpoint{
			ID: id.New(id.Endpoint, stamp.At), AccountID: accountID, URL: url, Events: kinds, Enabled: true,
			CreatedAt: stamp.At, UpdatedAt: stamp.At,
		}
		err := insertEndpoint(ctx, tx, e, s.keys.Encrypt(secret, EndpointKey{accountID, e.ID}.Owner()))
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, accountID, audit.WebhookRegistered, url, "events: "+joinNames(e.kinds()))
	})
	if err != nil {
		return Endpoint{}, "", fmt.Errorf("register endpoint: %w", err)
	}
	return e, secret, nil
}

// List returns the account's endpoints, oldest first.
func (s *Endpoints) List(ctx context.Context, accountID string) ([]Endpoint, error) {
	list, err := SelectEndpoints(ctx, s.db, accountID)
	if err != nil {
		return nil, fmt.Errorf("list endpoints: %w", err)
	}
	return list, nil
}

// Get returns one endpoint.
func (s *Endpoints) Get(ctx context.Context, accountID, endpointID string) (Endpoint, error) {
	e, err := selectEndpoint(ctx, s.db, accountID, endpointID)
	if err != nil {
		return Endpoint{}, fmt.Errorf("load endpoint: %w", err)
	}
	return e, nil
}

// EndpointChange has the new values of an endpoint. Fields that are nil do not change.
type EndpointChange struct {
	URL     *string
	Events  *[]events.Kind
	Enabled *bool
}

// String returns the change as the audit log shows it.
func (c EndpointChange) String() string {
	var parts []string
	if c.URL != nil {
		parts = append(parts, "address: "+*c.URL)
	}
	if c.Events != nil {
		parts = append(parts, "events: "+joinNames(Endpoint{Events: *c.Events}.kinds()))
	}
	if c.Enabled != nil {
		parts = append(parts, fmt.Sprintf("enabled: %v", *c.Enabled))
	}
	return strings.Join(parts, "; ")
}

// Update changes an endpoint and returns it.
func (s *Endpoints) Update(ctx context.Context, accountID, endpointID string, c EndpointChange) (Endpoint, error) {
	if c == (EndpointChange{}) {
		return s.Get(ctx, accountID, endpointID)
	}
	if c.URL != nil {
		canonical := netguard.Canonical(*c.URL)
		if err := s.checkURL(ctx, canonical); err != nil {
			return Endpoint{}, err
		}
		c.URL = &canonical
	}
	if c.Events != nil {
		kinds, err := checkKinds(*c.Events)
		if err != nil {
			return Endpoint{}, err
		}
		c.Events = &kinds
	}
	var e Endpoint
	err := s.change(ctx, accountID, 0, func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
		if e, err = updateEndpoint(ctx, tx, accountID, endpointID, c, stamp.At); err != nil {
			return err
		}
		if err := audit.Record(ctx, tx, accountID, audit.WebhookChanged, e.URL, c.String()); err != nil {
			return err
		}
		return insertWakeup(ctx, tx, accountID, e.ID)
	})
	if err != nil {
		return Endpoint{}, fmt.Errorf("update endpoint: %w", err)
	}
	return e, nil
}

// Disable stops deliveries to the endpoint. Its pending and future deliveries are kept until it is enabled.
func (s *Endpoints) Disable(ctx context.Context, accountID, endpointID string) error {
	return s.enable(ctx, accountID, endpointID, false)
}

// Enable resumes deliveries to the endpoint. Deliveries that became due while it was disabled are sent now.
func (s *Endpoints) Enable(ctx context.Context, accountID, endpointID string) error {
	return s.enable(ctx, accountID, endpointID, true)
}

func (s *Endpoints) enable(ctx context.Context, accountID, endpointID string, enabled bool) error {
	kind := audit.WebhookDisabled
	if enabled {
		kind = audit.WebhookEnabled
	}
	err := s.change(ctx, accountID, 0, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if err := setEnabled(ctx, tx, accountID, endpointID, enabled, stamp.At); err != nil {
			return err
		}
		if err := recordChange(ctx, tx, EndpointKey{accountID, endpointID}, kind, ""); err != nil {
			return err
		}
		return insertWakeup(ctx, tx, accountID, endpointID)
	})
	if err != nil {
		return fmt.Errorf("enable endpoint: %w", err)
	}
	return nil
}

// Delete removes the endpoint and its secrets. The engine drops its pending deliveries with ErrorEndpointDeleted.
func (s *Endpoints) Delete(ctx context.Context, accountID, endpointID string) error {
	err := s.change(ctx, accountID, -1, func(tx *postgres.Tx, stamp clock.Stamp) error {
		// Before the deletion, because the endpoint cannot be found after it.
		if err := recordChange(ctx, tx, EndpointKey{accountID, endpointID}, audit.WebhookDeleted, ""); err != nil {
			return err
		}
		if err := deleteEndpoint(ctx, tx, accountID, endpointID, stamp.At); err != nil {
			return err
		}
		return insertWakeup(ctx, tx, accountID, endpointID)
	})
	if err != nil {
		return fmt.Errorf("delete endpoint: %w", err)
	}
	return nil
}

// recordChange records a change of an endpoint in the audit log.
func recordChange(ctx context.Context, tx *postgres.Tx, key EndpointKey, kind audit.Kind, detail string) error {
	e, err := selectEndpoint(ctx, tx, key.Account, key.Endpoint)
	if err != nil {
		return err
	}
	return audit.Record(ctx, tx, key.Account, kind, e.URL, detail)
}

// change changes an endpoint, invalidates the caches of endpoints and wakes the engines.
func (s *Endpoints) change(ctx context.Context, accountID string, more int,
	fn func(*postgres.Tx, clock.Stamp) error) error {
	err := s.clock.WriteWithHook(ctx, s.db, accountID, s.hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if err := fn(tx, stamp); err != nil {
			return err
		}
		return updateEndpointsVersion(ctx, tx, accountID, more)
	})
	if err == nil {
		s.waker.Wake()
	}
	return err
}

// checkURL rejects URLs that the engine would not connect to. A host that does not resolve is accepted, because its
// DNS record may be created later.
func (s *Endpoints) checkURL(ctx context.Context, raw string) error {
	if strings.ContainsFunc(raw, func(c rune) bool { return c < '!' || c > '~' }) {
		return fault.Invalid("url", "must be a whole URL that begins with https://; percent-encode spaces and "+
			"characters beyond ASCII after its host name")
	}
	u, err := s.guard.CheckURL(raw)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		err = s.guard.CheckHost(ctx, u.Hostname())
	}
	if refusal := (*netguard.ForbiddenError)(nil); errors.As(err, &refusal) {
		return fault.Invalid("url", "%s", refusal.Reason).WithCause(err)
	}
	return ctx.Err()
}

// checkKinds returns the kinds without duplicates, in the order of events.Kinds.
func checkKinds(kinds []events.Kind) ([]events.Kind, error) {
	for _, kind := range kinds {
		if !slices.Contains(events.Kinds, kind) {
			return nil, fault.Invalid("events", "%q is not an event; known are %s", kind, joinNames(events.Kinds))
		}
	}
	chosen := []events.Kind{}
	for _, kind := range events.Kinds {
		if slices.Contains(kinds, kind) {
			chosen = append(chosen, kind)
		}
	}
	return chosen, nil
}

func endpointNotFound() error {
	return fault.NotFound(fault.EndpointNotFound)
}

// kindArray converts kinds to text[].
func kindArray(kinds []events.Kind) pq.StringArray {
	out := make(pq.StringArray, len(kinds))
	for i, kind := range kinds {
		out[i] = string(kind)
	}
	return out
}

// joinNames joins the names with commas for an error message.
func joinNames[T ~string](list []T) string {
	names := make([]string, len(list))
	for i, name := range list {
		names[i] = string(name)
	}
	return strings.Join(names, ", ")
}
