package e2e

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// TestServe_RefusesWrongClock starts processes with a wrong clock.
func TestServe_RefusesWrongClock(t *testing.T) {
	t.Parallel()
	databaseURL := pgtest.URL(t)
	for _, c := range []struct {
		command string
		offset  time.Duration
		message string
	}{
		{"serve", 2 * time.Minute, "ahead of the database's"},
		{"serve", -2 * time.Minute, "behind the database's"},
		{"worker", time.Hour, "ahead of the database's"},
	} {
		t.Run(c.command+" "+c.offset.String(), func(t *testing.T) {
			t.Parallel()
			command := cardvault(t, c.offset, c.command, "--allow-private-networks",
				"--admin-addr", "127.0.0.1:0", "--photo-store", t.TempDir(), "--database-url", databaseURL)
			command.Env = append(command.Env, "CARDVAULT_ADDR=127.0.0.1:0")
			output, err := command.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("the process ended with %v, want exit status 1", err)
			}
			for _, want := range []string{c.message, "CARDVAULT_CLOCK_TOLERANCE", "NTP"} {
				if !strings.Contains(string(output), want) {
					t.Errorf("the process printed %s, want %q in it", output, want)
				}
			}
		})
	}
}

// TestReady_FailsWhileClockIsWrong changes the clock of a serving process.
func TestReady_FailsWhileClockIsWrong(t *testing.T) {
	t.Parallel()
	a := *start(t).App
	var offset atomic.Int64
	a.Clock = clock.Clock{Now: func() time.Time { return time.Now().Add(time.Duration(offset.Load())) }}
	admin := api.Admin(a.Ready(), app.NewRegistry())
	for _, c := range []struct {
		offset time.Duration
		status int
		body   string
	}{
		{0, http.StatusOK, `"ok"`},
		{time.Hour, http.StatusServiceUnavailable,
			`"failing":["clock"],"reasons":{"clock":"This machine's clock is `},
		{-time.Hour, http.StatusServiceUnavailable, "behind the database's"},
		{30 * time.Second, http.StatusOK, `"ok"`},
	} {
		t.Run(c.offset.String(), func(t *testing.T) {
			offset.Store(int64(c.offset))
			w := httptest.NewRecorder()
			admin.ServeHTTP(w, httptest.NewRequest("GET", "/readyz", nil))
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
				t.Errorf("got %d %s, want %d with %s", w.Code, w.Body, c.status, c.body)
			}
		})
	}
}
