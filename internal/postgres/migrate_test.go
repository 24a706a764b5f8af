package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

var errLocked = fmt.Errorf("migration 8: %w", &pq.Error{Code: pqerror.LockNotAvailable})

func TestRetryWhileLocked_Retries(t *testing.T) {
	t.Parallel()
	const wait = (1 + 2 + 4 + 8 + 10 + 10) * time.Second
	for name, last := range map[string]error{"succeeds": nil, "fails otherwise": errors.New("other error")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start, attempts := time.Now(), 0
				err := retryWhileLocked(t.Context(), func() error {
					if attempts++; attempts < 7 {
						return errLocked
					}
					return last
				})
				if took := time.Since(start); !errors.Is(err, last) || attempts != 7 || took != wait {
					t.Errorf("%d attempts in %v, %v, want 7 in %v, %v", attempts, took, err, wait, last)
				}
			})
		})
	}
}

func TestRetryWhileLocked_GivesUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		timeout time.Duration // of the context
		atLeast time.Duration
		want    error
	}{
		{"after the longest wait", time.Hour, migrationMaxWait, errLocked},
		{"at the deadline", time.Minute, time.Minute, context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), c.timeout)
				defer cancel()
				start := time.Now()
				err := retryWhileLocked(ctx, func() error { return errLocked })
				if took := time.Since(start); took < c.atLeast || took >= c.atLeast+migrationMaxDelay {
					t.Errorf("gave up after %v, want %v", took, c.atLeast)
				}
				if !errors.Is(err, c.want) || !strings.Contains(err.Error(), "in use by a backup") {
					t.Errorf("error = %v, want %v", err, c.want)
				}
			})
		})
	}
}
