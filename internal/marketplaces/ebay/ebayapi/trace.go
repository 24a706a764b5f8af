package ebayapi

import (
	"context"
	"errors"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/tracing"
)

// call is do with a span.
func (s *Seller) call(ctx context.Context, method, path string, body, answer any) error {
	bare, _, _ := strings.Cut(path, "?")
	ctx, span := tracing.Child(ctx, trace.SpanKindClient, method, attribute.String("http.request.method", method),
		attribute.String("url.path", bare), attribute.String("cardvault.marketplace", s.cfg.Name))
	defer span.End()
	err := s.do(ctx, method, path, body, answer)
	if refused := (*apiError)(nil); !errors.As(err, &refused) { // a refusal is a valid response
		span.Fail(tracing.Class(err))
	}
	return err
}

// traceStatus records the status of the response.
func traceStatus(ctx context.Context, status int) {
	tracing.Current(ctx).Set(attribute.Int("http.response.status_code", status))
}
