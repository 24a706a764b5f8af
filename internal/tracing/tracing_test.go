package tracing_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

func TestSpansFormATrace(t *testing.T) {
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
		t.Fatalf("%d spans, want 2: %+v", len(all), all)
	}
	inner, outer := all[0], all[1]
	if outer.Name != "a better name" || outer.Kind != "consumer" || outer.Parent != "" || outer.Failed || outer.Attributes["cardvault.account_id"] != "acc_1" {
		t.Errorf("the job is %+v", outer)
	}
	if inner.Name != "call" || inner.Kind != "client" || inner.Parent != outer.ID || inner.Trace != outer.Trace {
		t.Errorf("the call is %+v, below %+v", inner, outer)
	}
	if !inner.Failed || inner.Attributes["error.type"] != "timeout" {
		t.Errorf("the failed call is %+v", inner)
	}
	if len(inner.Events) != 1 || inner.Events[0].Attributes["cardvault.account_id"] != "acc_2" {
		t.Errorf("the call's events are %+v", inner.Events)
	}
}

func TestChildNeedsASpanThatIsUnderWay(t *testing.T) {
	t.Parallel()
	tracer, spans := tracingtest.Record()
	ctx := tracer.With(t.Context())
	if _, alone := tracing.Child(ctx, trace.SpanKindClient, "alone"); alone.On() {
		t.Error("a child without a parent")
	}
	ctx, parent := tracing.Start(ctx, trace.SpanKindConsumer, "parent")
	parent.End()
	if _, late := tracing.Child(ctx, trace.SpanKindClient, "late"); late.On() {
		t.Error("a child of a span that has ended")
	}
	if n := len(spans.All()); n != 1 {
		t.Errorf("%d spans, want the parent alone", n)
	}
}

// What a sampler leaves out is left out as a whole.
func TestNothingBelowASpanThatIsNotSampled(t *testing.T) {
	t.Parallel()
	tracer := tracing.New(sdktrace.WithSampler(sdktrace.NeverSample()))
	ctx, span := tracing.Start(tracer.With(t.Context()), trace.SpanKindConsumer, "job")
	if _, child := tracing.Child(ctx, trace.SpanKindClient, "call"); span.On() || child.On() || tracing.Current(ctx).On() {
		t.Error("a span of a trace that is not sampled is on")
	}
}

func TestServeContinuesTheClientsTrace(t *testing.T) {
	t.Parallel()
	const theirs, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for header, below := range map[string]bool{
		"00-" + theirs + "-" + parent + "-01": true,
		"":                                    false,
		"00-" + theirs + "-" + parent:         false,
		"00-00000000000000000000000000000000-" + parent + "-01":  false,
		"ff-" + theirs + "-" + parent + "-01":                    false,
		"00-" + theirs + "-" + parent + "-01-what would be this": false,
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
			got := spans.All()[1]
			if got.Kind != "server" || (got.Trace == theirs) != below || (got.Parent == parent) != below || spans.All()[0].Parent != got.ID {
				t.Errorf("%+v, above %+v", got, spans.All()[0])
			}
		})
	}
}

func TestServeLeavesOutWhatTheClientDoesNotSample(t *testing.T) {
	t.Parallel()
	tracer, _ := tracingtest.Record()
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")
	if _, span := tracer.Serve(r, "GET"); span.On() {
		t.Error("the span is on")
	}
}

func TestLinksLeadToTheOrigin(t *testing.T) {
	t.Parallel()
	tracer, spans := tracingtest.Record()
	ctx := tracer.With(t.Context())
	from, cause := tracing.Start(ctx, trace.SpanKindServer, "cause")
	_, effect := tracing.Start(ctx, trace.SpanKindClient, "effect")
	effect.Link(tracing.Current(from).Origin())
	effect.Link(tracing.Current(ctx).Origin()) // of nothing
	cause.End()
	effect.End()
	all := spans.All()
	if all[1].Trace == all[0].Trace || len(all[1].Links) != 1 || all[1].Links[0] != all[0].Trace {
		t.Errorf("%+v is not linked to %+v", all[1], all[0])
	}
}

func TestClass(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"":               nil,
		"unavailable":    fmt.Errorf("deeper: %w", fault.New(fault.Unavailable, "The database is away.")),
		"upstream_error": fault.New(fault.UpstreamError, "No."),
		"timeout":        fmt.Errorf("deeper: %w", context.DeadlineExceeded),
		"canceled":       context.Canceled,
		"error":          errors.New("password=hush"),
	} {
		if got := tracing.Class(err); got != want {
			t.Errorf("the class of %v is %q, want %q", err, got, want)
		}
	}
	if got := tracing.Class(fault.NotFound(fault.CardNotFound)); got != "" {
		t.Errorf("a request for what is not there failed with class %q", got)
	}
}
