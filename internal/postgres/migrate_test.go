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

var errLocked = fmt.Errorf("step 8: %w", &pq.Error{Code: pqerror.LockNotAvailable})

func TestMigratingIsRepeatedWhileATableIsInUse(t *testing.T) {
	t.Parallel()
	other := errors.New("a fault of the step")
	for _, last := range []error{nil, other} {
		synctest.Test(t, func(t *testing.T) {
			begun, attempts := time.Now(), 0
			err := untilUnlocked(t.Context(), func() error {
				if attempts++; attempts < 7 {
					return errLocked
				}
				return last
			})
			if took := time.Since(begun); !errors.Is(err, last) || attempts != 7 || took != (1+2+4+8+10+10)*time.Second {
				t.Errorf("%d attempts in %v: %v", attempts, took, err)
			}
		})
	}
}

func TestMigratingGivesUpOnATableThatStaysInUse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stopped time.Duration
		least   time.Duration
		because error
	}{
		{time.Hour, migrationPatience, errLocked},
		{time.Minute, time.Minute, context.DeadlineExceeded},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), c.stopped)
			defer cancel()
			begun := time.Now()
			err := untilUnlocked(ctx, func() error { return errLocked })
			if took := time.Since(begun); took < c.least || took >= c.least+migrationPauseMost {
				t.Errorf("stopped after %v: it took %v", c.stopped, took)
			}
			if !errors.Is(err, c.because) || !strings.Contains(err.Error(), "in use by a backup") {
				t.Errorf("stopped after %v: %v", c.stopped, err)
			}
		})
	}
}
