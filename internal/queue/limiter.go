package queue

import "sync"

// limiter bounds how many claims are handled at once, in all and of one account: an account whose
// work is slow leaves room for the others.
type limiter struct {
	mu        sync.Mutex
	held      int
	byAccount map[string]int
	// refused is set when an account got nothing: the next release wakes the loop.
	refused bool
}

// acquire takes as much of total as the account may have now and returns how much that is.
func (l *limiter) acquire(account string, total int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byAccount == nil {
		l.byAccount = map[string]int{}
	}
	share := (total + 1) / 2
	n := min(total-l.held, share-l.byAccount[account])
	if n == 0 {
		l.refused = true
		return 0
	}
	l.held += n
	l.byAccount[account] += n
	return n
}

// release gives back n of what the account holds and reports whether an account was refused before.
func (l *limiter) release(account string, n int) (refused bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held -= n
	if l.byAccount[account] -= n; l.byAccount[account] == 0 {
		delete(l.byAccount, account)
	}
	if n > 0 {
		refused, l.refused = l.refused, false
	}
	return refused
}
