package identify

import "context"

// TakeAll takes two slots and returns the function that frees them, or nil if they are not free.
func (s *Slots) TakeAll(ctx context.Context) (free func()) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	for taken := range 2 {
		if s.acquire(ctx) != nil {
			for range taken {
				s.release()
			}
			return nil
		}
	}
	return func() { s.release(); s.release() }
}
