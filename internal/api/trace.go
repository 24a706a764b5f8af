package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"go.opentelemetry.io/otel/attribute"

	"github.com/cardvault/cardvault/internal/tracing"
)

// trace begins the request's span. Probes have none: they would outnumber everything else.
func (o *observer) trace(r *http.Request, requestID string) (context.Context, tracing.Span) {
	if r.URL.Path == "/healthz" || r.URL.Path == "/readyz" {
		return r.Context(), tracing.Span{}
	}
	method := spanMethod(r.Method)
	return o.tracer.Serve(r, method, attribute.String("http.request.method", method), attribute.String("cardvault.request_id", requestID))
}

// endSpan ends the request's span, with what was found out on the way. Its name is the method and the
// path's template: the path itself is the client's, and a photo's holds the right to see it.
func (x *exchange) endSpan(method string) {
	if !x.span.On() {
		return
	}
	x.span.Rename(spanMethod(method) + " " + x.route)
	x.span.Set(attribute.String("http.route", x.route), attribute.Int("http.response.status_code", x.status))
	if x.accountID != "" {
		x.span.Set(tracing.AccountID(x.accountID))
	}
	if x.status >= http.StatusInternalServerError {
		x.span.Fail(strconv.Itoa(x.status))
	}
	x.span.End()
}

// spanMethod is a method as spans name it: those that clients invent are all one.
func spanMethod(method string) string {
	if slices.Contains(methods, method) {
		return method
	}
	return "_OTHER"
}
