package polltest

import (
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// failing is a test that fails.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper() {}

func (f *failing) Fatalf(string, ...any) {
	f.failed = true
	runtime.Goexit()
}

func TestUntil_PollsLessOften(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for end, polls := range map[time.Duration]int{0: 1, 30 * time.Millisecond: 7, 10 * time.Second: 140} {
			begin, n := time.Now(), 0
			Until(t, time.Minute, "the end", func() bool { n++; return time.Since(begin) >= end })
			if late := time.Since(begin) - end; n > polls || late > max(end/10, minPause) {
				t.Errorf("%v: ended %v late after %d polls, want at most %d", end, late, n, polls)
			}
		}
	})
}

func TestUntil_Fails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &failing{TB: t}
		begin := time.Now()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			Until(f, time.Minute, "never", func() bool { return false })
		}()
		<-ended
		if took := time.Since(begin); !f.failed || took < time.Minute || took > time.Minute+maxPause {
			t.Errorf("failed %t after %v, want after a minute", f.failed, took)
		}
	})
}
