package tracing_test

import (
	"bytes"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/cardvault/cardvault/internal/tracing"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// record is a log. It is safe for concurrent use: the exporter writes to it after Close, too.
type record struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (r *record) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

// String returns what was logged so far.
func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

// environment sets the variables given as name, value, name, value… and returns what is logged from now on.
func environment(t *testing.T, pairs ...string) *record {
	t.Helper()
	for _, variable := range []string{
		"OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER", "OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_TRACES_SAMPLER",
		"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL",
		"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_HEADERS",
	} {
		t.Setenv(variable, "")
	}
	for i := 0; i < len(pairs); i += 2 {
		t.Setenv(pairs[i], pairs[i+1])
	}
	log, before := &record{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(func() {
		exported(t)
		slog.SetDefault(before)
	})
	return log
}

// exported waits until nothing is being exported any more: an export that Close has stopped waiting for complains to
// whoever listens by then, which would be the next test.
func exported(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		stacks := stacks[:runtime.Stack(stacks, true)]
		if !bytes.Contains(stacks, []byte("batchSpanProcessor")) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("an exporter goes on:\n%s", stacks)
		}
	}
}

func TestOffUnlessACollectorIsNamed(t *testing.T) {
	for name, tc := range map[string]struct {
		variables []string
		logged    string
	}{
		"nothing is set":          {nil, ""},
		"everything but":          {[]string{"OTEL_SERVICE_NAME", "vault", "OTEL_TRACES_SAMPLER", "always_on"}, ""},
		"switched off":            {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "OTEL_SDK_DISABLED", "true"}, ""},
		"no exporter":             {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER", "none"}, ""},
		"another exporter":        {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "OTEL_TRACES_EXPORTER", "zipkin"}, "OTEL_TRACES_EXPORTER"},
		"another protocol":        {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"}, "OTEL_EXPORTER_OTLP_PROTOCOL"},
		"another protocol's":      {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc"}, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"},
		"an address without http": {[]string{"OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318"}, "OTEL_EXPORTER_OTLP_ENDPOINT"},
		"no address":              {[]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://user:hush@[::1"}, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"},
	} {
		t.Run(name, func(t *testing.T) {
			log := environment(t, tc.variables...)
			if tracing.Open(t.Context()) != nil {
				t.Error("tracing is on")
			}
			if got := log.String(); tc.logged == "" && got != "" || !strings.Contains(got, tc.logged) || strings.Contains(got, "hush") {
				t.Errorf("the log says %q, want it to name %q", got, tc.logged)
			}
		})
	}
}

func TestOpenSendsWhatTheVariablesSay(t *testing.T) {
	collector := tracingtest.NewCollector(t)
	environment(t, "OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL, "OTEL_EXPORTER_OTLP_HEADERS", "X-Collector-Token=hush",
		"OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	tracer := tracing.Open(t.Context())
	_, span := tracing.Start(tracer.With(t.Context()), trace.SpanKindInternal, "work")
	span.End()
	tracer.Close(t.Context())

	all := collector.All()
	if len(all) != 1 || all[0].Name != "work" {
		t.Fatalf("the collector got %+v", all)
	}
	for name, want := range map[string]string{"service.name": "cardvault", "deployment.environment.name": "test"} {
		if got := all[0].Resource[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := collector.Header().Get("X-Collector-Token"); got != "hush" {
		t.Errorf("the collector's token is %q", got)
	}
}

func TestTheOperatorNamesTheService(t *testing.T) {
	collector := tracingtest.NewCollector(t)
	environment(t, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", collector.URL+"/v1/traces", "OTEL_SERVICE_NAME", "vault")
	tracer := tracing.Open(t.Context())
	_, span := tracing.Start(tracer.With(t.Context()), trace.SpanKindInternal, "work")
	span.End()
	tracer.Close(t.Context())
	if all := collector.All(); len(all) != 1 || all[0].Resource["service.name"] != "vault" {
		t.Errorf("the collector got %+v", all)
	}
}

func TestASamplerLeavesOut(t *testing.T) {
	collector := tracingtest.NewCollector(t)
	environment(t, "OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL, "OTEL_TRACES_SAMPLER", "always_off")
	tracer := tracing.Open(t.Context())
	_, span := tracing.Start(tracer.With(t.Context()), trace.SpanKindInternal, "work")
	span.End()
	tracer.Close(t.Context())
	if n := collector.Requests(); n != 0 {
		t.Errorf("the collector got %d requests", n)
	}
}

// A collector that takes connections and never answers holds up nobody: not those who make far more
// spans than may wait for it, and not the end of the process.
func TestACollectorThatHangsHoldsUpNobody(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log := environment(t, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+mute.Addr().String())
	t.Cleanup(func() { mute.Close() })
	tracer := tracing.Open(t.Context())
	ctx := tracer.With(t.Context())
	begun := time.Now()
	for range 20_000 {
		_, span := tracing.Start(ctx, trace.SpanKindInternal, "work")
		span.End()
	}
	if took := time.Since(begun); took > 10*time.Second { // the exporter waits that long for each batch
		t.Errorf("20,000 spans took %v", took)
	}
	begun = time.Now()
	tracer.Close(ctx)
	if took := time.Since(begun); took > 4*tracer.FlushTime() {
		t.Errorf("Close took %v", took)
	}
	if !strings.Contains(log.String(), "did not take the last traces") {
		t.Errorf("the log does not say that traces were lost: %s", log)
	}
}

// A list of headers that cannot be read is told of without what is in it.
func TestTheCollectorsTokenIsNotLogged(t *testing.T) {
	log := environment(t, "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "OTEL_EXPORTER_OTLP_HEADERS", "Authorization: Bearer hush")
	tracing.Open(t.Context()).Close(t.Context())
	if got := log.String(); strings.Contains(got, "hush") || !strings.Contains(got, "parse headers") {
		t.Errorf("the log says %q", got)
	}
}
