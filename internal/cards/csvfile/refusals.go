package csvfile

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// Refusal is a row that was not applied. The file was valid when it was accepted, but the row's card has been changed,
// listed, sold or deleted since, or a quota of the account has no room for it.
type Refusal struct {
	Line    int    `json:"line" db:"line"`
	Message string `json:"message" db:"message"`
}

// refusal is a refused row, with what it would have added.
type refusal struct {
	Refusal
	size
}

// size is the number of new cards, with their photos from files, and of updates that rows stand for.
type size struct {
	Cards   int `db:"cards"`
	Photos  int `db:"photos"`
	Updates int `db:"updates"`
}

// keepRefusals is for how many days refusals are kept.
const keepRefusals = 30

// storeRefusals stores the refused rows of an import, and logs them for the case that its process has ended.
func storeRefusals(ctx context.Context, tx *postgres.Tx, accountID, importID string, refused []refusal) error {
	if len(refused) == 0 {
		return nil
	}
	n := len(refused)
	lines, messages := make(pq.Int64Array, n), make(pq.StringArray, n)
	cards, photos, updates := make(pq.Int64Array, n), make(pq.Int64Array, n), make(pq.Int64Array, n)
	for i, r := range refused {
		lines[i], messages[i] = int64(r.Line), r.Message
		cards[i], photos[i], updates[i] = int64(r.Cards), int64(r.Photos), int64(r.Updates)
		slog.WarnContext(ctx, "imported row was refused",
			"account", accountID, "import", importID, "line", r.Line, "message", r.Message)
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO card_import_refusals AS r
			(account_id, import_id, line, message, refused_at, cards, photos, updates)
		SELECT $1, $2, line, message, now(), cards, photos, updates
		FROM unnest($3::integer[], $4::text[], $5::integer[], $6::integer[], $7::integer[])
			AS refused (line, message, cards, photos, updates)
		ON CONFLICT (account_id, import_id, line) DO UPDATE SET cards = r.cards + excluded.cards,
			photos = r.photos + excluded.photos, updates = r.updates + excluded.updates`, // more copies of the row
		accountID, importID, lines, messages, cards, photos, updates)
	if err != nil {
		return fmt.Errorf("store refusals: %w", err)
	}
	return nil
}

// refusals returns the first MaxProblems refused rows of an import, by line.
func (s *Service) refusals(ctx context.Context, accountID, importID string) ([]Refusal, error) {
	refused := []Refusal{}
	err := s.db.Select(ctx, &refused, `
		SELECT line, message FROM card_import_refusals WHERE account_id = $1 AND import_id = $2
		ORDER BY line LIMIT $3`, accountID, importID, MaxProblems)
	if err != nil {
		return nil, fmt.Errorf("list refusals: %w", err)
	}
	return refused, nil
}

// refusedSize returns what all refused rows of an import would have added.
func (s *Service) refusedSize(ctx context.Context, accountID, importID string) (total size, err error) {
	err = s.db.Get(ctx, &total, `
		SELECT coalesce(sum(cards), 0) AS cards, coalesce(sum(photos), 0) AS photos,
			coalesce(sum(updates), 0) AS updates
		FROM card_import_refusals WHERE account_id = $1 AND import_id = $2`, accountID, importID)
	if err != nil {
		return size{}, fmt.Errorf("count refused rows: %w", err)
	}
	return total, nil
}

// sweepRefusals removes old refusals.
func (s *Service) sweepRefusals(ctx context.Context) error {
	_, err := s.db.Exec(ctx, `
		DELETE FROM card_import_refusals WHERE refused_at < now() - $1 * interval '1 day'`, keepRefusals)
	if err != nil {
		return fmt.Errorf("delete old refusals: %w", err)
	}
	return nil
}
