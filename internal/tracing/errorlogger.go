package tracing

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
)

// logInterval is the shortest time between two logged errors. Every batch that the collector does not accept is an
// error.
const logInterval = time.Minute

// maxErrorLength is the maximum length of a logged error, in bytes. An error may quote the collector's whole response.
const maxErrorLength = 300

// errorLogger logs the errors of OpenTelemetry's packages.
type errorLogger struct {
	log *slog.Logger
	now func() time.Time

	mu      sync.Mutex
	last    time.Time // when the last error was logged
	skipped int       // errors since then
}

var _ otel.ErrorHandler = (*errorLogger)(nil)

// Handle implements otel.ErrorHandler.
func (l *errorLogger) Handle(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	if !l.last.IsZero() && now.Sub(l.last) < logInterval {
		l.skipped++
		return
	}
	l.log.Warn("tracing failed; logged at most once a minute", "error", short(err), "skipped", l.skipped)
	l.last, l.skipped = now, 0
}

// short returns the text of an error as one line of limited length.
func short(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if len(text) > maxErrorLength {
		text = strings.ToValidUTF8(text[:maxErrorLength], "") + "…"
	}
	return text
}

// sink passes errors from OpenTelemetry's log to an errorLogger. It omits the values that are logged with an error: for
// a malformed list of headers, they contain the collector's token.
type sink struct{ *errorLogger }

var _ logr.LogSink = sink{}

// Init implements logr.LogSink.
func (sink) Init(logr.RuntimeInfo) {}

// Enabled implements logr.LogSink.
func (sink) Enabled(int) bool { return false }

// Info implements logr.LogSink.
func (sink) Info(int, string, ...any) {}

// Error implements logr.LogSink.
func (s sink) Error(err error, what string, _ ...any) { s.Handle(fmt.Errorf("%s: %w", what, err)) }

// WithValues implements logr.LogSink.
func (s sink) WithValues(...any) logr.LogSink { return s }

// WithName implements logr.LogSink.
func (s sink) WithName(string) logr.LogSink { return s }
