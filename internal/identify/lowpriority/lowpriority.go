// Package lowpriority runs work that takes a processor for long with a lower priority than the rest of the service, so
// that requests need not wait for it. It never changes the priority of other threads of the service, and does nothing
// except on Linux, the only system on which a thread has a priority of its own that needs no privilege.
package lowpriority

import (
	"log/slog"
	"runtime"
	"runtime/debug"
)

// Niceness is the lower priority, as setpriority(2) takes it: other threads get the processor first whenever they have
// work.
const Niceness = 10

// Run runs work on a thread of its own with a lower priority, and returns when it is done. It panics if work does, and
// logs where that was, which the caller's stack does not show.
func Run(work func()) {
	done := make(chan any)
	go func() { // the thread ends with the goroutine that is locked to it
		defer func() {
			failure := recover()
			if failure != nil {
				slog.Error("work with a low priority panicked", "error", failure, "stack", string(debug.Stack()))
			}
			done <- failure
		}()
		_ = LowerThread() // else the work has the usual priority
		work()
	}()
	if failure := <-done; failure != nil {
		panic(failure)
	}
}

// LowerSession is LowerThread, and lowers the priority of the session of a process that leads one, for kernels that
// share processors among sessions (autogroup in sched(7)).
func LowerSession() error {
	lowerSession()
	return LowerThread()
}

// LowerThread keeps the caller on its thread from now on, and lowers the priority of that.
func LowerThread() error {
	runtime.LockOSThread()
	return lower()
}
