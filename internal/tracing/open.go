package tracing

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// flushTimeout is how long Close waits for the collector.
const flushTimeout = 2 * time.Second

// Open returns a Tracer that is configured by OpenTelemetry's environment variables, or nil if they name no collector.
// It logs invalid settings and returns nil for them, because the service also works without traces.
//
// Spans are sent in the background from a queue of at most OTEL_BSP_MAX_QUEUE_SIZE spans, by default 2048. If the queue
// is full because the collector is slow or not reachable, further spans are dropped. Only Close waits for the
// collector.
func Open(ctx context.Context) *Tracer {
	collector, err := collectorFromEnvironment()
	if err != nil {
		slog.WarnContext(ctx, "tracing stays off", "error", err)
	}
	if collector == "" {
		return nil
	}
	logger := &errorLogger{log: slog.Default(), now: time.Now}
	otel.SetErrorHandler(logger)
	otel.SetLogger(logr.New(sink{logger}))
	exporter, err := otlptracehttp.New(ctx) // like the SDK, it reads the environment variables itself
	if err != nil {
		slog.WarnContext(ctx, "tracing stays off", "error", err)
		return nil
	}
	slog.InfoContext(ctx, "tracing", "collector", collector)
	return New(sdktrace.WithBatcher(exporter), sdktrace.WithResource(process(ctx)))
}

// process returns the attributes of this process. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence.
func process(ctx context.Context) *resource.Resource {
	attributes := []attribute.KeyValue{attribute.String("service.name", "cardvault")}
	if build, ok := debug.ReadBuildInfo(); ok && build.Main.Version != "" {
		attributes = append(attributes, attribute.String("service.version", build.Main.Version))
	}
	r, err := resource.New(ctx, resource.WithAttributes(attributes...), resource.WithTelemetrySDK(),
		resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil {
		otel.Handle(err) // the resource has the attributes that were found
	}
	return r
}

// FlushTime returns how long Close may take. It is 0 for a nil Tracer.
func (t *Tracer) FlushTime() time.Duration {
	if t == nil {
		return 0
	}
	return flushTimeout
}

// Close sends the spans that have ended and waits for at most FlushTime and until ctx ends. Spans that end later are
// lost.
func (t *Tracer) Close(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		slog.WarnContext(ctx, "the last traces were not sent to the collector", "error", err)
	}
}
