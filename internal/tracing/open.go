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

// flushTime is how long Close waits for the collector.
const flushTime = 2 * time.Second

// Open returns the Tracer that OpenTelemetry's environment variables ask for: nil if none of them names
// a collector. Settings that cannot be used are logged and leave tracing off: a service is not to stay
// down for want of its traces.
//
// Spans wait for the collector in a queue of bounded length (OTEL_BSP_MAX_QUEUE_SIZE, 2048). While the
// collector is away or too slow, further ones are thrown away: nobody ever waits for it but Close.
func Open(ctx context.Context) *Tracer {
	collector, err := collectorFromEnvironment()
	if err != nil {
		slog.WarnContext(ctx, "tracing stays off", "error", err)
	}
	if collector == "" {
		return nil
	}
	heard := &complaints{log: slog.Default(), now: time.Now}
	otel.SetErrorHandler(heard)
	otel.SetLogger(logr.New(sink{heard}))
	exporter, err := otlptracehttp.New(ctx) // reads its variables by itself, as the SDK does
	if err != nil {
		slog.WarnContext(ctx, "tracing stays off", "error", err)
		return nil
	}
	slog.InfoContext(ctx, "tracing", "collector", collector)
	return New(sdktrace.WithBatcher(exporter), sdktrace.WithResource(process(ctx)))
}

// process describes this process to the collector. What the operator says of it, by OTEL_SERVICE_NAME
// and OTEL_RESOURCE_ATTRIBUTES, comes last and wins.
func process(ctx context.Context) *resource.Resource {
	about := []attribute.KeyValue{attribute.String("service.name", "cardvault")}
	if build, ok := debug.ReadBuildInfo(); ok && build.Main.Version != "" {
		about = append(about, attribute.String("service.version", build.Main.Version))
	}
	described, err := resource.New(ctx, resource.WithAttributes(about...), resource.WithTelemetrySDK(),
		resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil { // it holds what could be found out
		otel.Handle(err)
	}
	return described
}

// FlushTime is how long Close may take: 0 for a nil Tracer.
func (t *Tracer) FlushTime() time.Duration {
	if t == nil {
		return 0
	}
	return flushTime
}

// Close has the spans that have ended sent, for at most FlushTime and as long as ctx lasts. Spans that
// end later are lost.
func (t *Tracer) Close(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, flushTime)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		slog.WarnContext(ctx, "the collector did not take the last traces", "error", err)
	}
}
