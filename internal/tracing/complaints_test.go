package tracing

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestComplaintsAreLoggedOnceAMinute(t *testing.T) {
	t.Parallel()
	log := &bytes.Buffer{}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	c := &complaints{log: slog.New(slog.NewTextHandler(log, nil)), now: func() time.Time { return now }}
	for range 100 {
		c.Handle(errors.New("connection\nrefused"))
		now = now.Add(time.Second)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `error="connection refused" unsaid=0`) || !strings.Contains(lines[1], "unsaid=59") {
		t.Errorf("100 errors in 100 seconds were logged as\n%s", log)
	}
}

func TestComplaintsAreShort(t *testing.T) {
	t.Parallel()
	if got := short(errors.New(strings.Repeat("é", 1000))); len(got) > maxComplaint+len("…") || !strings.HasSuffix(got, "é…") {
		t.Errorf("an answer of 2000 bytes was kept as %q", got)
	}
}
