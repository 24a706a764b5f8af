package listings

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/postgres"
)

// read reads the pictures that earlier attempts have uploaded.
func (u *upload) read(ctx context.Context) error {
	var rows []struct{ ID, Pictures string }
	err := u.worker.db.Select(ctx, &rows, `
		SELECT id, pictures FROM listings WHERE account_id = $1 AND id = ANY($2) AND pictures IS NOT NULL`,
		u.tasks[0].AccountID, pq.Array(keys(u.tasks)))
	if err != nil {
		return fmt.Errorf("listings: read pictures: %w", err)
	}
	u.hosted = make(map[string]pictures, len(rows))
	for _, r := range rows {
		var found pictures
		if err := json.Unmarshal([]byte(r.Pictures), &found); err != nil {
			return fmt.Errorf("listings: pictures of %s: %w", r.ID, err)
		}
		u.hosted[r.ID] = found
	}
	return nil
}

// storePicture stores a picture with a listing that is publishing, so that no later attempt uploads it again. It does
// not need the account's clock, because no client sees it.
func storePicture(
	ctx context.Context, q postgres.Querier, accountID, listingID, photoID string, p marketplaces.HostedPicture,
) error {
	added, err := json.Marshal(pictures{photoID: p})
	if err != nil {
		return fmt.Errorf("listings: picture: %w", err)
	}
	_, err = q.Exec(ctx, `
		UPDATE listings SET pictures = coalesce(pictures, '{}') || $3::jsonb
		WHERE account_id = $1 AND id = $2 AND status = 'publishing'`, accountID, listingID, string(added))
	if err != nil {
		return fmt.Errorf("listings: store picture: %w", err)
	}
	return nil
}
