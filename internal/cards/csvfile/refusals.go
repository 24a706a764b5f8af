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

// keepRefusals is for how many days refusals are kept.
const keepRefusals = 30

// storeRefusals stores the refused rows of an import, and logs them for the case that its process has ended.
func storeRefusals(ctx context.Context, tx *postgres.Tx, accountID, importID string, refused []Refusal) error {
	if len(refused) == 0 {
		return nil
	}
	lines, messages := make(pq.Int64Array, len(refused)), make(pq.StringArray, len(refused))
	for i, r := range refused {
		lines[i], messages[i] = int64(r.Line), r.Message
		slog.WarnContext(ctx, "imported row was refused",
			"account", accountID, "import", importID, "line", r.Line, "message", r.Message)
	}
	_, err := tx.Exec(ctx, `
		INSERT INTO card_import_refusals (account_id, import_id, line, message, refused_at)
		SELECT $1, $2, line, message, now() FROM unnest($3::integer[], $4::text[]) AS refused (line, message)
		ON CONFLICT DO NOTHING`, accountID, importID, lines, messages)
	if err != nil {
		return fmt.Errorf("csvfile.storeRefusals: %w", err)
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
		return nil, fmt.Errorf("csvfile.refusals: %w", err)
	}
	return refused, nil
}

// sweepRefusals removes old refusals.
func (s *Service) sweepRefusals(ctx context.Context) error {
	_, err := s.db.Exec(ctx, `
		DELETE FROM card_import_refusals WHERE refused_at < now() - $1 * interval '1 day'`, keepRefusals)
	if err != nil {
		return fmt.Errorf("csvfile.sweepRefusals: %w", err)
	}
	return nil
}
