package demo

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/demo/art"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// fill creates the cards of the stock in one transaction, and completes the batches that are marked as complete.
func (s Services) fill(ctx context.Context, accountID string, progress func(done, total int)) error {
	list := items()
	drafts, err := s.drafts(ctx, list)
	if err != nil {
		return err
	}
	if err := s.photograph(ctx, accountID, list, drafts, progress); err != nil {
		s.discard(ctx, accountID, drafts)
		return err
	}
	ids, err := s.create(ctx, accountID, list, drafts)
	if err != nil {
		return err
	}
	for _, b := range stock {
		if !b.complete {
			continue
		}
		if _, err := s.Batches.Complete(ctx, accountID, ids[b.name], nil); err != nil {
			return err
		}
	}
	return nil
}

// drafts returns the cards to create, with their descriptions in the catalogue.
func (s Services) drafts(ctx context.Context, list []boxed) ([]cards.Draft, error) {
	var ids []string
	for _, d := range Drawings() {
		ids = append(ids, d.ID)
	}
	printings, err := s.Catalog.Get(ctx, ids...) // returns every card, in this order, because Install imported them
	if err != nil {
		return nil, err
	}
	drafts := make([]cards.Draft, len(list))
	for i, it := range list {
		drafts[i] = it.draft(printings[it.drawing])
	}
	return drafts, nil
}

// create creates the cards in their batches and returns the batches' identifiers by name.
func (s Services) create(
	ctx context.Context, accountID string, list []boxed, drafts []cards.Draft,
) (map[string]string, error) {
	ids := map[string]string{}
	err := s.Clock.Write(ctx, s.DB, accountID, func(tx *postgres.Tx, stamp clock.Stamp) (err error) {
		for _, b := range stock {
			if ids[b.name], err = s.Batches.OpenNamed(ctx, tx, stamp, b.name); err != nil {
				return err
			}
		}
		for i := range drafts {
			drafts[i].BatchID = cards.Set(ids[list[i].box])
		}
		_, err = s.Cards.CreateIn(ctx, tx, stamp, drafts)
		return err
	})
	return ids, err
}

// photograph draws and stores the photos of the cards and adds them to the drafts.
func (s Services) photograph(
	ctx context.Context, accountID string, list []boxed, drafts []cards.Draft, progress func(done, total int),
) error {
	var mu sync.Mutex
	done := 0
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0)) // drawing takes most of the time
	for i, it := range list {
		group.Go(func() error {
			if err := s.photographOne(ctx, accountID, it.item, int64(i+1), &drafts[i]); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; progress != nil {
				progress(done, len(list))
			}
			return nil
		})
	}
	return group.Wait()
}

// photographOne draws and stores the photos of one card. seed determines the table and the light.
func (s Services) photographOne(ctx context.Context, accountID string, it item, seed int64, draft *cards.Draft) error {
	picture := art.Draw(it.art())
	for _, role := range it.roles() {
		data, err := photo(picture, role, seed)
		if err != nil {
			return err
		}
		p, err := s.Photos.Keep(ctx, accountID, role, bytes.NewReader(data))
		if err != nil {
			return err
		}
		draft.Stored = append(draft.Stored, p)
	}
	return nil
}

// photo returns a photo of a card on a table or, for RoleListing, its picture.
func photo(picture image.Image, role cards.Role, seed int64) ([]byte, error) {
	if role != cards.RoleListing {
		return art.Photo(picture, seed)
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 90})
	return out.Bytes(), err
}

// discard removes the photos of drafts that were not created.
func (s Services) discard(ctx context.Context, accountID string, drafts []cards.Draft) {
	for _, d := range drafts {
		for _, photo := range d.Stored {
			s.Photos.Discard(ctx, accountID, photo)
		}
	}
}

// review identifies the cards that are not in the catalogue, unless that was done before. They then need review.
func (s Services) review(ctx context.Context, accountID string) error {
	for _, it := range items() {
		if it.stage != review {
			continue
		}
		filter := cards.Filter{SKU: &it.sku, Statuses: []cards.Status{cards.Imported}}
		list, err := s.Cards.List(ctx, accountID, filter, paging.Request{})
		if err != nil {
			return err
		}
		for _, c := range list.Data {
			if _, _, err := s.Identify.Card(ctx, accountID, c.ID, nil, nil); err != nil {
				return err
			}
		}
	}
	return nil
}
