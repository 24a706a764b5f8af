package tracing

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestErrorLogger_LogsOnceAMinute(t *testing.T) {
	t.Parallel()
	log := &bytes.Buffer{}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	l := &errorLogger{log: slog.New(slog.NewTextHandler(log, nil)), now: func() time.Time { return now }}
	for range 100 {
		l.Handle(errors.New("connection\nrefused"))
		now = now.Add(time.Second)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `error="connection refused" skipped=0`) ||
		!strings.Contains(lines[1], "skipped=59") {
		t.Errorf("log of 100 errors in 100 seconds: got\n%s\nwant 2 lines, the second with skipped=59", log)
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	got := short(errors.New(strings.Repeat("é", 1000)))
	if len(got) > maxErrorLength+len("…") || !strings.HasSuffix(got, "é…") {
		t.Errorf("short: got %q, want at most %d bytes that end with a whole character", got, maxErrorLength)
	}
}
