package clock

// Waiting returns how many writers wait for a transaction to share.
func (t *Together[T]) Waiting() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.waiting)
}
