package queue

import "sync"

// limiter limits how many claims run at a time, in total and per account, so that an account with slow work
// leaves capacity to the others.
type limiter struct {
	mu        sync.Mutex
	held      int
	byAccount map[string]int
	// refused is set when acquire returned 0. The next release then wakes the loop.
	refused bool
}

// acquire acquires as much of total as the account may hold now and returns the amount. left is false if all of total
// is held, so that no account may hold more now.
func (l *limiter) acquire(account string, total int) (n int, left bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byAccount == nil {
		l.byAccount = map[string]int{}
	}
	share := (total + 1) / 2
	left = l.held < total
	n = min(total-l.held, share-l.byAccount[account])
	if n == 0 {
		l.refused = true
		return 0, left
	}
	l.held += n
	l.byAccount[account] += n
	return n, left
}

// release releases n of the account's amount and reports whether acquire refused an account before.
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
