package tracing_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

func TestStart(t *testing.T) {
	t.Parallel()
	tracer, spans := tracingtest.Record()
	ctx, job := tracing.Start(tracer.With(t.Context()), trace.SpanKindConsumer, "job", tracing.AccountID("acc_1"))
	_, call := tracing.Child(ctx, trace.SpanKindClient, "call")
	call.Fail("timeout")
	call.Event("moment", tracing.AccountID("acc_2"))
	call.End()
	job.Rename("a better name")
	job.End()

	all := spans.All()
	if len(all) != 2 {
		t.Fatalf("got %d spans, want 2: %+v", len(all), all)
	}
	want := []tracingtest.Span{
		{
			Name: "call", Kind: "client", Trace: all[1].Trace, ID: all[0].ID, Parent: all[1].ID, Failed: true,
			Attributes: map[string]string{"error.type": "timeout"},
			Events: []tracingtest.Event{
				{Name: "moment", Attributes: map[string]string{"cardvault.account_id": "acc_2"}},
			},
		},
		{
			Name: "a better name", Kind: "consumer", Trace: all[1].Trace, ID: all[1].ID,
			Attributes: map[string]string{"cardvault.account_id": "acc_1"},
		},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("spans (-want +got):\n%s", diff)
	}
}

func TestChild_NeedsRunningParent(t *testing.T) {
	t.Parallel()
	tracer, spans := tracingtest.Record()
	ctx := tracer.With(t.Context())
	if _, alone := tracing.Child(ctx, trace.SpanKindClient, "alone"); alone.On() {
		t.Error("Child without a parent started a span")
	}
	ctx, parent := tracing.Start(ctx, trace.SpanKindConsumer, "parent")
	parent.End()
	if _, late := tracing.Child(ctx, trace.SpanKindClient, "late"); late.On() {
		t.Error("Child of a span that has ended started a span")
	}
	if n := len(spans.All()); n != 1 {
		t.Errorf("got %d spans, want only the parent", n)
	}
}

// If a sampler drops a span, it drops the whole trace.
func TestChild_NotSampled(t *testing.T) {
	t.Parallel()
	tracer := tracing.New(sdktrace.WithSampler(sdktrace.NeverSample()))
	ctx, span := tracing.Start(tracer.With(t.Context()), trace.SpanKindConsumer, "job")
	_, child := tracing.Child(ctx, trace.SpanKindClient, "call")
	if span.On() || child.On() || tracing.Current(ctx).On() {
		t.Error("On: got true for a span of a trace that is not sampled")
	}
}

func TestServe_Traceparent(t *testing.T) {
	t.Parallel()
	const traceID, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for header, want := range map[string]bool{ // whether the span is a child of the client's
		"00-" + traceID + "-" + parent + "-01": true,
		"":                                     false,
		"00-" + traceID + "-" + parent:         false,
		"00-00000000000000000000000000000000-" + parent + "-01": false,
		"ff-" + traceID + "-" + parent + "-01":                  false,
		"00-" + traceID + "-" + parent + "-01-unknown part":     false,
	} {
		t.Run(header, func(t *testing.T) {
			t.Parallel()
			tracer, spans := tracingtest.Record()
			r := httptest.NewRequest("GET", "/", nil)
			r.Header.Set("Traceparent", header)
			ctx, span := tracer.Serve(r, "GET")
			_, child := tracing.Child(ctx, trace.SpanKindInternal, "part")
			child.End()
			span.End()
			part, got := spans.All()[0], spans.All()[1]
			if got.Kind != "server" || (got.Trace == traceID) != want || (got.Parent == parent) != want {
				t.Errorf("span: got %+v, want a child of the client's span: %v", got, want)
			}
			if part.Parent != got.ID {
				t.Errorf("child: got %+v, want a child of %+v", part, got)
			}
		})
	}
}

func TestServe_NotSampled(t *testing.T) {
	t.Parallel()
	tracer, _ := tracingtest.Record()
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")
	if _, span := tracer.Serve(r, "GET"); span.On() {
		t.Error("On: got true, want false because the client does not sample the trace")
	}
}

func TestSpan_Link(t *testing.T) {
	t.Parallel()
	tracer, spans := tracingtest.Record()
	ctx := tracer.With(t.Context())
	from, cause := tracing.Start(ctx, trace.SpanKindServer, "cause")
	_, effect := tracing.Start(ctx, trace.SpanKindClient, "effect")
	effect.Link(tracing.Current(from).Origin())
	effect.Link(tracing.Current(ctx).Origin()) // the zero Span
	cause.End()
	effect.End()
	all := spans.All()
	if all[1].Trace == all[0].Trace || len(all[1].Links) != 1 || all[1].Links[0] != all[0].Trace {
		t.Errorf("got %+v, want another trace with one link to %+v", all[1], all[0])
	}
}

func TestClass(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"":               nil,
		"unavailable":    fmt.Errorf("wrapped: %w", fault.New(fault.Unavailable, "The database is not reachable.")),
		"upstream_error": fault.New(fault.UpstreamError, "No."),
		"timeout":        fmt.Errorf("wrapped: %w", context.DeadlineExceeded),
		"canceled":       context.Canceled,
		"error":          errors.New("password=hush"),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			if got := tracing.Class(err); got != want {
				t.Errorf("Class(%v): got %q, want %q", err, got, want)
			}
		})
	}
	if got := tracing.Class(fault.NotFound(fault.CardNotFound)); got != "" {
		t.Errorf("Class of a fault of the client: got %q, want none", got)
	}
}
