package listings

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/tracing"
)

// call runs a marketplace call with a deadline well before the claim ends. name is the name of its span.
func call(ctx context.Context, j job, name string, do func(context.Context) error) error {
	ctx, cancel := context.WithDeadline(ctx, j.callBy)
	defer cancel()
	ctx, span := tracing.Child(ctx, trace.SpanKindInternal, name)
	defer span.End()
	err := do(ctx)
	traceError(span, err)
	return err
}

// callAll is call for the listings of tasks. It returns a result per task.
func callAll(
	ctx context.Context, tasks []*task, name string, do func(context.Context) []marketplaces.Result,
) []marketplaces.Result {
	if len(tasks) == 0 {
		return nil
	}
	ctx, cancel := context.WithDeadline(ctx, tasks[0].callBy)
	defer cancel()
	ctx, span := tracing.Child(ctx, trace.SpanKindInternal, name, attribute.Int("cardvault.listings", len(tasks)))
	defer span.End()
	results := do(ctx)
	for _, r := range results {
		traceError(span, r.Err)
	}
	return results
}

// traceError adds the error of a call to its span. A refusal is no failure of the call.
func traceError(span tracing.Span, err error) {
	if refusal, ok := marketplaces.AsRefusal(err); ok {
		span.Set(attribute.String("cardvault.refusal", refusal.Code))
		return
	}
	span.Fail(tracing.Class(err))
}
