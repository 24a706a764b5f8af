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

// Span is a span of a trace. All methods of the zero Span do nothing.
type Span struct{ span trace.Span }

// Current returns the span of ctx, or the zero Span if there is none.
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

// On reports whether the span is recorded. Call it before computing values that only the span needs.
func (s Span) On() bool { return s.span != nil }

// End ends the span.
func (s Span) End() {
	if s.span != nil {
		s.span.End()
	}
}

// Rename changes the span's name, for a name that is known only after the span started.
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

// Event adds an event with the current time.
func (s Span) Event(name string, attributes ...attribute.KeyValue) {
	if s.span != nil {
		s.span.AddEvent(name, trace.WithAttributes(copied(attributes)...))
	}
}

// Fail sets the span's status to error, with the Class of the error. It does nothing for the class "".
func (s Span) Fail(class string) {
	if s.span != nil && class != "" {
		s.span.SetAttributes(attribute.String("error.type", class))
		s.span.SetStatus(codes.Error, "")
	}
}

// Origin returns the context of the span, for Link in a span that it causes. It is nil for the zero Span.
func (s Span) Origin() *trace.SpanContext {
	if s.span == nil {
		return nil
	}
	origin := s.span.SpanContext()
	return &origin
}

// Link adds a link to the span that caused this one. It does nothing if origin is nil.
func (s Span) Link(origin *trace.SpanContext) {
	if s.span != nil && origin != nil {
		s.span.AddLink(trace.Link{SpanContext: *origin})
	}
}

// Class returns the class of an error for Fail. The text of an error may contain data that spans must not carry. The
// class is "" for nil and for a fault of the client.
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

// AccountID returns the attribute with the account for which a span's work is done.
func AccountID(id string) attribute.KeyValue { return attribute.String("cardvault.account_id", id) }
