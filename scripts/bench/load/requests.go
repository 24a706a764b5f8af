package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/cardvault/cardvault/internal/ratelimit"
)

// requestsDatabase is the database of the shop whose requests are counted.
const requestsDatabase = "cardvault_bench_requests"

// countedTask is a task in the output of the program requests.
type countedTask struct {
	Name     string
	Class    ratelimit.Class
	Requests int // of the class
	Most     int // the aim
	Each     int // requests of the class if each item had one of its own
}

// measureRequests counts the requests of tasks that a shop does often, with the Go client and the default limits, on an
// account of its own. It does not wait for limits, but adds how long they make a client wait.
func measureRequests(ctx context.Context, s settings, t *table) error {
	database, drop, err := createDatabase(ctx, s.database, requestsDatabase, empty)
	if err != nil {
		return err
	}
	defer drop()
	b := build{program: s.program, database: database}
	if _, _, err := b.run(ctx, s, "migrate", "up"); err != nil {
		return err
	}
	service, err := startService(ctx, s, "requests", b)
	if err != nil {
		return err
	}
	defer service.stop()
	tasks, err := countRequests(ctx, s, b, service)
	if err != nil {
		return err
	}
	for _, task := range tasks {
		limit := ratelimit.Defaults.Of(task.Class)
		t.add(fmt.Sprintf("%s: %s requests with the Go client, against one for each; wait at %d a minute",
			task.Name, task.Class, limit),
			fmt.Sprintf("%d, %s", task.Requests, minutes(task.Requests, limit)),
			fmt.Sprintf("%d, %s", task.Each, minutes(task.Each, limit)), "",
			fmt.Sprintf("≤ %d", task.Most), task.Requests <= task.Most)
	}
	return nil
}

// minutes says how long a limit makes a client wait that sends a number of requests as fast as it can. It may send
// limit requests in each window. The first window begins with the first request.
func minutes(requests, limit int) string {
	windows := max(0, requests-1) / limit
	return fmt.Sprintf("%.0f min", (time.Duration(windows) * ratelimit.Window).Minutes())
}

// countRequests runs the program requests with tokens of a new account.
func countRequests(ctx context.Context, s settings, b build, service *process) (tasks []countedTask, err error) {
	var account struct{ ID string }
	if err := printed(ctx, s, b, &account, "account", "create", "--name", "Benchmark requests"); err != nil {
		return nil, err
	}
	token, err := newToken(ctx, s, b, account.ID)
	if err != nil {
		return nil, err
	}
	setup, err := newToken(ctx, s, b, account.ID, "--limits", unlimited)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, s.requests)
	command.Env = append(os.Environ(), "API=http://"+service.addr+"/api", "TOKEN="+token, "SETUP_TOKEN="+setup)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("requests: %w", err)
	}
	if err := json.Unmarshal(out, &tasks); err != nil {
		return nil, fmt.Errorf("requests: %w", err)
	}
	if len(tasks) == 0 {
		return nil, errors.New("requests: it printed no task")
	}
	return tasks, nil
}
