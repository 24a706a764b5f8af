package lookup

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/waiting"
)

// A page shows the next attempt only if it is in the future: an attempt that is due begins at any moment.
func TestNewWait(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 11, 15, 0, 0, 0, time.UTC)
	past, soon := now.Add(-time.Second), now.Add(time.Second)
	for name, tc := range map[string]struct{ at, want *time.Time }{
		"under way": {nil, nil}, "due": {&past, nil}, "later": {&soon, &soon},
	} {
		got := NewWait(&waiting.Waiting{Since: past, Reason: waiting.Busy, NextAttemptAt: tc.at}, now)
		want := &Wait{Message: waiting.Busy.Message(), Since: past, Next: tc.want}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := NewWait(nil, now); got != nil {
		t.Errorf("nothing waits: got %+v, want nil", got)
	}
}
