package identify

import "context"

// TakeAll takes two slots, for two accounts, and returns the function that frees them, or nil if they are not free.
func (s *Slots) TakeAll(ctx context.Context) (free func()) {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	first, err := s.acquire(ctx, "acc_first")
	if err != nil {
		return nil
	}
	second, err := s.acquire(ctx, "acc_second")
	if err != nil {
		first()
		return nil
	}
	return func() { first(); second() }
}
