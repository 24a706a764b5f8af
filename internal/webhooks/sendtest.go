package webhooks

import (
	"context"
	"fmt"
	"slices"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// SendTest sends the endpoint an example of an event. It is signed, retried and logged like every delivery. If kind
// is empty, it is the first kind that the endpoint subscribes to.
//
// The event is generated (see events.Example) instead of a copy of the account's latest event, because a new account
// has no events and because a receiver that acts on a copy could do harm. The event is stored only in its delivery:
// GET /events does not return it, and it cannot be resent after it was delivered.
func (s *Deliveries) SendTest(ctx context.Context, accountID, endpointID string, kind events.Kind) (Delivery, error) {
	if kind != "" && !slices.Contains(events.Kinds, kind) {
		return Delivery{}, fault.Invalid("event", "%q is not an event; known are %s", kind, joinNames(events.Kinds))
	}
	var result Delivery
	err := s.clock.WriteWithHook(ctx, s.db, accountID, s.hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		e, err := selectEndpoint(ctx, tx, accountID, endpointID)
		if err != nil {
			return err
		}
		if !e.Enabled {
			return fault.New(fault.WebhookDisabled, "The webhook is disabled. Enable it first.")
		}
		if kind == "" {
			kind = append(slices.Clone(e.Events), events.Kinds[0])[0]
		}
		event, err := events.Example(stamp, kind)
		if err != nil {
			return err
		}
		deliveryID := id.New(id.Delivery, stamp.At)
		_, err = tx.Exec(ctx, `
			INSERT INTO deliveries_pending (account_id, id, endpoint_id, event_id, event_created_at, due_at,
			                                event, body)
			VALUES ($1, $2, $3, $4, $5, statement_timestamp(), $6, $7)`,
			accountID, deliveryID, e.ID, event.ID, stamp.At, string(event.Kind), event.Body)
		if err != nil {
			return err
		}
		DeferWakeups(tx, accountID, []string{e.ID})
		result, err = selectDelivery(ctx, tx, accountID, deliveryID)
		return err
	})
	if err != nil {
		return Delivery{}, fmt.Errorf("send test event: %w", err)
	}
	s.waker.WakeEndpoints([]EndpointKey{{accountID, result.EndpointID}})
	return result, nil
}
