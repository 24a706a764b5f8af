package heif

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime returns the processor time that the current thread has taken.
func threadTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		return 0 // does not happen: every kernel has this clock
	}
	return time.Duration(now.Nano())
}
