package jobs

import (
	"context"

	"github.com/cardvault/cardvault/internal/waiting"
)

// Waiting returns why a job that is not finished waits, or nil if it is finished, or job_not_found. A job works in
// short turns and waits between them.
func (s *Service) Waiting(ctx context.Context, accountID, jobID string) (*waiting.Waiting, error) {
	j, err := s.Get(ctx, accountID, jobID)
	if err != nil || j.Status.Finished() {
		return nil, err
	}
	w, err := s.work.Waiting(ctx, s.db, accountID, j.ID)
	if w != nil {
		w.Since = j.CreatedAt
	}
	return w, err
}
