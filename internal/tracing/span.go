package tracing

import (
	"context"
	"errors"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/fault"
)

// Span is one piece of work under way. The zero Span takes every call and does nothing.
type Span struct{ span trace.Span }

// Current returns the span that ctx is about; the zero Span if there is none.
func Current(ctx context.Context) Span {
	if From(ctx) == nil {
		return Span{}
	}
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return Span{}
	}
	return Span{span}
}

// On reports whether anybody will see the span: ask it before finding out what only a span needs.
func (s Span) On() bool { return s.span != nil }

// End ends the span.
func (s Span) End() {
	if s.span != nil {
		s.span.End()
	}
}

// Rename names the span anew, once its work is known better.
func (s Span) Rename(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// Set adds attributes.
func (s Span) Set(attributes ...attribute.KeyValue) {
	if s.span != nil {
		s.span.SetAttributes(copied(attributes)...)
	}
}

// Event notes that something happened at this moment.
func (s Span) Event(name string, attributes ...attribute.KeyValue) {
	if s.span != nil {
		s.span.AddEvent(name, trace.WithAttributes(copied(attributes)...))
	}
}

// Fail marks the span's work as failed, with the class of its error; "" is none.
func (s Span) Fail(class string) {
	if s.span != nil && class != "" {
		s.span.SetAttributes(attribute.String("error.type", class))
		s.span.SetStatus(codes.Error, "")
	}
}

// Origin names the span for one of another trace that it gave rise to; nil for the zero Span.
func (s Span) Origin() *trace.SpanContext {
	if s.span == nil {
		return nil
	}
	origin := s.span.SpanContext()
	return &origin
}

// Link says what gave rise to the span; nil is unknown.
func (s Span) Link(origin *trace.SpanContext) {
	if s.span != nil && origin != nil {
		s.span.AddLink(trace.Link{SpanContext: *origin})
	}
}

// Class returns what Fail is told of an error: never its text, which may quote what spans must not carry.
// A fault that says what is wrong with a request is none of the service's, and returns "".
func Class(err error) string {
	f, isFault := fault.As(err)
	switch {
	case err == nil, isFault && f.Status() < http.StatusInternalServerError:
		return ""
	case isFault:
		return string(f.Code)
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, context.Canceled):
		return "canceled"
	}
	return "error"
}

// AccountID is the attribute that says whose work a span is.
func AccountID(id string) attribute.KeyValue { return attribute.String("cardvault.account_id", id) }
