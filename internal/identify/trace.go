package identify

import (
	"go.opentelemetry.io/otel/attribute"

	"github.com/cardvault/cardvault/internal/tracing"
)

// endRun ends the span of an identification.
func endRun(span tracing.Span, out Outcome, err error) {
	span.Fail(tracing.Class(err))
	if out.Accepted != nil {
		span.Set(attribute.String("cardvault.provider", out.Accepted.Provider))
	}
	span.Set(attribute.Bool("cardvault.identified", out.Accepted != nil))
	span.End()
}

// endAttempt ends the span of a provider's call.
func endAttempt(span tracing.Span, attempt Attempt) {
	span.Set(attribute.String("cardvault.outcome", string(attempt.Outcome)))
	if attempt.Confidence != nil {
		span.Set(attribute.Float64("cardvault.confidence", *attempt.Confidence))
	}
	if attempt.Outcome == Failed || attempt.Outcome == TimedOut {
		span.Fail(string(attempt.Outcome))
	}
	span.End()
}
