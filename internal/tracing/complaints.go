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

// complainEvery is the shortest time between two lines about what is wrong with tracing: every batch
// that a collector does not take is an error.
const complainEvery = time.Minute

// maxComplaint bounds what is logged of an error, in bytes: it may quote a collector's whole answer.
const maxComplaint = 300

// complaints logs what OpenTelemetry's code reports to be wrong.
type complaints struct {
	log *slog.Logger
	now func() time.Time

	mu     sync.Mutex
	last   time.Time // of the last line
	unsaid int       // errors since
}

var _ otel.ErrorHandler = (*complaints)(nil)

// Handle implements otel.ErrorHandler.
func (c *complaints) Handle(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if !c.last.IsZero() && now.Sub(c.last) < complainEvery {
		c.unsaid++
		return
	}
	c.log.Warn("tracing does not work as it should; at most one such line a minute", "error", short(err), "unsaid", c.unsaid)
	c.last, c.unsaid = now, 0
}

// short returns an error as one line of bounded length.
func short(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if len(text) > maxComplaint {
		text = strings.ToValidUTF8(text[:maxComplaint], "") + "…"
	}
	return text
}

// sink hands the errors in OpenTelemetry's own log to complaints, without the values that go with them:
// of a list of headers that cannot be read, that would be the collector's token.
type sink struct{ *complaints }

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
