// Command requests performs frequent tasks of a shop, with the Go client and the default limits, and counts their
// requests. It is a module of its own, as the client is.
//
//	API=http://127.0.0.1:8080/api TOKEN=… SETUP_TOKEN=… requests
//
// TOKEN has the default limits. SETUP_TOKEN belongs to the same account, has limits that are out of reach, and creates
// the cards and sales that the tasks need. The program prints a JSON list with the tasks' requests.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// task is something that a shop does often.
type task struct {
	name  string
	class cardvault.RateClass // of the requests that it mainly consists of
	most  int                 // requests of the class: the aim
	each  int                 // requests of the class if each item had one of its own
	// prepare creates the cards and sales for the task. Its requests are not counted.
	prepare func(context.Context, *shop) error
	steps   []step
}

// step is a part of a task.
type step struct {
	name string
	do   func(context.Context, *shop) error
}

var tasks = []task{repricing, accounting, scanning}

// shop is the account that the tasks belong to.
type shop struct {
	api, setup *cardvault.Client // of TOKEN and SETUP_TOKEN
	cards      []string
	since      time.Time // the month of the sales
	before     time.Time
	reports    []*cardvault.SalesReport
}

// result holds the requests of a task.
type result struct {
	Name     string              `json:"name"`
	Class    cardvault.RateClass `json:"class"`
	Requests int                 `json:"requests"` // of the class
	Most     int                 `json:"most"`
	Each     int                 `json:"each"`
	Steps    []stepResult        `json:"steps"`
}

type stepResult struct {
	Name     string                      `json:"name"`
	Requests map[cardvault.RateClass]int `json:"requests"`
}

// timeout bounds the program.
const timeout = 5 * time.Minute

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := run(ctx); err != nil {
		cancel()
		fmt.Fprintln(os.Stderr, "requests:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	setup, err := cardvault.New(os.Getenv("API"), os.Getenv("SETUP_TOKEN"))
	if err != nil {
		return fmt.Errorf("SETUP_TOKEN: %w", err)
	}
	sent := &counter{next: http.DefaultTransport}
	// A request that exceeds the limit is an error here, where the client usually waits for the next minute.
	api, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"), cardvault.WithMaxRetries(0),
		cardvault.WithHTTPClient(&http.Client{Transport: sent}))
	if err != nil {
		return fmt.Errorf("TOKEN: %w", err)
	}
	var results []result
	s := &shop{api: api, setup: setup}
	for _, t := range tasks {
		done, err := t.run(ctx, s, sent)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		results = append(results, done)
	}
	return json.NewEncoder(os.Stdout).Encode(results)
}

// run does the task and returns its requests by step.
func (t task) run(ctx context.Context, s *shop, sent *counter) (result, error) {
	done := result{Name: t.name, Class: t.class, Most: t.most, Each: t.each}
	if err := t.prepare(ctx, s); err != nil {
		return done, fmt.Errorf("prepare: %w", err)
	}
	for _, one := range t.steps {
		sent.reset()
		if err := one.do(ctx, s); err != nil {
			return done, fmt.Errorf("%s: %w", one.name, err)
		}
		requests := sent.reset()
		done.Steps = append(done.Steps, stepResult{one.name, requests})
		done.Requests += requests[t.class]
	}
	return done, nil
}
