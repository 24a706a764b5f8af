package webhooks

import (
	"context"
	"net/url"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/tracing"
)

// traceAttempt begins the span of an attempt. It is the first of a trace of its own, for an attempt may
// come days after its event; where the request that caused the event is known, it is linked. Of the
// endpoint's address there is the host alone, since path and query may hold secrets.
func (e *Engine) traceAttempt(t *target, j *job) (context.Context, tracing.Span) {
	ctx, span := tracing.Start(e.sendCtx, trace.SpanKindClient, "webhook attempt",
		tracing.AccountID(j.key.account), attribute.String("cardvault.endpoint_id", j.key.endpoint),
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

// endSpan ends the attempt's span with what came of it.
func (r *result) endSpan(span tracing.Span) {
	span.Set(attribute.String("cardvault.class", className(r.class)), attribute.String("cardvault.state", outcomeNames[r.outcome]))
	if r.status != 0 {
		span.Set(attribute.Int("http.response.status_code", r.status))
	}
	span.Fail(r.class)
	span.End()
}

// eventsTraced bounds the events that one span tells of: a bulk change makes thousands.
const maxTracedEvents = 32

// traceCause notes the events in the span of the work that caused them, so that their deliveries can be
// found by the events' identifiers, and has the first attempts linked to that span.
func linkEvents(ctx context.Context, recorded []events.Event, jobs []*job) {
	span := tracing.Current(ctx)
	if !span.On() {
		return
	}
	for _, event := range recorded[:min(len(recorded), maxTracedEvents)] {
		span.Event("event recorded", attribute.String("cardvault.event", string(event.Kind)), attribute.String("cardvault.event_id", event.ID))
	}
	origin := span.Origin()
	for _, j := range jobs {
		j.origin = origin
	}
}
