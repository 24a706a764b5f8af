// Package tracing sends traces to an OpenTelemetry collector. Every request, job and webhook attempt has a span, and so
// have their parts that may be slow.
//
// The context of the work carries the Tracer. Without a Tracer, tracing is off: Start and Child allocate nothing and
// return a Span whose methods do nothing.
//
// Spans contain identifiers, names and classes of results, but no secrets, bodies, queries of addresses, or other data
// that customers enter. Attributes have the names of OpenTelemetry's conventions, or names that begin with cardvault.
// Traces are sent only to the collector: no client or endpoint gets their identifiers.
package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// scope is the instrumentation scope of all spans.
const scope = "github.com/cardvault/cardvault"

// Tracer creates spans. A nil Tracer means that tracing is off.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// New returns a Tracer with the given options. Open takes them from the environment.
func New(options ...sdktrace.TracerProviderOption) *Tracer {
	provider := sdktrace.NewTracerProvider(options...)
	return &Tracer{provider: provider, tracer: provider.Tracer(scope)}
}

type tracerKey struct{}

// With returns a context that carries the Tracer.
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

// Start starts a span. It is a child of the span in ctx, or the root of a new trace if there is none.
func Start(
	ctx context.Context, kind trace.SpanKind, name string, attributes ...attribute.KeyValue,
) (context.Context, Span) {
	t := From(ctx)
	if t == nil {
		return ctx, Span{}
	}
	return t.start(ctx, kind, name, copied(attributes))
}

// Child is Start for work that is of interest only as a part of other work. If there is no span in ctx, it starts none.
func Child(
	ctx context.Context, kind trace.SpanKind, name string, attributes ...attribute.KeyValue,
) (context.Context, Span) {
	t := From(ctx)
	if t == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, Span{}
	}
	return t.start(ctx, kind, name, copied(attributes))
}

// Serve starts the span of a request. It is a child of the client's span if the request has a traceparent header (W3C
// Trace Context).
func (t *Tracer) Serve(r *http.Request, name string, attributes ...attribute.KeyValue) (context.Context, Span) {
	if t == nil {
		return r.Context(), Span{}
	}
	ctx := propagation.TraceContext{}.Extract(t.With(r.Context()), propagation.HeaderCarrier(r.Header))
	return t.start(ctx, trace.SpanKindServer, name, copied(attributes))
}

// start starts a span. The context also carries a span that is not sampled, so that its children are not sampled
// either.
func (t *Tracer) start(
	ctx context.Context, kind trace.SpanKind, name string, attributes []attribute.KeyValue,
) (context.Context, Span) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithAttributes(attributes...))
	if !span.IsRecording() {
		return ctx, Span{}
	}
	return ctx, Span{span}
}

// copied returns a copy, so that the caller's slice does not escape: with tracing off, it stays on the stack.
func copied(attributes []attribute.KeyValue) []attribute.KeyValue {
	return append([]attribute.KeyValue(nil), attributes...)
}
