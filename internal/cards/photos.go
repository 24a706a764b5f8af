package cards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/quota"
)

// PutPhoto adds a stored photo to the card. It replaces the photo of the same role and returns that one,
// so that the caller can remove its image.
func (s *Service) PutPhoto(ctx context.Context, accountID, cardID string,
	photo Photo) (changed Card, replaced *Photo, err error) {
	changed, err = s.update(ctx, accountID, cardID, func(c *Card, _ time.Time) (_ []events.Data, err error) {
		at := slices.IndexFunc(c.Photos, func(p Photo) bool { return p.Role == photo.Role })
		replaced, err = c.putPhoto(photo, at)
		return nil, err
	})
	return changed, replaced, err
}

// ReplacePhoto is PutPhoto in place of one photo. It returns photo_not_found if the card does not have that photo.
func (s *Service) ReplacePhoto(ctx context.Context, accountID, cardID, photoID string,
	photo Photo) (changed Card, replaced *Photo, err error) {
	changed, err = s.update(ctx, accountID, cardID, func(c *Card, _ time.Time) (_ []events.Data, err error) {
		at := slices.IndexFunc(c.Photos, func(p Photo) bool { return p.ID == photoID })
		if at < 0 {
			return nil, fault.NotFound(fault.PhotoNotFound)
		}
		photo.Role = c.Photos[at].Role
		replaced, err = c.putPhoto(photo, at)
		return nil, err
	})
	return changed, replaced, err
}

// putPhoto adds a photo in place of that at an index, which is returned, or of none if the index is negative.
func (c *Card) putPhoto(photo Photo, at int) (replaced *Photo, err error) {
	if c.Sold() {
		return nil, fault.New(fault.CardSold, "This card was sold; its photos can no longer be changed.")
	}
	if at >= 0 {
		replaced = &c.Photos[at]
	}
	c.Photos = withPhoto(c.Photos, photo)
	return replaced, nil
}

// DeletePhoto removes a photo from the card and returns it, so that the caller can remove its image. It
// fails for a card with an open listing.
func (s *Service) DeletePhoto(ctx context.Context, accountID, cardID, photoID string) (removed Photo, err error) {
	_, err = s.update(ctx, accountID, cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
		wanted, _ := id.Parse(id.Photo, photoID)
		at := slices.IndexFunc(c.Photos, func(p Photo) bool { return p.ID == wanted })
		if at < 0 {
			return nil, fault.NotFound(fault.PhotoNotFound)
		}
		if err := c.checkEditable("its photos"); err != nil {
			return nil, err
		}
		removed = c.Photos[at]
		c.Photos = slices.Delete(slices.Clone(c.Photos), at, at+1)
		return nil, nil
	})
	return removed, err
}

// FetchSource is the card and the URL of a photo to fetch.
type FetchSource struct {
	CardID string `db:"card_id"`
	URL    string `db:"url"`
}

// FetchSource returns the source of a claimed fetch, or false if the fetch no longer exists.
func (s *Service) FetchSource(ctx context.Context, claim queue.Claim) (FetchSource, bool, error) {
	var source FetchSource
	err := s.db.Get(ctx, &source, `
		SELECT card_id, url FROM photo_fetches WHERE account_id = $1 AND photo_id = $2 AND claim_id = $3`,
		claim.AccountID, claim.Key, claim.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return FetchSource{}, false, nil
	}
	if err != nil {
		return FetchSource{}, false, fmt.Errorf("load photo source: %w", err)
	}
	return source, true, nil
}

// PhotoFetched finishes a claimed fetch. outcome is the photo, ready or failed. It reports whether the
// card still has the photo. If the photo was deleted or replaced in the meantime, its image is not used.
func (s *Service) PhotoFetched(ctx context.Context, claim queue.Claim, cardID string,
	outcome Photo) (used bool, err error) {
	err = s.clock.Write(ctx, s.db, claim.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		used = false
		held, err := s.fetches.Finish(ctx, tx, claim)
		if err != nil {
			return err
		}
		if !held { // the new holder of the claim stores the image under the same name
			used, err = hasPhoto(ctx, tx, claim.AccountID, cardID, outcome.ID)
			return err
		}
		used, err = s.storeFetched(ctx, tx, stamp, cardID, outcome)
		return err
	})
	return used, err
}

// storeFetched replaces the pending photo of the card by outcome and reports whether the card has its image. A photo
// fails if the account's quota has no room for it.
func (s *Service) storeFetched(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardID string,
	outcome Photo) (used bool, err error) {
	full := stamp.Check(tx, quota.Usage{PhotoBytes: outcome.Size})
	if f, ok := fault.As(full); ok {
		outcome = Photo{ID: outcome.ID, Status: PhotoFailed, Failure: f.Message}
	}
	_, err = s.UpdateIn(ctx, tx, stamp, cardID, func(c *Card, _ time.Time) ([]events.Data, error) {
		at := slices.IndexFunc(c.Photos, func(p Photo) bool { return p.ID == outcome.ID })
		used = at >= 0 && full == nil
		if at >= 0 {
			outcome.Role = c.Photos[at].Role
			c.Photos = withPhoto(c.Photos, outcome)
		}
		return nil, nil
	})
	if fault.Is(err, fault.CardNotFound) {
		return false, nil
	}
	return used, err
}

func hasPhoto(ctx context.Context, tx *postgres.Tx, accountID, cardID, photoID string) (bool, error) {
	c, err := find(ctx, tx, accountID, cardID)
	if fault.Is(err, fault.CardNotFound) {
		return false, nil
	}
	return slices.ContainsFunc(c.Photos, func(p Photo) bool { return p.ID == photoID }), err
}

// withPhoto returns the photos in display order, where added replaces the photo of the same role.
func withPhoto(photos []Photo, added Photo) []Photo {
	result := slices.DeleteFunc(slices.Clone(photos), func(p Photo) bool { return p.Role == added.Role })
	result = append(result, added)
	slices.SortFunc(result, func(a, b Photo) int {
		return slices.Index(Roles, a.Role) - slices.Index(Roles, b.Role)
	})
	return result
}

func hasRole(photos []Photo, role Role) bool {
	return slices.ContainsFunc(photos, func(p Photo) bool { return p.Role == role })
}
