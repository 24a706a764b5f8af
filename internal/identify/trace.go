package identify

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/tracing"
)

// traced is run with a span.
func (ch Chain) traced(ctx context.Context, photo Photo) (Outcome, error) {
	ctx, span := tracing.Start(ctx, trace.SpanKindInternal, "identification")
	defer span.End()
	out, err := ch.run(ctx, photo)
	span.Fail(tracing.Class(err))
	if out.Accepted != nil {
		span.Set(attribute.String("cardvault.provider", out.Accepted.Provider))
	}
	span.Set(attribute.Bool("cardvault.identified", out.Accepted != nil))
	return out, err
}

// askTraced is ask with a span below the identification's.
func (ch Chain) askTraced(ctx context.Context, p Provider, photo Photo) ([]Candidate, Attempt) {
	ctx, span := tracing.Child(ctx, trace.SpanKindInternal, p.Name())
	defer span.End()
	candidates, attempt := ch.ask(ctx, p, photo)
	span.Set(attribute.String("cardvault.outcome", string(attempt.Outcome)))
	if attempt.Confidence != nil {
		span.Set(attribute.Float64("cardvault.confidence", *attempt.Confidence))
	}
	if attempt.Outcome == Failed || attempt.Outcome == TimedOut {
		span.Fail(string(attempt.Outcome))
	}
	return candidates, attempt
}
