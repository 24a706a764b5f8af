package tracing

import (
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// traceAll makes all calls that traced code makes.
func traceAll(t testing.TB, account string, n int) {
	ctx, span := Start(t.Context(), trace.SpanKindConsumer, "job", AccountID(account), attribute.Int("n", n))
	defer span.End()
	ctx, child := Child(ctx, trace.SpanKindClient, "call", attribute.String("key", account))
	child.Set(AccountID(account), attribute.Int("n", n))
	child.Event("moment", AccountID(account))
	child.Rename(account)
	child.Fail(account)
	child.Link(Current(ctx).Origin())
	child.End()
}

func TestOff_AllocatesNothing(t *testing.T) {
	account := t.Name()
	if n := testing.AllocsPerRun(100, func() { traceAll(t, account, 1000) }); n != 0 {
		t.Errorf("allocations with tracing off: got %v, want none", n)
	}
}

func BenchmarkOff(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		traceAll(b, "acc_1", 1000)
	}
}
