package cards

import (
	"context"
	"fmt"
	"slices"
)

const (
	// gamesSample is the number of cards, the newest, that tell which games an account has.
	gamesSample = 1000
	// gamesShare is the least share of a game in these cards. Fewer can be wrong identifications.
	gamesShare = 0.05
)

// StockGames returns the games of the account's newest cards, in alphabetical order, without rare ones and OtherGame.
// It reads an index.
func (s *Service) StockGames(ctx context.Context, accountID string) ([]string, error) {
	var rows []struct {
		Game  string  `db:"game"`
		Count float64 `db:"count"`
	}
	err := s.db.Select(ctx, &rows, `
		SELECT game, count(*) AS count FROM (
			SELECT game FROM cards WHERE account_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2) AS newest
		WHERE game <> $3 GROUP BY game`, accountID, gamesSample, OtherGame)
	if err != nil {
		return nil, fmt.Errorf("list games: %w", err)
	}
	total := 0.0
	for _, row := range rows {
		total += row.Count
	}
	var games []string
	for _, row := range rows {
		if row.Count >= gamesShare*total {
			games = append(games, row.Game)
		}
	}
	slices.Sort(games)
	return games, nil
}
