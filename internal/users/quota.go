package users

import (
	"context"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

// checkQuota returns quota_exceeded if the account may not have the user beside its other members and invitations. It
// locks the account's clock, so that users who are added at the same time count.
func (s *Service) checkQuota(ctx context.Context, tx *postgres.Tx, accountID, userID string) error {
	stamp, err := s.clock.Lock(ctx, tx, accountID)
	if err != nil {
		return err
	}
	var has struct {
		Others int64 `db:"others"`
		Member bool  `db:"member"`
	}
	err = tx.Get(ctx, &has, `
		SELECT (SELECT count(*) FROM memberships WHERE account_id = $1 AND user_id <> $2) +
		       (SELECT count(*) FROM user_links
		        WHERE account_id = $1 AND user_id <> $2 AND NOT resets AND expires_at > now()) AS others,
		       EXISTS (SELECT FROM memberships WHERE account_id = $1 AND user_id = $2) AS member`, accountID, userID)
	if err != nil || has.Member {
		return err
	}
	return stamp.Quotas(tx).Check(quota.Users, has.Others, 1)
}
