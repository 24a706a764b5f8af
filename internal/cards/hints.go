package cards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/postgres"
)

// CheckHints returns an invalid_request error that names every hint outside the contract's limits.
func CheckHints(field string, h catalog.Hints) error {
	var c checks
	if h.Game != "" {
		c.oneOf(field+".game", h.Game, Games)
	}
	if h.Set != "" {
		c.add(CheckLine(field+".set", h.Set, MaxSet))
	}
	if h.Language != "" {
		c.language(field+".language", h.Language)
	}
	return c.fault()
}

// GivenGame returns the game that the owner has given the card, or "". The game of a provider's result is left out,
// because it can be wrong, and so is OtherGame, which files of other programs have for every name that is not known.
func (c *Card) GivenGame() string {
	i := &c.Identification
	if i.Game == nil || *i.Game == OtherGame || i.Source != nil && *i.Source == SourceAI {
		return ""
	}
	return *i.Game
}

// Hints returns the hints that were given with a card's import or with a job. Without any they are zero.
func (s *Service) Hints(ctx context.Context, accountID, cardID string) (h catalog.Hints, err error) {
	var row struct {
		Game     string `db:"game"`
		Set      string `db:"set"`
		Language string `db:"language"`
	}
	err = s.db.Get(ctx, &row, `
		SELECT game, set, language FROM identification_hints WHERE account_id = $1 AND card_id = $2`, accountID, cardID)
	if errors.Is(err, sql.ErrNoRows) {
		return catalog.Hints{}, nil
	}
	if err != nil {
		return catalog.Hints{}, fmt.Errorf("load hints: %w", err)
	}
	return catalog.Hints{Game: row.Game, Set: row.Set, Language: row.Language}, nil
}

// hintRows are rows of identification_hints to write.
type hintRows struct{ accounts, cards, games, sets, languages pq.StringArray }

// add adds the hints of a card.
func (r *hintRows) add(accountID, cardID string, h catalog.Hints) {
	r.accounts, r.cards = append(r.accounts, accountID), append(r.cards, cardID)
	r.games, r.sets, r.languages = append(r.games, h.Game), append(r.sets, h.Set), append(r.languages, h.Language)
}

// write stores the rows with the deferred statements of the transaction. They replace the old rows of the same cards.
func (r *hintRows) write(tx *postgres.Tx) {
	if len(r.cards) == 0 {
		return
	}
	tx.DeferRows(`
		INSERT INTO identification_hints (account_id, card_id, game, set, language)
		SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
		ON CONFLICT (account_id, card_id)
		DO UPDATE SET game = excluded.game, set = excluded.set, language = excluded.language`,
		r.accounts, r.cards, r.games, r.sets, r.languages)
}
