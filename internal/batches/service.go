package batches

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Service reads and updates batches.
type Service struct {
	db      *postgres.DB
	clock   clock.Clock
	cursors paging.Cursors
	events  *events.Recorder
}

// New returns a Service.
func New(db *postgres.DB, c clock.Clock, cursors paging.Cursors, recorder *events.Recorder) *Service {
	return &Service{db: db, clock: c, cursors: cursors, events: recorder}
}

// Get returns a batch, or batch_not_found if the account does not have it.
func (s *Service) Get(ctx context.Context, accountID, batchID string) (Batch, error) {
	batchID, ok := id.Parse(id.Batch, batchID)
	if !ok {
		return Batch{}, NotFound()
	}
	return find(ctx, s.db, accountID, batchID)
}

// List returns a page of batches, newest first or, with UpdatedSince, ordered by UpdatedAt.
func (s *Service) List(ctx context.Context, accountID string, f Filter, p paging.Request) (paging.Page[Batch], error) {
	scope, err := scope(accountID, f)
	if err != nil {
		return paging.Page[Batch]{}, err
	}
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return paging.Page[Batch]{}, err
	}
	rows, err := list(ctx, s.db, accountID, f, after, p.Size())
	if err != nil {
		return paging.Page[Batch]{}, err
	}
	return paging.Cut(s.cursors, scope, rows, p.Size(), func(b Batch) paging.Position {
		if f.UpdatedSince != nil {
			return paging.Position{At: b.UpdatedAt, ID: b.ID}
		}
		return paging.Position{At: b.CreatedAt, ID: b.ID}
	}), nil
}

func scope(accountID string, f Filter) (string, error) {
	text, err := json.Marshal(f)
	return "batches " + accountID + " " + string(text), err
}

// Create creates an open, empty batch.
//
// Create, Complete, Reopen and Update call hook in the transaction of their change.
func (s *Service) Create(ctx context.Context, accountID, name string, description *string,
	hook postgres.TxHook) (batch Batch, err error) {
	if err := CheckName(name); err != nil {
		return Batch{}, err
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		batch = Batch{
			AccountID: accountID, ID: id.New(id.Batch, stamp.At), Name: name, Description: description,
			Status: Open, Version: 1, CreatedAt: stamp.At, UpdatedAt: stamp.At,
		}
		return insert(ctx, tx, batch)
	})
	if err != nil {
		return Batch{}, fmt.Errorf("create batch: %w", err)
	}
	return batch, nil
}

// Complete marks the batch complete and fires batch.completed. It does not change a complete batch.
func (s *Service) Complete(ctx context.Context, accountID, batchID string, hook postgres.TxHook) (Batch, error) {
	return s.change(ctx, accountID, batchID, hook, func(b *Batch, stamp clock.Stamp) []events.Data {
		if b.Status == Complete {
			return nil
		}
		b.Status, b.CompletedAt = Complete, &stamp.At
		return []events.Data{events.BatchCompleted{
			BatchID: b.ID, Name: b.Name, CardCount: b.CardCount, CompletedAt: timestamp.Of(stamp.At),
		}}
	})
}

// Reopen marks the batch open again. It does not change an open batch.
func (s *Service) Reopen(ctx context.Context, accountID, batchID string, hook postgres.TxHook) (Batch, error) {
	return s.change(ctx, accountID, batchID, hook, func(b *Batch, _ clock.Stamp) []events.Data {
		b.Status, b.CompletedAt = Open, nil
		return nil
	})
}

// Patch is a change of the fields that are not nil. A Description of "" removes the description.
type Patch struct{ Name, Description *string }

// Update changes the name and the description of the batch. Values that it has already change nothing.
func (s *Service) Update(
	ctx context.Context, accountID, batchID string, p Patch, hook postgres.TxHook,
) (Batch, error) {
	if p.Name != nil {
		if err := CheckName(*p.Name); err != nil {
			return Batch{}, err
		}
	}
	return s.change(ctx, accountID, batchID, hook, func(b *Batch, _ clock.Stamp) []events.Data {
		p.apply(b)
		return nil
	})
}

func (p Patch) apply(b *Batch) {
	if p.Name != nil {
		b.Name = *p.Name
	}
	switch {
	case p.Description == nil:
	case *p.Description == "":
		b.Description = nil
	case b.Description == nil || *b.Description != *p.Description: // Batches are compared, also by this pointer.
		b.Description = p.Description
	}
}

// change applies a function to the batch, stores the batch if it differs, and records the events that the function
// returns.
func (s *Service) change(ctx context.Context, accountID, batchID string, hook postgres.TxHook,
	change func(*Batch, clock.Stamp) []events.Data) (b Batch, err error) {
	batchID, ok := id.Parse(id.Batch, batchID)
	if !ok {
		return Batch{}, NotFound()
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		before, err := find(ctx, tx, accountID, batchID)
		if err != nil {
			return err
		}
		b = before
		data := change(&b, stamp)
		if b == before {
			return nil
		}
		b.Version, b.UpdatedAt = b.Version+1, stamp.At
		if err := update(ctx, tx, b); err != nil {
			return fmt.Errorf("batches: %w", err)
		}
		return s.events.Record(ctx, tx, stamp, data...)
	})
	return b, err
}

// Adjust adds the deltas, keyed by batch id, to the card counts of the batches. The transaction must hold the account's
// clock. Adjust fails with batch_not_found or batch_complete.
func (s *Service) Adjust(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, deltas map[string]int) error {
	for _, batchID := range slices.Sorted(maps.Keys(deltas)) {
		b, err := find(ctx, tx, stamp.AccountID, batchID)
		if err != nil {
			return err
		}
		if err := b.closed(); err != nil {
			return err
		}
		b.CardCount += deltas[batchID]
		b.Version, b.UpdatedAt = b.Version+1, stamp.At
		if err := update(ctx, tx, b); err != nil {
			return fmt.Errorf("adjust batch: %w", err)
		}
	}
	return nil
}

// closed returns batch_complete if no card can be moved into or out of the batch.
func (b *Batch) closed() error {
	if b.Status != Complete {
		return nil
	}
	return fault.New(fault.BatchComplete, "Batch %q is complete; reopen it before moving cards in or out.", b.Name)
}

// Closed returns the errors with which Adjust would fail for some of the batches, by batch id.
func (s *Service) Closed(
	ctx context.Context, q postgres.Querier, accountID string, batchIDs []string,
) (map[string]error, error) {
	list, err := findMany(ctx, q, accountID, batchIDs)
	if err != nil {
		return nil, err
	}
	refusals := map[string]error{}
	for _, batchID := range batchIDs {
		refusals[batchID] = NotFound()
	}
	for i := range list {
		if err := list[i].closed(); err != nil {
			refusals[list[i].ID] = err
		} else {
			delete(refusals, list[i].ID)
		}
	}
	return refusals, nil
}
