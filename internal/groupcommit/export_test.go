package groupcommit

import "time"

// Waiting returns the number of queued writes.
func (c *Committer[T]) Waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.queue)
}

// SetSlowAfter sets how long a batch delays the next one. Call it before the first write.
func (c *Committer[T]) SetSlowAfter(d time.Duration) { c.slowAfter = d }
