package tracingtest

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/cardvault/cardvault/internal/tracing"
)

// Record returns a Tracer and the spans that it records.
func Record() (*tracing.Tracer, *Spans) {
	spans := newSpans()
	return tracing.New(sdktrace.WithSpanProcessor(recorder{spans})), spans
}

// recorder keeps spans as they end.
type recorder struct{ spans *Spans }

// OnStart implements trace.SpanProcessor.
func (recorder) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// Shutdown implements trace.SpanProcessor.
func (recorder) Shutdown(context.Context) error { return nil }

// ForceFlush implements trace.SpanProcessor.
func (recorder) ForceFlush(context.Context) error { return nil }

// OnEnd implements trace.SpanProcessor.
func (r recorder) OnEnd(s sdktrace.ReadOnlySpan) {
	span := Span{
		Name:       s.Name(),
		Kind:       s.SpanKind().String(),
		Trace:      s.SpanContext().TraceID().String(),
		ID:         s.SpanContext().SpanID().String(),
		Attributes: textOf(s.Attributes()),
		Failed:     s.Status().Code == codes.Error,
	}
	if s.Parent().SpanID().IsValid() {
		span.Parent = s.Parent().SpanID().String()
	}
	for _, e := range s.Events() {
		span.Events = append(span.Events, Event{e.Name, textOf(e.Attributes)})
	}
	for _, l := range s.Links() {
		span.Links = append(span.Links, l.SpanContext.TraceID().String())
	}
	r.spans.add(span)
}

func textOf(attributes []attribute.KeyValue) map[string]string {
	text := map[string]string{}
	for _, a := range attributes {
		text[string(a.Key)] = a.Value.String()
	}
	return text
}
