package lowpriority

import (
	"syscall"
	"testing"
)

// raw is how the kernel returns a priority: 20 less the niceness.
const raw = 20

// Only the thread of the work has a lower priority.
func TestRun(t *testing.T) {
	t.Parallel()
	priority := func() int {
		p, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
		if err != nil {
			t.Error(err)
		}
		return p
	}
	before, during := priority(), 0
	Run(func() { during = priority() })
	if want := min(before, raw-Niceness); during != want {
		t.Errorf("priority of the work: got %d, want %d", during, want)
	}
	if after := priority(); after != before {
		t.Errorf("priority of the caller: got %d, want %d", after, before)
	}
}

// A panic reaches the caller, who can recover from it.
func TestRun_Panics(t *testing.T) {
	t.Parallel()
	defer func() {
		if got := recover(); got != "damaged" {
			t.Errorf("recover: got %v, want the value of the work's panic", got)
		}
	}()
	Run(func() { panic("damaged") })
}
