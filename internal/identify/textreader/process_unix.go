//go:build unix

package textreader

import (
	"fmt"
	"syscall"
)

// ownSession starts a process in a session of its own. Linux may share processors among sessions, not threads, and then
// a lower priority counts only within the session. Ctrl-C in a terminal does not reach it either.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

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
