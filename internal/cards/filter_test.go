package cards

import (
	"reflect"
	"testing"
)

// A release that adds a filter must not invalidate the cursors that clients have.
func TestFilter_ScopeOmitsUnsetFilters(t *testing.T) {
	t.Parallel()
	if got, want := (Filter{}).scope("acc_1"), "cards acc_1 {}"; got != want {
		t.Errorf("scope = %q, want %q", got, want)
	}
}

// The tests of the cost and the order of lists use testFilters, so it must set every field of Filter.
func TestFilter_EveryFieldIsTested(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for _, test := range testFilters() {
		var f Filter
		test.set(&f)
		if len(f.predicates(testAccount)) == 0 && f.UpdatedSince == nil && f.Sort == "" {
			t.Errorf("%s: the filter selects all cards", test.name)
		}
		value := reflect.ValueOf(f)
		for _, field := range reflect.VisibleFields(value.Type()) {
			if !value.FieldByIndex(field.Index).IsZero() {
				tested[field.Name] = true
			}
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Filter]()) {
		if !tested[field.Name] {
			t.Errorf("testFilters does not set %s", field.Name)
		}
	}
}
