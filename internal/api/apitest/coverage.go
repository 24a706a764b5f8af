package apitest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/routers"
)

func record(route *routers.Route, status int) {
	mu.Lock()
	defer mu.Unlock()
	seen[fmt.Sprintf("%s %d", route.Operation.OperationID, status)] = true
}

// Seen returns the operations and statuses that were validated in this process: "getCard 200".
func Seen() []string {
	mu.Lock()
	defer mu.Unlock()
	return slices.Sorted(maps.Keys(seen))
}

// Unseen returns the operations and statuses that v1 documents and that were not validated in this
// process, but for the statuses given: those that another test stands for.
func Unseen(except ...string) []string {
	mu.Lock()
	defer mu.Unlock()
	var unseen []string
	for _, item := range v1().spec.Paths.Map() {
		for _, operation := range item.Operations() {
			for status := range operation.Responses.Map() {
				name := operation.OperationID + " " + status
				if !seen[name] && !slices.Contains(except, status) {
					unseen = append(unseen, name)
				}
			}
		}
	}
	slices.Sort(unseen)
	return unseen
}

// Uncalled returns the operations of v1 of which no successful answer was validated in this process.
func Uncalled() []string {
	mu.Lock()
	defer mu.Unlock()
	var uncalled []string
	for _, item := range v1().spec.Paths.Map() {
		for _, operation := range item.Operations() {
			called := false
			for status := range operation.Responses.Map() {
				called = called || status[0] == '2' && seen[operation.OperationID+" "+status]
			}
			if !called {
				uncalled = append(uncalled, operation.OperationID)
			}
		}
	}
	slices.Sort(uncalled)
	return uncalled
}
