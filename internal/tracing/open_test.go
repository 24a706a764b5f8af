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

// record is a log. It is safe for concurrent use because the exporter may write to it after Close.
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

// String returns the log.
func (r *record) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

const (
	endpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	protocol       = "OTEL_EXPORTER_OTLP_PROTOCOL"
	tracesProtocol = "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
	exporter       = "OTEL_TRACES_EXPORTER"
)

// environment sets the variables, which are given as name, value, name, value…, and returns the log from now on.
func environment(t *testing.T, pairs ...string) *record {
	t.Helper()
	for _, variable := range []string{
		endpoint, tracesEndpoint, protocol, tracesProtocol, "OTEL_EXPORTER_OTLP_HEADERS",
		exporter, "OTEL_SDK_DISABLED", "OTEL_TRACES_SAMPLER",
		"OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES",
	} {
		t.Setenv(variable, "")
	}
	for i := 0; i < len(pairs); i += 2 {
		t.Setenv(pairs[i], pairs[i+1])
	}
	log, before := &record{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(func() {
		awaitExporters(t)
		slog.SetDefault(before)
	})
	return log
}

// awaitExporters waits until no exporter runs. An export that Close no longer waits for would log to the next test.
func awaitExporters(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		stacks := stacks[:runtime.Stack(stacks, true)]
		if !bytes.Contains(stacks, []byte("batchSpanProcessor")) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("an exporter still runs:\n%s", stacks)
		}
	}
}

func TestOpen_Off(t *testing.T) {
	const address = "http://127.0.0.1:4318"
	for name, tc := range map[string]struct {
		variables []string
		logged    string // the variable that the log names; "" for an empty log
	}{
		"no variables":          {nil, ""},
		"no collector":          {[]string{"OTEL_SERVICE_NAME", "vault", "OTEL_TRACES_SAMPLER", "always_on"}, ""},
		"disabled":              {[]string{endpoint, address, "OTEL_SDK_DISABLED", "true"}, ""},
		"no exporter":           {[]string{endpoint, address, exporter, "none"}, ""},
		"exporter zipkin":       {[]string{endpoint, address, exporter, "zipkin"}, exporter},
		"grpc":                  {[]string{endpoint, address, protocol, "grpc"}, protocol},
		"grpc for traces":       {[]string{endpoint, address, tracesProtocol, "grpc"}, tracesProtocol},
		"address without http":  {[]string{endpoint, "127.0.0.1:4318"}, endpoint},
		"address with password": {[]string{tracesEndpoint, "http://user:hush@[::1"}, tracesEndpoint},
	} {
		t.Run(name, func(t *testing.T) {
			log := environment(t, tc.variables...)
			if tracing.Open(t.Context()) != nil {
				t.Error("Open: got a Tracer, want nil")
			}
			got := log.String()
			if tc.logged == "" && got != "" || !strings.Contains(got, tc.logged) || strings.Contains(got, "hush") {
				t.Errorf("log: got %q, want it to name %q and not to contain the password", got, tc.logged)
			}
		})
	}
}

func TestOpen_Variables(t *testing.T) {
	collector := tracingtest.NewCollector(t)
	environment(t, endpoint, collector.URL, "OTEL_EXPORTER_OTLP_HEADERS", "X-Collector-Token=hush",
		"OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	tracer := tracing.Open(t.Context())
	_, span := tracing.Start(tracer.With(t.Context()), trace.SpanKindInternal, "work")
	span.End()
	tracer.Close(t.Context())

	all := collector.All()
	if len(all) != 1 || all[0].Name != "work" {
		t.Fatalf("spans that the collector got: %+v, want work", all)
	}
	for name, want := range map[string]string{"service.name": "cardvault", "deployment.environment.name": "test"} {
		if got := all[0].Resource[name]; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := collector.Header().Get("X-Collector-Token"); got != "hush" {
		t.Errorf("X-Collector-Token: got %q, want hush", got)
	}
}

func TestOpen_ServiceName(t *testing.T) {
	collector := tracingtest.NewCollector(t)
	environment(t, tracesEndpoint, collector.URL+"/v1/traces", "OTEL_SERVICE_NAME", "vault")
	tracer := tracing.Open(t.Context())
	_, span := tracing.Start(tracer.With(t.Context()), trace.SpanKindInternal, "work")
	span.End()
	tracer.Close(t.Context())
	if all := collector.All(); len(all) != 1 || all[0].Resource["service.name"] != "vault" {
		t.Errorf("spans that the collector got: %+v, want one of the service vault", all)
	}
}

func TestOpen_Sampler(t *testing.T) {
	collector := tracingtest.NewCollector(t)
	environment(t, endpoint, collector.URL, "OTEL_TRACES_SAMPLER", "always_off")
	tracer := tracing.Open(t.Context())
	_, span := tracing.Start(tracer.With(t.Context()), trace.SpanKindInternal, "work")
	span.End()
	tracer.Close(t.Context())
	if n := collector.Requests(); n != 0 {
		t.Errorf("requests that the collector got: %d, want none", n)
	}
}

// A collector that accepts connections and never responds delays neither code that creates more spans than the queue
// holds, nor the end of the process.
func TestOpen_HangingCollector(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	log := environment(t, endpoint, "http://"+silent.Addr().String())
	t.Cleanup(func() { silent.Close() })
	tracer := tracing.Open(t.Context())
	ctx := tracer.With(t.Context())
	begin := time.Now()
	for range 20_000 {
		_, span := tracing.Start(ctx, trace.SpanKindInternal, "work")
		span.End()
	}
	if elapsed := time.Since(begin); elapsed > 10*time.Second { // the exporter's timeout for one batch
		t.Errorf("20,000 spans took %v, want no wait for the collector", elapsed)
	}
	begin = time.Now()
	tracer.Close(ctx)
	if elapsed := time.Since(begin); elapsed > 4*tracer.FlushTime() {
		t.Errorf("Close took %v, want at most about %v", elapsed, tracer.FlushTime())
	}
	if want := "the last traces were not sent"; !strings.Contains(log.String(), want) {
		t.Errorf("log: got %s, want %q", log, want)
	}
}

// The error for a malformed list of headers is logged without the headers.
func TestOpen_LogsNoToken(t *testing.T) {
	log := environment(t,
		endpoint, "http://127.0.0.1:4318", "OTEL_EXPORTER_OTLP_HEADERS", "Authorization: Bearer hush")
	tracing.Open(t.Context()).Close(t.Context())
	if got := log.String(); strings.Contains(got, "hush") || !strings.Contains(got, "parse headers") {
		t.Errorf("log: got %q, want the error without the token", got)
	}
}
