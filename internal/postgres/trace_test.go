package postgres_test

import (
	"context"
	"errors"
	"testing"

	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// A transaction is a span of its parent span. A transaction without a parent, such as a poll, has no span.
func TestDB_TracesTransactionsWithParent(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	tracer, spans := tracingtest.Record()
	alone := tracer.With(t.Context())
	ctx, work := tracing.Start(alone, trace.SpanKindConsumer, "work")
	boom := errors.New("password=hush")
	for ctx, outcome := range map[context.Context]error{alone: nil, ctx: boom} {
		if err := db.InTx(ctx, func(*postgres.Tx) error { return outcome }); !errors.Is(err, outcome) {
			t.Fatal(err)
		}
	}
	lock := postgres.RowLock{Key: "acc_1", Try: func(*postgres.Tx) (bool, error) { return true, nil }}
	if err := db.InLockedTx(ctx, lock, func(*postgres.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	work.End()

	all := spans.All()
	if len(all) != 3 {
		t.Fatalf("%d spans, want two transactions and their work: %+v", len(all), all)
	}
	for i, failed := range []bool{true, false} {
		got := all[i]
		if got.Name != "transaction" || got.Kind != "client" || got.Parent != all[2].ID || got.Failed != failed ||
			got.Attributes["error.type"] == boom.Error() {
			t.Errorf("transaction %d is %+v", i+1, got)
		}
	}
}
