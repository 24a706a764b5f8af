package delivery

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// recordInSpan records an event in the span of ctx and returns its identifier.
func (env *testEnv) recordInSpan(ctx context.Context) (eventID string) {
	env.t.Helper()
	must(env.t, env.db.InTx(ctx, func(tx *postgres.Tx) error {
		stamp, err := env.clock.Lock(ctx, tx, env.account)
		if err != nil {
			return err
		}
		return events.NewRecorder(env.outbox).Record(ctx, tx, stamp,
			events.BatchCompleted{BatchID: "bat_1", Name: "hush", CardCount: 1})
	}))
	return env.onlyDelivery().EventID
}

// Each attempt is a trace of its own, and the first one is linked to the cause of the event. Requests to the endpoint
// contain no trace, and spans contain nothing confidential.
func TestEngine_TracesEachAttempt(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	tries := make(chan int, 2)
	tries <- http.StatusServiceUnavailable
	tries <- http.StatusNoContent
	s := env.sink(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(<-tries) })
	endpoint, secret := env.register(s.URL + "/hush?key=hush")
	tracer, spans := tracingtest.Record()
	ctx := tracer.With(context.Background())
	e, err := NewEngine(env.db, env.clock, devGuard(),
		Config{Keys: env.keys, RetryDelays: []time.Duration{time.Millisecond}}, env.outbox)
	must(t, err)
	must(t, e.Start(ctx))
	t.Cleanup(func() { stop(t, e) })

	requested, request := tracing.Start(ctx, trace.SpanKindServer, "request")
	eventID := env.recordInSpan(requested)
	request.End()
	first := spans.Await(t, "the first attempt",
		func(s tracingtest.Span) bool { return s.Attributes["cardvault.attempt"] == "1" })
	second := spans.Await(t, "the second attempt",
		func(s tracingtest.Span) bool { return s.Attributes["cardvault.attempt"] == "2" })
	cause := spans.Await(t, "the request", tracingtest.Named("request"))

	if len(cause.Events) != 1 || cause.Events[0].Attributes["cardvault.event_id"] != eventID ||
		cause.Events[0].Attributes["cardvault.event"] != "batch.completed" {
		t.Errorf("the request names the events %+v, want %s", cause.Events, eventID)
	}
	if len(first.Links) != 1 || first.Links[0] != cause.Trace || first.Trace == cause.Trace ||
		second.Trace == first.Trace {
		t.Errorf("the first attempt is %+v, the request %+v", first, cause)
	}
	host, err := url.Parse(s.URL)
	must(t, err)
	for i, span := range []tracingtest.Span{first, second} {
		want := []map[string]string{
			{"cardvault.class": "status", "cardvault.state": "retried", "http.response.status_code": "503",
				"error.type": "status"},
			{"cardvault.class": "success", "cardvault.state": "delivered", "http.response.status_code": "204",
				"error.type": ""},
		}[i]
		want["cardvault.event"], want["cardvault.event_id"] = "batch.completed", eventID
		want["cardvault.endpoint_id"], want["cardvault.account_id"] = endpoint.ID, env.account
		want["cardvault.delivery_id"], want["server.address"] = env.onlyDelivery().ID, host.Hostname()
		for name, value := range want {
			if got := span.Attributes[name]; got != value {
				t.Errorf("attempt %d: %s is %q, want %q", i+1, name, got, value)
			}
		}
		if span.Name != "webhook attempt" || span.Kind != "client" || span.Parent != "" || span.Failed != (i == 0) {
			t.Errorf("attempt %d is %+v", i+1, span)
		}
		for name, value := range span.Attributes {
			if strings.Contains(value, "hush") || strings.Contains(value, secret) {
				t.Errorf("attempt %d: %s is %q", i+1, name, value)
			}
		}
	}
	for range 2 {
		if got := s.next(t).header; got.Get("Traceparent") != "" || got.Get("Tracestate") != "" {
			t.Errorf("the request contains a trace: %v", got)
		}
	}
}

// okTransport responds to every request at once, without a network.
type okTransport struct{}

// RoundTrip implements http.RoundTripper.
func (okTransport) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusNoContent, Body: http.NoBody}, nil
}

// newAttemptFixture returns an engine that can only make attempts, and the arguments of one.
func newAttemptFixture() (*Engine, *target, *job) {
	e := &Engine{
		clock: clock.System, cfg: Config{Timeout: time.Minute, RetryDelays: DefaultRetryDelays},
		client: &http.Client{Transport: okTransport{}}, sendCtx: context.Background(),
	}
	j := &job{
		key: webhooks.EndpointKey{Account: "acc_1", Endpoint: "whe_1"}, id: "dlv_1", eventID: "evt_1",
		event: string(events.KindCardPriced),
		body:  strings.Repeat("x", 500),
	}
	return e, &target{url: "https://shop.example/hook?key=1"}, j
}

func TestEngine_TraceAttemptAllocatesNothingWhenOff(t *testing.T) {
	e, to, j := newAttemptFixture()
	r := result{job: j, status: http.StatusServiceUnavailable, class: classStatus, outcome: outcomeRetried}
	n := testing.AllocsPerRun(100, func() {
		_, span := e.traceAttempt(to, j)
		r.endSpan(span)
	})
	if n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

func BenchmarkAttempt(b *testing.B) {
	e, to, j := newAttemptFixture()
	b.ReportAllocs()
	for b.Loop() {
		if r := e.attempt(to, j); r.outcome != outcomeDelivered {
			b.Fatal(r)
		}
	}
}
