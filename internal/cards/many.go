package cards

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// PatchItem is the update of one card by a patch.
type PatchItem struct {
	CardID string
	Patch  Patch
	// Version is the version that the card must have. Nil allows any.
	Version *int64
}

// patchUpdate is the update of a card by a patch.
type patchUpdate struct {
	patch   Patch
	match   Match
	refused error // the fault of the patch in the catalogue
}

// apply implements UpdateFunc.
func (u *patchUpdate) apply(c *Card, now time.Time) ([]events.Data, error) {
	if err := u.match.Check(c.Version); err != nil {
		return nil, err
	}
	if u.refused != nil {
		return nil, u.refused
	}
	return nil, u.patch.Apply(c, now)
}

// Update applies the patch to a card and returns the updated card. It fails with version_mismatch if
// match returns false.
func (s *Service) Update(ctx context.Context, accountID, cardID string, patch Patch, match Match) (Card, error) {
	u := patchUpdate{patch: patch, match: match}
	faults, err := s.FillEach(ctx, []*Patch{&u.patch})
	if err != nil {
		return Card{}, fmt.Errorf("complete a patch: %w", err)
	}
	if faults != nil && faults[0] != nil {
		return Card{}, faults[0]
	}
	return s.update(ctx, accountID, cardID, u.apply)
}

// UpdateMany applies the patches in one transaction and returns their results in the given order. A patch that fails
// changes nothing. If atomic is true, the first failure is returned as an *ItemError and nothing changes. The cards
// must differ.
func (s *Service) UpdateMany(
	ctx context.Context, accountID string, items []PatchItem, atomic bool,
) (results []ItemResult, err error) {
	ids, patches := make([]string, len(items)), make([]*Patch, len(items))
	for i := range items {
		ids[i], patches[i] = items[i].CardID, &items[i].Patch
	}
	if i := Repeated(ids); i >= 0 {
		return nil, &ItemError{i, fault.Invalid("id", "must differ from the identifiers before it")}
	}
	faults, err := s.FillEach(ctx, patches)
	if err != nil {
		return nil, fmt.Errorf("complete patches: %w", err)
	}
	updates := make([]ItemUpdate, len(items))
	for i, item := range items {
		u := patchUpdate{patch: item.Patch, match: matchVersion(item.Version)}
		if faults != nil {
			u.refused = faults[i]
		}
		updates[i] = ItemUpdate{item.CardID, u.apply}
	}
	err = s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		results, err = s.UpdateManyIn(ctx, tx, stamp, updates)
		if err == nil && atomic {
			err = FirstError(results, func(r ItemResult) error { return r.Err })
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

func matchVersion(version *int64) Match {
	if version == nil {
		return nil
	}
	return func(v int64) bool { return v == *version }
}

// Repeated returns the index of the first identifier that stands in the list before, in any case of letters, or -1.
func Repeated(ids []string) int {
	seen := make(map[string]bool, len(ids))
	for i, text := range ids {
		text = strings.ToLower(text)
		if seen[text] {
			return i
		}
		seen[text] = true
	}
	return -1
}

// FirstError returns the error of the first result that failed as an *ItemError, or nil.
func FirstError[T any](results []T, errorOf func(T) error) error {
	for i := range results {
		if err := errorOf(results[i]); err != nil {
			return &ItemError{Index: i, Err: err}
		}
	}
	return nil
}
