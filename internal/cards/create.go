package cards

import (
	"context"
	"fmt"
	"slices"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Draft is a card to create.
type Draft struct {
	// Patch has the values of the card. Fields that are cleared stay empty.
	Patch
	// Copies is the number of cards to create; 0 means 1. It is for Import only.
	Copies int
	// Photos are the URLs of photos to fetch, at most one per role.
	Photos []NewPhoto
	// Stored are photos whose images are already stored. Their roles differ from the roles of Photos.
	Stored []Photo
	// Identify says whether to identify the card automatically once it has a photo. The default is
	// to identify cards without a title.
	Identify *bool
	// Hints are kept with the card for its identifications.
	Hints catalog.Hints
}

// NewPhoto is the URL of a photo to fetch.
type NewPhoto struct {
	URL  string
	Role Role
}

// Create creates all of the cards in one transaction, or none, and returns them in the given order. It calls
// hook in the same transaction. An error that concerns one card is an *ItemError.
func (s *Service) Create(ctx context.Context, accountID string, list []Draft,
	hook postgres.TxHook) (created []Card, err error) {
	list = slices.Clone(list)
	patches := make([]*Patch, len(list))
	for i := range list {
		patches[i] = &list[i].Patch
	}
	if err := s.FillFromCatalogue(ctx, patches); err != nil {
		return nil, err
	}
	err = s.clock.WriteWithHook(ctx, s.db, accountID, hook, func(tx *postgres.Tx, stamp clock.Stamp) error {
		created, err = s.CreateIn(ctx, tx, stamp, list)
		return err
	})
	return created, err
}

// CheckDraft returns the error with which Create would refuse the values of the draft now. It is for callers that store
// photos before Create, which checks again.
func (s *Service) CheckDraft(ctx context.Context, accountID string, draft Draft) error {
	if err := draft.Check(); err != nil {
		return err
	}
	if draft.BatchID.value == nil {
		return nil
	}
	batchID, ok := id.Parse(id.Batch, *draft.BatchID.value)
	if !ok {
		return fault.NotFound(fault.BatchNotFound)
	}
	closed, err := s.batches.Closed(ctx, s.db, accountID, []string{batchID})
	if err != nil {
		return fmt.Errorf("check draft: %w", err)
	}
	return closed[batchID]
}

// ItemError is the error of one card of a Create call.
type ItemError struct {
	Index int // from 0
	Err   error
}

// Error returns the index of the card and the error.
func (e *ItemError) Error() string { return fmt.Sprintf("card %d: %v", e.Index, e.Err) }

// Unwrap returns Err.
func (e *ItemError) Unwrap() error { return e.Err }

// CreateIn is Create inside a transaction that holds the account's clock. Each card has a different time. Otherwise
// a poll by updated_since, whose bound is inclusive, would return the whole import again.
func (s *Service) CreateIn(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, list []Draft) ([]Card, error) {
	existing, err := s.findExternalIDs(ctx, tx, stamp.AccountID, list)
	if err != nil {
		return nil, err
	}
	for i, n := range list {
		if card, taken := existing[n.externalID()]; taken {
			return nil, &ItemError{Index: i, Err: externalIDTaken(card.ID)}
		}
	}
	return s.insertNew(ctx, tx, stamp, list)
}

// insertNew is CreateIn for cards whose external ids do not exist.
func (s *Service) insertNew(ctx context.Context, tx *postgres.Tx, stamp clock.Stamp, list []Draft) ([]Card, error) {
	nextCard, nextPhoto := id.Run(id.Card, stamp.At), id.Run(id.Photo, stamp.At)
	actor := caller.ActorFrom(ctx)
	steps := make([]*step, len(list))
	for i, n := range list {
		steps[i] = n.step(stamp.Offset(i), nextCard(), nextPhoto)
		steps[i].actor = actor
	}
	if err := s.check(ctx, tx, stamp, steps, floorCheck{accountID: stamp.AccountID}); err != nil {
		return nil, err
	}
	if err := FirstError(steps, func(st *step) error { return st.err }); err != nil {
		return nil, err
	}
	if err := s.write(ctx, tx, stamp, steps); err != nil {
		return nil, fmt.Errorf("create cards: %w", err)
	}
	created := make([]Card, len(steps))
	for i, st := range steps {
		created[i] = st.after
	}
	return created, nil
}

// step returns the step that creates the card.
func (n Draft) step(stamp clock.Stamp, cardID string, nextPhoto func() string) *step {
	blank := Card{
		AccountID: stamp.AccountID, ID: cardID, Status: Imported, CreatedAt: stamp.At,
		Identification: Identification{Status: IdentificationNone},
	}
	st := &step{cardID: cardID, after: blank, at: stamp.At, hints: n.Hints}
	c := &st.after
	if st.err = n.Patch.Apply(c, stamp.At); st.err != nil {
		return st
	}
	c.AutoIdentify = c.Identification.Title == nil
	if n.Identify != nil {
		c.AutoIdentify = *n.Identify
	}
	if st.fetches, st.err = n.attach(c, nextPhoto); st.err != nil {
		return st
	}
	st.identify = c.startIdentification()
	st.happened, _ = finalize(&blank, c, stamp.At)
	c.Version, c.UpdatedAt = 1, stamp.At // also for a card without any values
	return st
}

// attach adds the photos to a new card. It returns those to fetch.
func (n Draft) attach(c *Card, nextPhoto func() string) (fetches []fetch, err error) {
	added := slices.Clone(n.Stored)
	for _, p := range n.Photos {
		if err := p.Check("photos"); err != nil {
			return nil, err
		}
		photo := Photo{ID: nextPhoto(), Role: p.Role, Status: PhotoPending}
		added = append(added, photo)
		fetches = append(fetches, fetch{photo.ID, c.ID, p.URL})
	}
	for _, photo := range added {
		if hasRole(c.Photos, photo.Role) {
			return nil, fault.Invalid("photos", "must contain at most one photo of role %s", photo.Role)
		}
		c.Photos = withPhoto(c.Photos, photo)
	}
	return fetches, nil
}
