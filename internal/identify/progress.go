package identify

import (
	"context"
	"fmt"
	"time"
)

const (
	// progressWindow is the time in which identified cards are counted to tell how long the others take.
	progressWindow = 2 * time.Minute
	// progressLeast is the least number of cards that tells it.
	progressLeast = 5
	// MaxWaiting limits how many waiting cards are counted.
	MaxWaiting = 10_000
)

// Progress is the state of an account's cards that wait for their automatic identification.
type Progress struct {
	Waiting int // at most MaxWaiting + 1
	// Left is about how long they take, or 0 if that is not known: when nothing waits, or few were identified lately.
	Left time.Duration
}

// Progress returns how many cards of the account wait for their automatic identification, and about how long they take.
func (s *Service) Progress(ctx context.Context, accountID string) (Progress, error) {
	var row struct {
		Waiting int `db:"waiting"`
		Done    int `db:"done"`
	}
	err := s.db.Get(ctx, &row, `
		SELECT (SELECT count(*) FROM (SELECT FROM identifications WHERE account_id = $1 LIMIT $2) w) AS waiting,
			(SELECT count(*) FROM (
				SELECT FROM card_candidates
				WHERE account_id = $1 AND at > now() - $3 * interval '1 second' LIMIT $2) d) AS done`,
		accountID, MaxWaiting+1, progressWindow.Seconds())
	if err != nil {
		return Progress{}, fmt.Errorf("count identified cards: %w", err)
	}
	return newProgress(row.Waiting, row.Done), nil
}

// newProgress estimates an account's throughput from the cards that it finished within progressWindow.
func newProgress(waiting, done int) Progress {
	p := Progress{Waiting: waiting}
	if done >= progressLeast {
		p.Left = progressWindow * time.Duration(waiting) / time.Duration(done)
	}
	return p
}
