package lookup

import (
	"context"
	"slices"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/quota"
)

// QuotaOf returns the account's quota of a kind.
func (r *Reader) QuotaOf(ctx context.Context, accountID string, kind quota.Kind) (accounts.QuotaUse, error) {
	uses, err := r.Accounts.Quotas(ctx, accountID)
	if err != nil {
		return accounts.QuotaUse{}, err
	}
	return uses[slices.IndexFunc(uses, func(use accounts.QuotaUse) bool { return use.Kind == kind })], nil
}
