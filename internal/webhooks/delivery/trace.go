package delivery

import (
	"context"
	"net/url"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/tracing"
)

// traceAttempt starts the span of an attempt. Each attempt is a trace of its own, because it may run days after its
// event. It is linked to the request that caused the event, if that is known. Only the host of the endpoint's URL is
// recorded, because path and query may contain secrets.
func (e *Engine) traceAttempt(t *target, j *job) (context.Context, tracing.Span) {
	ctx, span := tracing.Start(e.sendCtx, trace.SpanKindClient, "webhook attempt",
		tracing.AccountID(j.key.Account), attribute.String("cardvault.endpoint_id", j.key.Endpoint),
		attribute.String("cardvault.delivery_id", j.id), attribute.String("cardvault.event_id", j.eventID),
		attribute.String("cardvault.event", j.event), attribute.Int("cardvault.attempt", j.attempts+1))
	span.Link(j.origin)
	if span.On() {
		if u, err := url.Parse(t.url); err == nil {
			span.Set(attribute.String("server.address", u.Hostname()))
		}
	}
	return ctx, span
}

// endSpan ends the attempt's span and records the result.
func (r *result) endSpan(span tracing.Span) {
	span.Set(attribute.String("cardvault.class", className(r.class)),
		attribute.String("cardvault.state", outcomeNames[r.outcome]))
	if r.status != 0 {
		span.Set(attribute.Int("http.response.status_code", r.status))
	}
	span.Fail(r.class)
	span.End()
}

// maxTracedEvents limits the events that one span records, because a bulk change causes thousands.
const maxTracedEvents = 32

// linkEvents records the events in the current span, so that it can be found by event id, and links the first
// attempts to the span.
func linkEvents(ctx context.Context, list []events.Event, jobs []*job) {
	span := tracing.Current(ctx)
	if !span.On() {
		return
	}
	for _, event := range list[:min(len(list), maxTracedEvents)] {
		span.Event("event recorded", attribute.String("cardvault.event", string(event.Kind)),
			attribute.String("cardvault.event_id", event.ID))
	}
	origin := span.Origin()
	for _, j := range jobs {
		j.origin = origin
	}
}
