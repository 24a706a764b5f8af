package accounts

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
)

// QuotaUse is a quota of an account and the account's present use of it.
type QuotaUse struct {
	Kind quota.Kind `json:"quota"`
	Used int64      `json:"used"`
	// Counting is true while the account's cards are still being counted; Used is then a part.
	Counting bool  `json:"counting,omitempty"`
	Limit    int64 `json:"limit"` // 0 is no limit
}

// usedRow is an account's present use and its own quotas.
type usedRow struct {
	quota.Usage
	CountedTo string `db:"counted_to"`
	Quotas    string `db:"quotas"`
	Endpoints int64  `db:"endpoints"`
	Views     int64  `db:"views"`
	Jobs      int64  `db:"jobs"`
	Exports   int64  `db:"exports"`
	Tokens    int64  `db:"tokens"`
	Users     int64  `db:"users"`
}

// of returns the account's use of a kind of quota.
func (r *usedRow) of(kind quota.Kind) int64 {
	switch kind {
	case quota.Endpoints:
		return r.Endpoints
	case quota.Views:
		return r.Views
	case quota.Jobs:
		return r.Jobs
	case quota.Exports:
		return r.Exports
	case quota.Tokens:
		return r.Tokens
	case quota.Users:
		return r.Users
	}
	return r.Usage.Of(kind)
}

// Quotas returns the quotas of an account, in the order in which they are shown.
func (s *Service) Quotas(ctx context.Context, accountID string) ([]QuotaUse, error) {
	account, err := s.Get(ctx, accountID)
	if err != nil {
		return nil, err
	}
	var row usedRow
	err = s.db.Get(ctx, &row, `
		SELECT cards, card_bytes, photos, photo_bytes, counted_to, quotas, endpoints,
			(SELECT count(*) FROM views WHERE account_id = $1) AS views,
			(SELECT count(*) FROM job_work WHERE account_id = $1) AS jobs,
			(SELECT count(*) FROM account_exports WHERE account_id = $1 AND expires_at > now()) AS exports,
			(`+countWorking+`) AS tokens,
			(SELECT count(*) FROM memberships WHERE account_id = $1) +
			(SELECT count(*) FROM user_links WHERE account_id = $1 AND NOT resets AND expires_at > now()) AS users
		FROM account_clock WHERE account_id = $1`, account.ID)
	if err != nil {
		return nil, fmt.Errorf("read quotas: %w", err)
	}
	own, err := quota.Parse(row.Quotas)
	if err != nil {
		return nil, fmt.Errorf("account %s: %w", account.ID, err)
	}
	limits, list := own.Or(s.clock.Quotas), make([]QuotaUse, len(quota.Kinds))
	for i, kind := range quota.Kinds {
		counting := quota.Counted(kind) && row.CountedTo != clock.CountedAll
		list[i] = QuotaUse{Kind: kind, Used: row.of(kind), Counting: counting, Limit: limits.Of(kind)}
	}
	return list, nil
}

// SetQuotas replaces the account's own quotas. For kinds that are not set, the operator's quotas apply. An account
// above a quota keeps its cards and photos.
func (s *Service) SetQuotas(ctx context.Context, accountID string, own quota.Limits) error {
	account, err := s.Get(ctx, accountID)
	if err != nil {
		return err
	}
	err = s.clock.Write(ctx, s.db, account.ID, func(tx *postgres.Tx, _ clock.Stamp) error {
		_, err := tx.Exec(ctx, `UPDATE account_clock SET quotas = $2 WHERE account_id = $1`, account.ID, own.String())
		if err != nil {
			return err
		}
		return audit.Record(ctx, tx, account.ID, audit.SettingsChanged, account.Name, "quotas: "+own.String())
	})
	if err != nil {
		return fmt.Errorf("set quotas: %w", err)
	}
	return nil
}
