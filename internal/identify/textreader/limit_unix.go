//go:build unix

package textreader

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"
)

// niceness is the priority of the thread that reads: the service gets the processor before it whenever it has work.
const niceness = 10

// lowerPriority keeps the caller on its thread from now on, and lowers the priority of that, so that requests to the
// service need not wait for the networks. On macOS it lowers that of the process.
func lowerPriority() error {
	runtime.LockOSThread()
	const self = 0
	err := syscall.Setpriority(syscall.PRIO_PROCESS, self, niceness)
	if err != nil && !errors.Is(err, syscall.EACCES) { // EACCES: the priority is lower already
		return fmt.Errorf("textreader.lowerPriority: %w", err)
	}
	return nil
}

// LimitMemory limits the memory that this process may write, in bytes. Beyond it, allocations fail, and the process
// ends instead of taking the memory of the service. macOS does not apply the limit to all memory.
func LimitMemory(bytes uint64) error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		return fmt.Errorf("textreader.LimitMemory: %w", err)
	}
	limit.Cur = min(bytes, limit.Max)
	if err := syscall.Setrlimit(syscall.RLIMIT_DATA, &limit); err != nil {
		return fmt.Errorf("textreader.LimitMemory: %w", err)
	}
	return nil
}
