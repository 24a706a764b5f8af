package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"go.opentelemetry.io/otel/attribute"

	"github.com/cardvault/cardvault/internal/tracing"
)

// trace starts the request's span. Health probes have none, as they would outnumber all other spans.
func (o *observer) trace(r *http.Request, requestID string) (context.Context, tracing.Span) {
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		return r.Context(), tracing.Span{}
	}
	method := spanMethod(r.Method)
	return o.tracer.Serve(r, method,
		attribute.String("http.request.method", method), attribute.String("cardvault.request_id", requestID))
}

// endSpan ends the request's span. Its name is the method and the path template. The path itself is not recorded: it
// comes from the client, and the path of a photo grants access to the photo.
func (s *requestState) endSpan(method string) {
	if !s.span.On() {
		return
	}
	s.span.Rename(spanMethod(method) + " " + s.route)
	s.span.Set(attribute.String("http.route", s.route), attribute.Int("http.response.status_code", s.response.status))
	if s.caller.AccountID != "" {
		s.span.Set(tracing.AccountID(s.caller.AccountID))
	}
	if s.response.status >= http.StatusInternalServerError {
		s.span.Fail(strconv.Itoa(s.response.status))
	}
	s.span.End()
}

// spanMethod returns the name of a method in spans, which is the same for all unknown methods.
func spanMethod(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "_OTHER"
}
