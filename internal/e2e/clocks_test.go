package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/e2e/program"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// binary builds the program once for the tests that run it as processes.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "cardvault-")
	if err != nil {
		return "", err
	}
	builtIn = dir
	return program.Build(dir)
})

// builtIn is the folder of the program. TestMain removes it.
var builtIn string

// cardvault returns a command of the program whose clock is wrong by an offset.
func cardvault(t testing.TB, offset time.Duration, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(path, args...)
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%s", program.ClockOffset, offset), "CARDVAULT_SECRET_KEY=")
	return command
}

var servingAt = regexp.MustCompile(`msg=serving address=(\S+)`)

// startOffClock starts `cardvault serve` as a process whose clock is wrong by an offset. It returns the API's address.
func startOffClock(t *testing.T, databaseURL string, offset time.Duration) (api string) {
	t.Helper()
	_, address := offClock(t, offset, servingAt, "serve",
		"--no-workers",
		"--allow-private-networks",
		"--addr", "127.0.0.1:0",
		"--admin-addr", "127.0.0.1:0",
		"--photo-store", t.TempDir(),
		"--database-url", databaseURL)
	return "http://" + address + "/api"
}

// offClock starts a command as a process whose clock is wrong by an offset. It waits until the process logs a line that
// matches ready, and returns the first submatch as the address.
func offClock(
	t *testing.T, offset time.Duration, ready *regexp.Regexp, args ...string,
) (kill func(), address string) {
	t.Helper()
	command := cardvault(t, offset, args...)
	stderr, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	t.Cleanup(kill)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if at := ready.FindStringSubmatch(lines.Text()); at != nil {
			go io.Copy(io.Discard, stderr)
			return kill, at[1]
		}
	}
	t.Fatal("the process ended before it logged its address")
	return nil, ""
}

// TestPolling_AcrossProcesses writes through two processes whose clocks are ten seconds apart, while a client polls
// both in turn. The client must see every change.
func TestPolling_AcrossProcesses(t *testing.T) {
	t.Parallel()
	databaseURL := pgtest.URL(t)
	c := startOn(t, databaseURL).client(t, false)
	var processes []*client
	for _, offset := range []time.Duration{5 * time.Second, -5 * time.Second} {
		process := &service{App: c.service.App, url: startOffClock(t, databaseURL, offset)}
		processes = append(processes, &client{t: t, service: process, account: c.account, token: c.token})
	}

	const writers, writes = 4, 20
	var mine []card
	for range writers {
		mine = append(mine, c.create(`{}`))
	}
	var writing sync.WaitGroup
	for w := range writers {
		writing.Go(func() {
			for n := range writes {
				processes[(w+n)%2].do("PATCH", "/cards/"+mine[w].ID, fmt.Sprintf(`{"notes":"%d"}`, n)).want(t, 200, nil)
			}
		})
	}
	done := make(chan struct{})
	go func() { writing.Wait(); close(done) }()
	seen, since := map[string]int64{}, "2000-01-01T00:00:00Z"
	for round, over := 0, false; !over; round++ {
		select {
		case <-done:
			over = true // poll once more after the last write
		default:
		}
		since = processes[round%2].pollFrom(since, seen)
	}
	for _, made := range mine {
		if seen[made.ID] != writes+1 {
			t.Errorf("card %s: polling shows version %d, want the last one, %d", made.ID, seen[made.ID], writes+1)
		}
	}
}

// pollFrom reads all pages of the cards that changed since a time and records their versions in seen. It returns the
// time from which to poll next.
func (c *client) pollFrom(since string, seen map[string]int64) string {
	c.t.Helper()
	for cursor := ""; ; {
		query := url.Values{"updated_since": {since}, "limit": {"3"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		var found listOf[struct {
			ID        string
			Version   int64
			UpdatedAt string `json:"updated_at"`
		}]
		c.do("GET", "/cards?"+query.Encode(), nil).want(c.t, 200, &found)
		last := since
		for _, changed := range found.Data {
			seen[changed.ID] = max(seen[changed.ID], changed.Version)
			last = changed.UpdatedAt
		}
		if found.NextCursor == nil {
			return last
		}
		cursor = *found.NextCursor
	}
}
