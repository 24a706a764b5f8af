package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// sameAnswers checks that the baseline does the same work: both programs must return the same cards with the same
// fields.
func sameAnswers(ctx context.Context, o operation, token string, service, baseline *process) error {
	var a, b any
	if err := fetch(ctx, service, o.check, token, &a); err != nil {
		return err
	}
	if err := fetch(ctx, baseline, o.check, token, &b); err != nil {
		return err
	}
	if where := difference(a, b); where != "" {
		return fmt.Errorf("%s: service and baseline answer differently at %s", o.check, where)
	}
	return nil
}

// made are fields whose values differ between the programs.
var made = []string{"url", "next_cursor", "created_at", "updated_at", "identified_at", "priced_at"}

// difference returns where two JSON values differ, or "" where they agree.
func difference(a, b any) string {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || !slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) {
			return "its fields"
		}
		for name := range a {
			if slices.Contains(made, name) {
				if (a[name] == nil) != (b[name] == nil) {
					return name
				}
			} else if where := difference(a[name], b[name]); where != "" {
				return name + ": " + where
			}
		}
		return ""
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return "its length"
		}
		for i := range a {
			if where := difference(a[i], b[i]); where != "" {
				return fmt.Sprintf("%d: %s", i, where)
			}
		}
		return ""
	}
	if a != b {
		return fmt.Sprintf("%v and %v", a, b)
	}
	return ""
}
