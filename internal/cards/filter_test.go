package cards

import "testing"

// A release that adds a filter must not make the cursors invalid that clients have.
func TestFilter_ScopeOmitsWhatIsNotSet(t *testing.T) {
	t.Parallel()
	if got, want := (Filter{}).scope("acc_1"), "cards acc_1 {}"; got != want {
		t.Errorf("scope = %q, want %q", got, want)
	}
}
