package users

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
)

// DeleteMembersIn ends the memberships and invitations of an account in the transaction that deletes the account. It
// deletes the users who are left without an account and without an invitation, with their links and sessions.
func (s *Service) DeleteMembersIn(ctx context.Context, tx *postgres.Tx, accountID string) error {
	var left []string
	err := tx.Select(ctx, &left, `
		SELECT id FROM users
		WHERE id IN (
			SELECT user_id FROM memberships WHERE account_id = $1
			UNION SELECT user_id FROM user_links WHERE account_id = $1
		)
		ORDER BY id FOR UPDATE`, accountID)
	if err != nil {
		return fmt.Errorf("delete members: %w", err)
	}
	for _, statement := range []string{
		`DELETE FROM memberships WHERE account_id = $1`, `DELETE FROM user_links WHERE account_id = $1`,
	} {
		if _, err := tx.Exec(ctx, statement, accountID); err != nil {
			return fmt.Errorf("delete members: %w", err)
		}
	}
	var alone []string
	err = tx.Select(ctx, &alone, `
		DELETE FROM users u
		WHERE u.id = ANY($1)
			AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)
			AND NOT EXISTS (SELECT FROM user_links l WHERE l.user_id = u.id AND l.account_id IS NOT NULL)
		RETURNING u.id`, pq.Array(left))
	if err != nil {
		return fmt.Errorf("delete members: %w", err)
	}
	for _, statement := range []string{
		`DELETE FROM user_links WHERE user_id = ANY($1)`,
		// Sessions of the version before are found by the user's identifier in their data. The table is small.
		`DELETE FROM user_sessions s USING unnest($1::text[]) AS u (id)
			WHERE s.user_id = u.id OR s.user_id IS NULL AND position(convert_to(u.id, 'UTF8') in s.data) > 0`,
	} {
		if _, err := tx.Exec(ctx, statement, pq.Array(alone)); err != nil {
			return fmt.Errorf("delete members: %w", err)
		}
	}
	return nil
}
