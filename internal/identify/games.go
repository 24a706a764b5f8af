package identify

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/catalog"
)

const (
	// stockTime is how long the games of an account's stock are kept before they are read again.
	stockTime = 5 * time.Minute
	// maxStocks is the maximum number of accounts whose games are kept. A full cache is cleared, which only costs time.
	maxStocks = 10_000
)

// stocks are the games of the stocks of accounts.
type stocks struct {
	read func(ctx context.Context, accountID string) ([]string, error)
	now  func() time.Time

	mu    sync.Mutex
	known map[string]stock
}

type stock struct {
	games []string
	until time.Time
}

func newStocks(read func(ctx context.Context, accountID string) ([]string, error)) *stocks {
	return &stocks{read: read, now: time.Now, known: map[string]stock{}}
}

// games returns the games of an account's stock. It returns none if they cannot be read, because they only order
// candidates.
func (s *stocks) games(ctx context.Context, accountID string) []string {
	now := s.now()
	s.mu.Lock()
	entry, ok := s.known[accountID]
	s.mu.Unlock()
	if ok && now.Before(entry.until) {
		return entry.games
	}
	games, err := s.read(ctx, accountID)
	if err != nil {
		slog.WarnContext(ctx, "games of the stock not read", "account_id", accountID, "error", err)
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= maxStocks {
		clear(s.known)
	}
	s.known[accountID] = stock{games, now.Add(stockTime)}
	return games
}

// games sets the games of the hints to the hint's game, or else to the games that the account has chosen. It returns
// the games whose candidates come first. If neither is set, these are the games of the account's stock.
func (s *Service) games(ctx context.Context, account accounts.Account, h *catalog.Hints) (first []string) {
	if h.Game != "" {
		return nil
	}
	if h.Games = account.Preferences.Games; len(h.Games) > 0 {
		return nil
	}
	return s.stocks.games(ctx, account.ID)
}

// putFirst moves the candidates of some games before the others, unless one was accepted.
func (o *Outcome) putFirst(games []string) {
	if len(games) == 0 || o.Accepted != nil {
		return
	}
	slices.SortStableFunc(o.Candidates, func(a, b Found) int {
		return rank(games, a) - rank(games, b)
	})
}

// rank is 0 for a candidate of the games or of an unknown one, and 1 for others.
func rank(games []string, f Found) int {
	if f.Game == "" || slices.Contains(games, f.Game) {
		return 0
	}
	return 1
}
