package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Cards is the part of *cards.Service that jobs use. The methods that change cards run inside a transaction that holds
// the account's clock, and return a result per card.
type Cards interface {
	// FillFromCatalogue completes patches that identify a card by its catalogue identifier alone.
	FillFromCatalogue(ctx context.Context, patches []*cards.Patch) error
	// SummarizeNow counts the cards that match the filter, and never returns a summary from before.
	SummarizeNow(ctx context.Context, accountID string, f cards.Filter, groupBy string) (*cards.Summary, error)
	// Walk returns the next cards that match the filter, and the position of the next call.
	Walk(
		ctx context.Context, accountID string, f cards.Filter, after paging.Position,
	) ([]string, *paging.Position, error)
	// UpdateManyIn updates cards.
	UpdateManyIn(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, updates []cards.ItemUpdate,
	) ([]cards.ItemResult, error)
	// EnqueueIdentifications queues cards for automatic identification. Unless hints is nil, it replaces the hints that
	// are kept with the cards.
	EnqueueIdentifications(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, hints *catalog.Hints,
	) ([]cards.ItemResult, error)
	// DeleteManyIn deletes cards. They are kept for a job.
	DeleteManyIn(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cardIDs []string,
	) ([]cards.ItemResult, error)
	// RestoreManyIn brings cards back that are kept for a job.
	RestoreManyIn(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, cardIDs []string, sales cards.EndedSales,
	) ([]cards.ItemResult, error)
	// EraseIn deletes up to limit cards that are kept for a job for good. It returns how many, and their photos.
	EraseIn(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, jobID string, limit int,
	) (count int, photos []cards.Photo, err error)
}

// Listings publishes, ends and archives cards, inside a transaction that holds the account's clock.
type Listings interface {
	// DefaultMarketplace returns the marketplace of requests that name none.
	DefaultMarketplace(ctx context.Context, accountID string, sandboxAccount bool) (string, error)
	// PublishCardsIn publishes cards. It returns an error per card.
	PublishCardsIn(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string, marketplace string,
	) ([]error, error)
	// EndCardsIn ends the live listings of cards. It returns an error per card.
	EndCardsIn(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string) ([]error, error)
	// ArchiveCardsIn archives cards and ends their live listings.
	ArchiveCardsIn(
		ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, cardIDs []string,
	) ([]cards.ItemResult, error)
}

// Photos is the part of *photos.Service that jobs use.
type Photos interface {
	// RemoveImages removes the images of photos that no card refers to.
	RemoveImages(ctx context.Context, accountID string, photos []cards.Photo)
}

// Prices is the part of *pricing.Service that jobs use.
type Prices interface {
	// Estimates returns estimated prices by card, or the fault of a card without an estimate.
	Estimates(ctx context.Context, accountID string, cardIDs []string) ([]money.Money, []error, error)
}

// Sales is the part of *sales.Service that jobs use.
type Sales interface {
	// Ended returns the sales whose cards came back, each with another sale by which its card is sold, or nil.
	Ended(ctx context.Context, tx *postgres.Tx, accountID string, saleIDs []string) (map[string]*string, error)
}

// Service accepts jobs and works on them.
type Service struct {
	db       *postgres.DB
	clock    clock.Clock
	cursors  paging.Cursors
	cards    Cards
	listings Listings
	photos   Photos
	prices   Prices
	sales    Sales
	work     *queue.Queue
}

// New returns a Service.
func New(
	db *postgres.DB, c clock.Clock, cursors paging.Cursors,
	inventory Cards, listings Listings, photos Photos, prices Prices, sales Sales,
) *Service {
	return &Service{
		db: db, clock: c, cursors: cursors, cards: inventory, listings: listings, photos: photos, prices: prices,
		sales: sales, work: queue.New("job_work", "job_id"),
	}
}

// Queue returns the queue of unfinished jobs.
func (s *Service) Queue() *queue.Queue { return s.work }

// Create accepts a job. Its changes have the actor of ctx. sandboxAccount reports whether the account is a sandbox
// account. Create fails with job_limit_reached if the account has MaxUnfinished unfinished jobs. The hook is called in
// the transaction that inserts the job.
func (s *Service) Create(
	ctx context.Context, accountID string, r Request, sandboxAccount bool, hook postgres.TxHook,
) (Job, error) {
	p, err := s.newPlan(ctx, accountID, r, sandboxAccount)
	if err != nil {
		return Job{}, err
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		if err := checkLimit(ctx, tx, stamp); err != nil {
			return err
		}
		p.ID, p.CreatedAt, p.UpdatedAt = id.New(id.Job, stamp.At), stamp.At, stamp.At
		if p.Filter != nil {
			p.continueAfter(cards.Until(stamp.At))
		}
		if err := insert(ctx, tx, &p); err != nil {
			return err
		}
		if err := insertCards(ctx, tx, &p.Job, 0, r.CardIDs); err != nil {
			return err
		}
		return s.work.Enqueue(ctx, tx, accountID, p.ID)
	})
	if err != nil {
		return Job{}, err
	}
	return p.Job, nil
}

// newPlan returns the job of a request without its identifier and times.
func (s *Service) newPlan(ctx context.Context, accountID string, r Request, sandboxAccount bool) (p plan, err error) {
	if err := r.check(); err != nil {
		return p, err
	}
	if err := s.checkSelection(ctx, accountID, r); err != nil {
		return p, err
	}
	actor := caller.ActorFrom(ctx)
	p = plan{
		Job:       Job{AccountID: accountID, Kind: r.Kind, Status: Queued, Total: len(r.CardIDs)},
		ActorType: string(actor.Type), ActorID: actor.ID,
	}
	if r.Kind == Publish {
		marketplace, err := s.listings.DefaultMarketplace(ctx, accountID, sandboxAccount)
		if err != nil {
			return p, err
		}
		p.Marketplace = &marketplace
	}
	if r.Patch != nil {
		if err := s.complete(ctx, r.Patch); err != nil {
			return p, err
		}
	}
	if p.Patch, err = encode(r.Patch); err != nil {
		return p, err
	}
	if r.PriceChange != nil {
		if err := r.PriceChange.Check(); err != nil {
			return p, fault.Within("price_change", err)
		}
		if p.Patch, err = encodePriceChange(*r.PriceChange); err != nil {
			return p, err
		}
	}
	if p.Hints, err = encode(r.Hints); err != nil {
		return p, err
	}
	if r.Filter != nil && r.Expected != nil {
		p.Most = new(min(cards.MostExpected(*r.Expected), MaxCards))
	}
	p.Filter, err = encode(r.Filter)
	return p, err
}

// checkSelection checks the filter of a request, and whether the number of cards is the expected one.
func (s *Service) checkSelection(ctx context.Context, accountID string, r Request) error {
	if r.Filter == nil {
		return cards.CheckExpected(r.Expected, int64(len(r.CardIDs)))
	}
	if err := r.Filter.Check(); err != nil || r.Expected == nil {
		return fault.Within("filter", err)
	}
	matching, err := s.cards.SummarizeNow(ctx, accountID, *r.Filter, "status")
	if err != nil {
		return err
	}
	return cards.CheckExpected(r.Expected, matching.Total.Count)
}

// complete checks the patch and fills it from the catalogue.
func (s *Service) complete(ctx context.Context, patch *cards.Patch) error {
	if err := patch.Check(); err != nil {
		return fault.Within("patch", err)
	}
	err := s.cards.FillFromCatalogue(ctx, []*cards.Patch{patch})
	if item, ok := errors.AsType[*cards.ItemError](err); ok {
		err = item.Err
	}
	return fault.Within("patch", err)
}

// encode returns the JSON of a value, or nil.
func encode[T any](value *T) (*string, error) {
	if value == nil {
		return nil, nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encode job: %w", err)
	}
	document := string(text)
	return &document, nil
}

// Get returns a job, or job_not_found if the account does not have it.
func (s *Service) Get(ctx context.Context, accountID, jobID string) (Job, error) {
	jobID, ok := id.Parse(id.Job, jobID)
	if !ok {
		return Job{}, NotFound()
	}
	p, err := find(ctx, s.db, accountID, jobID)
	return p.Job, err
}

// Cancel ends a job after the transaction that is under way. A finished job stays as it is. The hook is called in the
// transaction of the update.
func (s *Service) Cancel(ctx context.Context, accountID, jobID string, hook postgres.TxHook) (job Job, err error) {
	jobID, ok := id.Parse(id.Job, jobID)
	if !ok {
		return Job{}, NotFound()
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		p, err := find(ctx, tx, accountID, jobID)
		if err != nil {
			return err
		}
		if !p.Status.Finished() {
			p.finish(Cancelled, stamp.At)
			if p.Undoes != nil { // which can then be undone again
				undone := Job{AccountID: accountID, ID: *p.Undoes}
				if err := setUndoneBy(ctx, tx, &undone, nil, stamp.At); err != nil {
					return err
				}
			}
			err = s.store(ctx, tx, &p)
		}
		job = p.Job
		return err
	})
	if err != nil {
		return Job{}, err
	}
	return job, nil
}

// store updates the job. The work of a finished job ends.
func (s *Service) store(ctx context.Context, tx *postgres.Tx, p *plan) error {
	if p.Status.Finished() {
		if err := deleteCards(ctx, tx, &p.Job); err != nil {
			return err
		}
		if err := s.work.Drop(ctx, tx, p.AccountID, p.ID); err != nil {
			return err
		}
	}
	return update(ctx, tx, p)
}
