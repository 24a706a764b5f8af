package queue

import "sync"

// slots bounds how many claims are worked on at once, in all and of one account: an account whose
// work is slow leaves slots to the others.
type slots struct {
	mu    sync.Mutex
	taken int
	by    map[string]int
	// short is set while somebody got none: whoever frees one tells the loop.
	short bool
}

// take takes as many slots as the account may have now, of total.
func (s *slots) take(account string, total int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.by == nil {
		s.by = map[string]int{}
	}
	share := (total + 1) / 2
	n := min(total-s.taken, share-s.by[account])
	if n == 0 {
		s.short = true
		return 0
	}
	s.taken += n
	s.by[account] += n
	return n
}

// free gives n of the account's slots back and reports whether somebody had been waiting for one.
func (s *slots) free(account string, n int) (awaited bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken -= n
	if s.by[account] -= n; s.by[account] == 0 {
		delete(s.by, account)
	}
	if n > 0 {
		awaited, s.short = s.short, false
	}
	return awaited
}
