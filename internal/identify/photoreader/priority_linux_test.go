package photoreader

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// All threads of a child have the low priority, and so has its session, if that is demanded.
func TestPool_LowPriority(t *testing.T) {
	t.Parallel()
	for _, low := range []bool{true, false} {
		p := pool(t, "reads", Config{LowPriority: low})
		if _, err := p.Survey(t.Context(), photo(t, 7)); err != nil {
			t.Fatal(err)
		}
		folder := fmt.Sprintf("/proc/%d/", p.idle[0].cmd.Process.Pid)
		threads, err := filepath.Glob(folder + "task/*/stat")
		if err != nil || len(threads) == 0 {
			t.Fatalf("threads: got %v, %v", threads, err)
		}
		for _, thread := range threads {
			stat, err := os.ReadFile(thread)
			if err == nil && nice(t, string(stat)) >= niceness != low { // err: the thread ended
				t.Errorf("low priority %v: got a thread with %s", low, stat)
			}
		}
		session, err := os.ReadFile(folder + "autogroup")
		if err == nil && strings.HasSuffix(string(session), fmt.Sprintf("nice %d\n", niceness)) != low {
			t.Errorf("low priority %v: got the session %q", low, session)
		}
	}
}

// nice returns field 19 of proc_pid_stat(5). The name of the program, which may contain spaces, ends with the last ")".
func nice(t *testing.T, stat string) (value int) {
	t.Helper()
	const skipped = 16 // the fields from state to priority
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	value, err := strconv.Atoi(fields[skipped])
	if err != nil {
		t.Fatal(err)
	}
	return value
}
