package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// TestRequests counts the requests that the tasks of scripts/bench/requests take with the Go client and the default
// limits. The program fails if a request exceeds them.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := start(t)
	setup := s.client(t, false)
	limited := setup.limited(ratelimit.Limits{})
	command := exec.CommandContext(t.Context(), buildModule(t, "../../scripts/bench/requests"))
	command.Env = append(os.Environ(), "API="+s.url, "TOKEN="+limited.token, "SETUP_TOKEN="+setup.token)
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	var tasks []struct {
		Name           string
		Class          ratelimit.Class
		Requests, Most int
	}
	if err := json.Unmarshal(output, &tasks); err != nil || len(tasks) == 0 {
		t.Fatalf("%v: %s", err, output)
	}
	for _, task := range tasks {
		t.Run(task.Name, func(t *testing.T) {
			if task.Requests < 1 || task.Requests > task.Most || task.Requests > ratelimit.Defaults.Of(task.Class) {
				t.Errorf("%d %s requests, want 1 to %d: %s", task.Requests, task.Class, task.Most, output)
			}
		})
	}
}
