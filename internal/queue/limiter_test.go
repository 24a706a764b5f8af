package queue

import "testing"

// An account gets at most half of the total, rounded up. The result tells whether all is held or the account holds its
// share: only then may the accounts behind it go on.
func TestLimiter_TellsWhetherAnyIsLeft(t *testing.T) {
	t.Parallel()
	const total = 3
	var l limiter
	for i, step := range []struct {
		account string
		n       int
		left    bool
	}{
		{"a", 2, true}, {"a", 0, true}, {"b", 1, true}, {"b", 0, false}, {"c", 0, false},
	} {
		if n, left := l.acquire(step.account, total); n != step.n || left != step.left {
			t.Errorf("step %d: acquired %d, %v, want %d, %v", i, n, left, step.n, step.left)
		}
	}
	if !l.release("a", 1) {
		t.Error("the release does not report that accounts were refused")
	}
	if n, left := l.acquire("c", total); n != 1 || !left {
		t.Errorf("after a release: acquired %d, %v, want 1, true", n, left)
	}
}
