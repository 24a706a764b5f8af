//go:build e2e

package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
	"github.com/cardvault/cardvault/gen/client/go/webhooks"
)

// receiver is an endpoint that verifies deliveries with its secret and keeps their events.
type receiver struct {
	url    string
	secret atomic.Value // string
	events chan *cardvault.Event
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{events: make(chan *cardvault.Event, 10)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		event, err := webhooks.Receive(request, r.secret.Load().(string))
		if err != nil {
			t.Errorf("receive: %v", err)
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.events <- event
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// receive waits for the next event, for at most 30 seconds.
func (r *receiver) receive() (*cardvault.Event, error) {
	select {
	case event := <-r.events:
		return event, nil
	case <-time.After(30 * time.Second):
		return nil, errors.New("no event arrives at the endpoint")
	}
}

// awaitDelivered polls the deliveries to the webhook until the service has stored that the event was delivered, for at
// most 30 seconds.
func awaitDelivered(s *seller, event string) (*cardvault.WebhookDelivery, error) {
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	params := &cardvault.ListWebhookDeliveriesParams{State: cardvault.DeliveryStateDelivered, Limit: 1}
	for deadline := time.After(30 * time.Second); ; {
		for delivery, err := range s.WebhookDeliveries(s.ctx, s.webhook.ID, params) {
			if err != nil {
				return nil, err
			}
			if delivery.EventID == event {
				return &delivery, nil
			}
		}
		select {
		case <-deadline:
			return nil, fmt.Errorf("the event %s is not among the delivered ones", event)
		case <-poll.C:
		}
	}
}

// webhookSteps deliver events to an endpoint of the test. It subscribes only to events that these steps make, because
// work of the steps before may still make others.
var webhookSteps = []step{
	{"createWebhook", func(s *seller) (err error) {
		completed := []cardvault.EventKind{cardvault.EventKindBatchCompleted}
		s.webhook, err = s.CreateWebhook(s.ctx, cardvault.WebhookInput{URL: s.receiver.url, Events: completed})
		if err != nil {
			return err
		}
		if s.webhook.Secret == nil {
			return want(false, "no secret")
		}
		s.receiver.secret.Store(*s.webhook.Secret)
		return want(s.webhook.Enabled && slices.Equal(s.webhook.Events, completed), "%+v", s.webhook)
	}},
	{"updateWebhook", func(s *seller) error {
		patch := cardvault.WebhookPatch{
			Enabled: cardvault.Ptr(false), Events: append(s.webhook.Events, cardvault.EventKindSaleRefunded),
		}
		webhook, err := s.UpdateWebhook(s.ctx, s.webhook.ID, patch)
		if err != nil {
			return err
		}
		if webhook.Enabled || !slices.Equal(webhook.Events, patch.Events) || webhook.URL != s.receiver.url {
			return want(false, "%+v", webhook)
		}
		if _, err := s.TestWebhook(s.ctx, s.webhook.ID, nil); !errors.Is(err, cardvault.CodeWebhookDisabled) {
			return fmt.Errorf("testing a disabled webhook: got %v, want %s", err, cardvault.CodeWebhookDisabled)
		}
		_, err = s.UpdateWebhook(s.ctx, s.webhook.ID, cardvault.WebhookPatch{Enabled: cardvault.Ptr(true)})
		return err
	}},
	{"getWebhook", func(s *seller) error {
		webhook, err := s.GetWebhook(s.ctx, s.webhook.ID)
		if err != nil {
			return err
		}
		return want(webhook.Enabled && len(webhook.Events) == 2, "%+v", webhook)
	}},
	{"listWebhooks", func(s *seller) error {
		page, err := s.ListWebhooks(s.ctx, &cardvault.ListWebhooksParams{Limit: 1})
		if err != nil {
			return err
		}
		return want(len(page.Data) == 1 && page.Data[0].ID == s.webhook.ID, "%+v", page)
	}},
	{"testWebhook", func(s *seller) error {
		input := &cardvault.WebhookTestInput{Event: cardvault.EventKindSaleRefunded}
		delivery, err := s.TestWebhook(s.ctx, s.webhook.ID, input)
		if err != nil {
			return err
		}
		event, err := s.receiver.receive()
		if err != nil {
			return err
		}
		return want(event.ID == delivery.EventID && event.Kind == cardvault.EventKindSaleRefunded, "%+v", event)
	}},
	{"listWebhookDeliveries", func(s *seller) error {
		if _, err := s.CompleteBatch(s.ctx, s.batch.ID); err != nil {
			return err
		}
		if _, err := s.ReopenBatch(s.ctx, s.batch.ID); err != nil {
			return err
		}
		event, err := s.receiver.receive()
		if err != nil {
			return err
		}
		s.delivery, err = awaitDelivered(s, event.ID)
		if err != nil {
			return err
		}
		page, err := s.ListWebhookDeliveries(s.ctx, s.webhook.ID, &cardvault.ListWebhookDeliveriesParams{
			Event: cardvault.EventKindBatchCompleted,
		})
		if err != nil {
			return err
		}
		return want(len(page.Data) == 1 && page.Data[0].ID == s.delivery.ID && *s.delivery.LastStatus == 204 &&
			len(s.delivery.Attempts) == 1, "%+v, %+v", page, s.delivery)
	}},
	{"rotateWebhookSecret", func(s *seller) error {
		old := s.webhook
		noGrace := &cardvault.RotateSecretInput{GraceSeconds: cardvault.Ptr[int32](0)}
		webhook, err := s.RotateWebhookSecret(s.ctx, old.ID, noGrace)
		if err != nil {
			return err
		}
		s.receiver.secret.Store(*webhook.Secret)
		return want(*webhook.Secret != *old.Secret, "the old secret: %+v", webhook)
	}},
	{"endWebhookSecret", func(s *seller) error {
		rotated, err := s.RotateWebhookSecret(s.ctx, s.webhook.ID, nil)
		if err != nil {
			return err
		}
		s.receiver.secret.Store(*rotated.Secret)
		if err := s.EndWebhookSecret(s.ctx, s.webhook.ID, rotated.PreviousSecrets[0].ID); err != nil {
			return err
		}
		webhook, err := s.GetWebhook(s.ctx, s.webhook.ID)
		if err != nil {
			return err
		}
		return want(len(webhook.PreviousSecrets) == 0, "previous secrets: %+v", webhook)
	}},
	{"resendWebhookDelivery", func(s *seller) error {
		delivery, err := s.ResendWebhookDelivery(s.ctx, s.webhook.ID, s.delivery.ID)
		if err != nil {
			return err
		}
		event, err := s.receiver.receive()
		if err != nil {
			return err
		}
		return want(event.ID == s.delivery.EventID && delivery.ID == s.delivery.ID, "%+v, %+v", event, delivery)
	}},
	{"resendDroppedWebhookDeliveries", func(s *seller) error {
		input := &cardvault.ResendDroppedInput{Since: s.webhook.CreatedAt}
		resent, err := s.ResendDroppedWebhookDeliveries(s.ctx, s.webhook.ID, input)
		if err != nil {
			return err
		}
		return want(resent.Resent == 0 && !resent.HasMore, "%+v, though nothing was dropped", resent)
	}},
	{"deleteWebhook", func(s *seller) error {
		if err := s.DeleteWebhook(s.ctx, s.webhook.ID); err != nil {
			return err
		}
		_, err := s.GetWebhook(s.ctx, s.webhook.ID)
		return want(errors.Is(err, cardvault.CodeWebhookNotFound), "%v", err)
	}},
}
