// Package tracing tells a collector, by OpenTelemetry, what the process does and how long it takes: a
// span for every request, job and exchange with an endpoint, and for those of their parts that may be
// slow.
//
// The Tracer travels in the context that work is started with. A context without one means that tracing
// is off: Start and Child then allocate nothing and return a Span that takes every call and does nothing.
//
// Spans carry identifiers, names and classes of outcomes: no secret, no body, no address's query, nothing
// that a customer wrote. Names of attributes are OpenTelemetry's where it has one, and begin with
// cardvault where it has none. The package never tells anybody but the collector of a trace.
package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// scope is what spans say they were made by.
const scope = "github.com/cardvault/cardvault"

// Tracer makes spans. A nil Tracer is tracing that is off.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// New returns a Tracer that makes spans as the options say: what Open does by the environment.
func New(options ...sdktrace.TracerProviderOption) *Tracer {
	provider := sdktrace.NewTracerProvider(options...)
	return &Tracer{provider: provider, tracer: provider.Tracer(scope)}
}

type tracerKey struct{}

// With returns a context for work that is to be traced.
func (t *Tracer) With(ctx context.Context) context.Context {
	if t == nil {
		return ctx
	}
	return context.WithValue(ctx, tracerKey{}, t)
}

// From returns the Tracer that ctx carries, or nil.
func From(ctx context.Context) *Tracer {
	t, _ := ctx.Value(tracerKey{}).(*Tracer)
	return t
}

// Start begins a span below the one in ctx or, if there is none, the first of a new trace.
func Start(ctx context.Context, kind trace.SpanKind, name string, attributes ...attribute.KeyValue) (context.Context, Span) {
	t := From(ctx)
	if t == nil {
		return ctx, Span{}
	}
	return t.start(ctx, kind, name, copied(attributes))
}

// Child begins a span below the one in ctx, and none if there is none: for work that tells nothing unless
// one knows what it was done for.
func Child(ctx context.Context, kind trace.SpanKind, name string, attributes ...attribute.KeyValue) (context.Context, Span) {
	t := From(ctx)
	if t == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, Span{}
	}
	return t.start(ctx, kind, name, copied(attributes))
}

// Serve begins the span of a request, below the client's own span if its traceparent header names one
// (W3C Trace Context).
func (t *Tracer) Serve(r *http.Request, name string, attributes ...attribute.KeyValue) (context.Context, Span) {
	if t == nil {
		return r.Context(), Span{}
	}
	ctx := propagation.TraceContext{}.Extract(t.With(r.Context()), propagation.HeaderCarrier(r.Header))
	return t.start(ctx, trace.SpanKindServer, name, copied(attributes))
}

// start leaves a trace that is not sampled in the context, so that the spans below follow the decision.
func (t *Tracer) start(ctx context.Context, kind trace.SpanKind, name string, attributes []attribute.KeyValue) (context.Context, Span) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
	if !span.IsRecording() {
		return ctx, Span{}
	}
	return ctx, Span{span}
}

// copied keeps the caller's list out of the heap: with tracing off it is written to the stack and
// forgotten.
func copied(attributes []attribute.KeyValue) []attribute.KeyValue {
	return append([]attribute.KeyValue(nil), attributes...)
}
