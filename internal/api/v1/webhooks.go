package v1

import (
	"context"
	"time"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/timestamp"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// ListWebhooks implements GET /webhooks.
func (s *Server) ListWebhooks(
	ctx context.Context, r server.ListWebhooksRequestObject,
) (server.ListWebhooksResponseObject, error) {
	list, err := s.DeliveryLog.Endpoints(ctx, caller.From(ctx).AccountID, pageOf(r.Params.Limit, r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	data := make([]server.Webhook, len(list.Data))
	for i, e := range list.Data {
		data[i] = s.webhook(e)
	}
	return server.ListWebhooks200JSONResponse{
		Data: data, HasMore: list.NextCursor != nil, NextCursor: list.NextCursor,
	}, nil
}

// CreateWebhook implements POST /webhooks.
func (s *Server) CreateWebhook(
	ctx context.Context, r server.CreateWebhookRequestObject,
) (server.CreateWebhookResponseObject, error) {
	var kinds []events.Kind
	if r.Body.Events != nil {
		kinds = kindsOf(*r.Body.Events)
	}
	endpoints := s.Webhooks.WithHook(idempotency.Hook(ctx))
	result, secret, err := endpoints.Register(ctx, caller.From(ctx).AccountID, r.Body.URL, kinds)
	if err != nil {
		return nil, err
	}
	return server.CreateWebhook201JSONResponse(s.webhookWithSecret(result, secret)), nil
}

// GetWebhook implements GET /webhooks/{id}.
func (s *Server) GetWebhook(
	ctx context.Context, r server.GetWebhookRequestObject,
) (server.GetWebhookResponseObject, error) {
	result, err := s.Webhooks.Get(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return server.GetWebhook200JSONResponse(s.webhook(result)), nil
}

// UpdateWebhook implements PATCH /webhooks/{id}.
func (s *Server) UpdateWebhook(
	ctx context.Context, r server.UpdateWebhookRequestObject,
) (server.UpdateWebhookResponseObject, error) {
	change := webhooks.EndpointChange{URL: r.Body.URL, Enabled: r.Body.Enabled}
	if r.Body.Events != nil {
		kinds := kindsOf(*r.Body.Events)
		change.Events = &kinds
	}
	result, err := s.Webhooks.Update(ctx, caller.From(ctx).AccountID, r.ID, change)
	if err != nil {
		return nil, err
	}
	return server.UpdateWebhook200JSONResponse(s.webhook(result)), nil
}

// DeleteWebhook implements DELETE /webhooks/{id}.
func (s *Server) DeleteWebhook(
	ctx context.Context, r server.DeleteWebhookRequestObject,
) (server.DeleteWebhookResponseObject, error) {
	if err := s.Webhooks.Delete(ctx, caller.From(ctx).AccountID, r.ID); err != nil {
		return nil, err
	}
	return server.DeleteWebhook204Response{}, nil
}

// RotateWebhookSecret implements POST /webhooks/{id}/rotate-secret.
func (s *Server) RotateWebhookSecret(
	ctx context.Context, r server.RotateWebhookSecretRequestObject,
) (server.RotateWebhookSecretResponseObject, error) {
	account, grace := caller.From(ctx).AccountID, webhooks.DefaultGrace
	if r.Body != nil && r.Body.GraceSeconds != nil {
		grace = time.Duration(*r.Body.GraceSeconds) * time.Second
	}
	secret, err := s.Webhooks.WithHook(idempotency.Hook(ctx)).RotateSecret(ctx, account, r.ID, grace)
	if err != nil {
		return nil, err
	}
	result, err := s.Webhooks.Get(ctx, account, r.ID)
	if err != nil {
		return nil, err
	}
	return server.RotateWebhookSecret200JSONResponse(s.webhookWithSecret(result, secret)), nil
}

// EndWebhookSecret implements DELETE /webhooks/{id}/previous-secrets/{previous}.
func (s *Server) EndWebhookSecret(
	ctx context.Context, r server.EndWebhookSecretRequestObject,
) (server.EndWebhookSecretResponseObject, error) {
	if err := s.Webhooks.EndSecret(ctx, caller.From(ctx).AccountID, r.ID, r.Previous); err != nil {
		return nil, err
	}
	return server.EndWebhookSecret204Response{}, nil
}

// TestWebhook implements POST /webhooks/{id}/test.
func (s *Server) TestWebhook(
	ctx context.Context, r server.TestWebhookRequestObject,
) (server.TestWebhookResponseObject, error) {
	var kind events.Kind
	if r.Body != nil && r.Body.Event != nil {
		kind = events.Kind(*r.Body.Event)
	}
	deliveries := s.Deliveries.WithHook(idempotency.Hook(ctx))
	result, err := deliveries.SendTest(ctx, caller.From(ctx).AccountID, r.ID, kind)
	if err != nil {
		return nil, err
	}
	entry, err := s.DeliveryLog.Describe(ctx, result)
	if err != nil {
		return nil, err
	}
	return server.TestWebhook202JSONResponse(delivery(&entry)), nil
}

// ListWebhookDeliveries implements GET /webhooks/{id}/deliveries.
func (s *Server) ListWebhookDeliveries(
	ctx context.Context, r server.ListWebhookDeliveriesRequestObject,
) (server.ListWebhookDeliveriesResponseObject, error) {
	p := r.Params
	filter := webhooks.LogFilter{}
	if p.State != nil {
		filter.State = webhooks.State(*p.State)
	}
	if p.Event != nil {
		filter.Event = events.Kind(*p.Event)
	}
	list, err := s.DeliveryLog.List(ctx, caller.From(ctx).AccountID, r.ID, filter, pageOf(p.Limit, p.Cursor))
	if err != nil {
		return nil, err
	}
	data := make([]server.WebhookDelivery, len(list.Data))
	for i := range list.Data {
		data[i] = delivery(&list.Data[i])
	}
	return server.ListWebhookDeliveries200JSONResponse{
		Data: data, HasMore: list.NextCursor != nil, NextCursor: list.NextCursor,
	}, nil
}

// ResendWebhookDelivery implements POST /webhooks/{id}/deliveries/{delivery}/resend.
func (s *Server) ResendWebhookDelivery(
	ctx context.Context, r server.ResendWebhookDeliveryRequestObject,
) (server.ResendWebhookDeliveryResponseObject, error) {
	deliveries := s.Deliveries.WithHook(idempotency.Hook(ctx))
	resent, err := deliveries.ResendTo(ctx, caller.From(ctx).AccountID, r.ID, r.Delivery)
	if err != nil {
		return nil, err
	}
	entry, err := s.DeliveryLog.Describe(ctx, resent)
	if err != nil {
		return nil, err
	}
	return server.ResendWebhookDelivery202JSONResponse(delivery(&entry)), nil
}

// ResendDroppedWebhookDeliveries implements POST /webhooks/{id}/resend-dropped.
func (s *Server) ResendDroppedWebhookDeliveries(
	ctx context.Context, r server.ResendDroppedWebhookDeliveriesRequestObject,
) (server.ResendDroppedWebhookDeliveriesResponseObject, error) {
	var since time.Time
	if r.Body != nil && r.Body.Since != nil {
		since = *r.Body.Since
	}
	deliveries := s.Deliveries.WithHook(idempotency.Hook(ctx))
	resent, more, err := deliveries.ResendDropped(ctx, caller.From(ctx).AccountID, r.ID, since)
	if err != nil {
		return nil, err
	}
	return server.ResendDroppedWebhookDeliveries202JSONResponse{Resent: int32(resent), HasMore: more}, nil
}

func kindsOf(kinds []server.EventKind) []events.Kind {
	out := make([]events.Kind, len(kinds))
	for i, kind := range kinds {
		out[i] = events.Kind(kind)
	}
	return out
}

func (s *Server) webhook(e webhooks.Endpoint) server.Webhook {
	kinds := make([]server.EventKind, len(e.Events))
	for i, kind := range e.Events {
		kinds[i] = server.EventKind(kind)
	}
	previous := []server.PreviousSecret{}
	for _, p := range e.SigningSecrets(s.Clock.Time()) {
		previous = append(previous, server.PreviousSecret{ID: p.ID, ExpiresAt: timestamp.Of(p.ExpiresAt)})
	}
	return server.Webhook{
		ID: e.ID, URL: e.URL, Events: kinds, Enabled: e.Enabled,
		PreviousSecretExpiresAt: timestamp.Or(e.PreviousSecretExpiresAt), PreviousSecrets: previous,
		CreatedAt: timestamp.Of(e.CreatedAt), UpdatedAt: timestamp.Of(e.UpdatedAt),
	}
}

func (s *Server) webhookWithSecret(e webhooks.Endpoint, secret string) server.WebhookWithSecret {
	w := s.webhook(e)
	return server.WebhookWithSecret{
		ID: w.ID, URL: w.URL, Events: w.Events, Enabled: w.Enabled,
		PreviousSecretExpiresAt: w.PreviousSecretExpiresAt, PreviousSecrets: w.PreviousSecrets,
		CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt, Secret: &secret,
	}
}
