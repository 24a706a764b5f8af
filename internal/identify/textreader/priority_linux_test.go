package textreader

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/identify/lowpriority"
)

// Serve lowers the priority of the thread on which it runs. The first thread may be another one.
func TestServe_LowersPriority(t *testing.T) {
	t.Parallel()
	p := pool(t, "reads", Config{})
	if _, err := p.Find(t.Context(), picture()); err != nil {
		t.Fatal(err)
	}
	threads := fmt.Sprintf("/proc/%d/task", p.idle[0].cmd.Process.Pid)
	entries, err := os.ReadDir(threads)
	if err != nil {
		t.Fatal(err)
	}
	lowered := 0
	for _, entry := range entries {
		stat, err := os.ReadFile(threads + "/" + entry.Name() + "/stat")
		if err != nil {
			continue // the thread ended
		}
		if nice(t, string(stat)) >= lowpriority.Niceness {
			lowered++
		}
	}
	session, err := os.ReadFile(fmt.Sprintf("/proc/%d/autogroup", p.idle[0].cmd.Process.Pid))
	if want := fmt.Sprintf("nice %d\n", lowpriority.Niceness); err == nil && !strings.HasSuffix(string(session), want) {
		t.Errorf("priority of the session: got %q, want it to end with %q", session, want)
	}
	if lowered == 0 {
		t.Errorf("threads with the priority %d or lower: got none of %d", lowpriority.Niceness, len(entries))
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
