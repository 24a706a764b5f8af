// Package polltest waits in tests for conditions that send no signal, such as the result of work in the background. A
// test that can wait for a signal does.
package polltest

import (
	"testing"
	"time"
)

// The pause between two polls is a tenth of the time so far, between minPause and maxPause. A poll may be a request or
// a process, so polls at a fixed short interval would take the processors away from what the test waits for.
const (
	minPause = 5 * time.Millisecond
	maxPause = 100 * time.Millisecond
)

// Until polls until done returns true. It fails the test after patience. what describes the condition in the failure
// message.
func Until(t testing.TB, patience time.Duration, what string, done func() bool) {
	t.Helper()
	for begin := time.Now(); !done(); {
		duration := time.Since(begin)
		if duration > patience {
			t.Fatalf("not within %v: %s", patience, what)
		}
		time.Sleep(min(max(duration/10, minPause), maxPause))
	}
}
