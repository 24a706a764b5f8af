package history

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// Check returns an error for each card whose operations no order explains, or for which this could not be decided
// within timeout per card. The error shows the operations around the end of the longest order that was found.
func Check(operations []Operation, timeout time.Duration) (err error) {
	byCard := map[string][]Operation{}
	for _, o := range operations {
		byCard[o.Card] = append(byCard[o.Card], o)
	}
	for _, card := range slices.Sorted(maps.Keys(byCard)) {
		err = errors.Join(err, checkCard(card, byCard[card], timeout))
	}
	return err
}

func checkCard(card string, operations []Operation, timeout time.Duration) error {
	history := events(operations)
	result, info := porcupine.CheckOperationsVerbose(register, history, timeout)
	switch result {
	case porcupine.Ok:
		return nil
	case porcupine.Illegal:
		return fmt.Errorf("card %s: no order explains its %d operations:\n%s",
			card, len(history), explain(history, info))
	default:
		return fmt.Errorf("card %s: whether an order explains its %d operations was not decided within %v",
			card, len(history), timeout)
	}
}

// events converts operations to porcupine's. It leaves out operations with an unknown outcome that cannot affect
// others: reads, and updates that no client can have seen.
func events(operations []Operation) []porcupine.Operation {
	seen := versions(operations)
	var list []porcupine.Operation
	for _, o := range operations {
		end := int64(o.Return)
		if o.Outcome == Unknown {
			if o.Kind != Update || o.IfMatch != 0 && !seen.mayHaveHappened(o) {
				continue
			}
			end = math.MaxInt64
		}
		list = append(list, porcupine.Operation{
			ClientId: o.Client, Input: o, Output: o, Call: int64(o.Call), Return: end,
		})
	}
	return list
}

// sightings are the prices of a card in responses, by version.
type sightings map[int64]int64

// versions collects the versions and prices of all responses.
func versions(operations []Operation) sightings {
	seen := sightings{}
	for _, o := range operations {
		if o.Outcome == Done {
			seen[o.State.Version] = o.State.Price
		}
	}
	return seen
}

// mayHaveHappened reports whether an update with an unknown outcome may explain responses. The update has not happened
// if its version was seen with another price. If neither its version nor a later one was seen, it can come last in any
// order. Leaving those updates out keeps the search short: each open update may double it.
func (s sightings) mayHaveHappened(o Operation) bool {
	price, ok := s[o.IfMatch+1]
	if ok {
		return price == o.Price
	}
	for version := range s {
		if version > o.IfMatch {
			return true
		}
	}
	return false
}

// register models a card as a register with a version. Its state is a State; version 0 is a card before its creation.
var register = porcupine.Model{
	Init:  func() any { return State{} },
	Step:  step,
	Equal: func(a, b any) bool { return a == b },
	DescribeOperation: func(input, _ any) string {
		return input.(Operation).String()
	},
	DescribeState: func(state any) string { return state.(State).String() },
}

// step reports whether the operation can have its response in a state, and returns the state after it.
func step(state, input, _ any) (possible bool, after any) {
	now, o := state.(State), input.(Operation)
	switch o.Kind {
	case Create:
		return now.Version == 0 && o.State.Version == 1, o.State
	case Read, Poll:
		return now == o.State, now
	}
	matches := now.Version > 0 && (o.IfMatch == 0 || o.IfMatch == now.Version)
	next := State{now.Version + 1, o.Price}
	switch {
	case o.Outcome == Refused:
		return now.Version > 0 && !matches, now
	case o.Outcome == Done:
		return matches && o.State == next, next
	case matches: // unknown, and it happens
		return true, next
	default: // unknown, and it was refused
		return true, now
	}
}

// shown is the number of operations that an error shows before and after the end of the longest order.
const shown = 8

// explain lists the last operations of the longest order that was found, and the first of the other operations.
func explain(history []porcupine.Operation, info porcupine.LinearizationInfo) string {
	var longest []int
	for _, partition := range info.PartialLinearizations() {
		for _, order := range partition {
			if len(order) > len(longest) {
				longest = order
			}
		}
	}
	rest := map[int]bool{}
	for i := range history {
		rest[i] = true
	}
	for _, i := range longest {
		delete(rest, i)
	}
	waiting := slices.SortedFunc(maps.Keys(rest), func(a, b int) int {
		return cmp.Compare(history[a].Call, history[b].Call)
	})
	var text strings.Builder
	for _, i := range longest[max(0, len(longest)-shown):] {
		fmt.Fprintf(&text, "  explained:     %s\n", describe(history[i]))
	}
	for _, i := range waiting[:min(len(waiting), shown)] {
		fmt.Fprintf(&text, "  not explained: %s\n", describe(history[i]))
	}
	return text.String()
}

func describe(o porcupine.Operation) string {
	end := "open"
	if o.Return != math.MaxInt64 {
		end = time.Duration(o.Return).Round(time.Microsecond).String()
	}
	call := time.Duration(o.Call).Round(time.Microsecond)
	return fmt.Sprintf("client %d, %v to %s: %v", o.ClientId, call, end, o.Input)
}
