//go:build unix

package subprocess

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
)

// ownSession starts a process in a session of its own. Linux may share processors among sessions, not threads, and then
// a lower priority counts only within the session. Ctrl-C in a terminal does not reach it either.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// niceness is the lower priority, as setpriority(2) takes it.
const niceness = 10

// lowerPriority lowers the priority of all threads of a process that leads a session, and of the session, for kernels
// that share processors among sessions (autogroup in sched(7)). If the system refuses, the process has the usual
// priority.
func lowerPriority(pid int) {
	_ = syscall.Setpriority(syscall.PRIO_PGRP, pid, niceness)
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/autogroup", pid), []byte(strconv.Itoa(niceness)), 0)
}
