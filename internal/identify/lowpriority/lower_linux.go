package lowpriority

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

func lower() error {
	const self = 0
	err := syscall.Setpriority(syscall.PRIO_PROCESS, self, Niceness)
	if err != nil && !errors.Is(err, syscall.EACCES) { // EACCES: the priority is lower already
		return fmt.Errorf("lowpriority: %w", err)
	}
	return nil
}

// autogroup is the file with the priority of the session.
const autogroup = "/proc/self/autogroup"

func lowerSession() {
	if leader, err := unix.Getsid(0); err == nil && leader == os.Getpid() {
		_ = os.WriteFile(autogroup, []byte(strconv.Itoa(Niceness)), 0) // not every kernel has it
	}
}
