package subprocess

import (
	"errors"
	"fmt"
	"math"

	"golang.org/x/sys/unix"
)

// firstDescriptor is the first descriptor behind the standard ones.
const firstDescriptor = 3

// withholdDescriptors keeps the descriptors of this process from its children. Go withholds the descriptors that it
// opens. But the service may have inherited others from the process that started it, and native libraries open some.
// The call needs Linux 5.11.
func withholdDescriptors() {
	_ = unix.CloseRange(firstDescriptor, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

// limitMemory limits the memory that a process may write, in bytes.
func limitMemory(pid int, bytes uint64) error {
	var limit unix.Rlimit
	err := unix.Prlimit(pid, unix.RLIMIT_DATA, nil, &limit)
	if err == nil {
		limit.Max = min(bytes, limit.Max)
		limit.Cur = limit.Max
		err = unix.Prlimit(pid, unix.RLIMIT_DATA, &limit, nil)
	}
	if errors.Is(err, unix.ESRCH) {
		return nil // it has ended
	}
	if err != nil {
		return fmt.Errorf("prlimit: %w", err)
	}
	return nil
}
