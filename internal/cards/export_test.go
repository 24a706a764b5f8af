package cards

import "context"

// RecountNext is recountNext.
func (s *Service) RecountNext(ctx context.Context, sizes PhotoSizes, after string) (string, error) {
	return s.recountNext(ctx, sizes, after)
}
