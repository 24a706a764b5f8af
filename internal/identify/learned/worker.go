package learned

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// maxPerPrinting is the maximum number of fingerprints of a printing that an account keeps.
	maxPerPrinting = 5
	// lease is longer than a photo takes.
	lease = time.Minute
	// slotWait is how long a photo waits until no other one is being identified, and busyDelay how long it is put off
	// then.
	slotWait, busyDelay = 20 * time.Second, 30 * time.Second
)

// errBusy means that no slot became free.
var errBusy = errors.New("photos wait to be identified")

// Cards is the part of *cards.Service that Worker uses.
type Cards interface {
	Get(ctx context.Context, accountID, cardID string) (cards.Card, error)
}

// Photos is the part of *photos.Service that Worker uses.
type Photos interface {
	// Load returns the bytes of a card's photo.
	Load(ctx context.Context, accountID string, photo cards.Photo) ([]byte, error)
}

// Slots is the part of *identify.Slots that Worker uses.
type Slots interface {
	AcquireIdle(ctx context.Context, accountID string) (release func(), err error)
}

// Worker learns from the cards in Queue.
type Worker struct {
	DB        *postgres.DB
	Clock     clock.Clock
	Catalogue *catalog.Service
	Cards     Cards
	Photos    Photos
	Queue     *queue.Queue
	Slots     Slots // it learns while no photo waits to be identified
	// Survey surveys an encoded photo. The error is an error of vision.Decode or of ctx, or context.DeadlineExceeded.
	Survey func(ctx context.Context, photo []byte) (vision.Survey, error)
}

// Background returns the loop of the worker, which learns from one card at a time.
func (w *Worker) Background() worker.Loop {
	runner := &queue.Runner{
		Queue: w.Queue, DB: w.DB, Parallel: 1, Lease: lease, Handle: w.handle,
		Backoff: func(c queue.Claim, _ error) time.Duration {
			return min(time.Duration(c.Attempts)*30*time.Second, time.Hour)
		},
	}
	return runner.Loop("learn")
}

// handle learns from a card. A card from which nothing can be learned is done, because each change queues it again.
func (w *Worker) handle(ctx context.Context, claim queue.Claim) error {
	card, err := w.Cards.Get(ctx, claim.AccountID, claim.Key)
	if fault.Is(err, fault.CardNotFound) {
		return w.Queue.Drop(ctx, w.DB, claim.AccountID, claim.Key)
	}
	if err != nil {
		return err
	}
	said := card.Confirmation()
	agreed, err := w.confirmed(ctx, said)
	if err != nil {
		return err
	}
	if !agreed {
		_, err := w.Queue.Finish(ctx, w.DB, claim)
		return err
	}
	hash, found, err := w.inSlot(ctx, card, said)
	switch {
	case errors.Is(err, errBusy):
		_, err := w.Queue.Requeue(ctx, w.DB, claim, busyDelay)
		return err
	case err != nil:
		return err
	case !found:
		_, err := w.Queue.Finish(ctx, w.DB, claim)
		return err
	}
	return w.store(ctx, claim, said, hash)
}

// inSlot computes the fingerprint in a slot of background work. It returns errBusy if none becomes free.
func (w *Worker) inSlot(ctx context.Context, card cards.Card, said cards.Confirmation) ([64]byte, bool, error) {
	slotCtx, cancel := context.WithTimeout(ctx, slotWait)
	release, err := w.Slots.AcquireIdle(slotCtx, card.AccountID)
	cancel()
	if err != nil {
		return [64]byte{}, false, errBusy
	}
	defer release()
	return w.fingerprint(ctx, card, said)
}

// confirmed reports whether the catalogue has the card that the owner has confirmed, and describes it as the owner
// does.
func (w *Worker) confirmed(ctx context.Context, said cards.Confirmation) (bool, error) {
	if said == (cards.Confirmation{}) {
		return false, nil
	}
	matches, err := w.Catalogue.Get(ctx, said.CatalogID)
	if err != nil || len(matches) == 0 {
		return false, err
	}
	return agrees(said, matches[0]), nil
}

// agrees reports whether the owner describes the card as the catalogue does. An owner who corrects the title of a
// wrong identification may leave its identifier.
func agrees(said cards.Confirmation, card catalog.Card) bool {
	number := card.CollectorNumber()
	return strings.EqualFold(strings.TrimSpace(said.Title), strings.TrimSpace(card.Name)) &&
		(said.Number == "" || number == "" || strings.EqualFold(said.Number, number)) &&
		(said.Language == "" || card.Language == "" || strings.EqualFold(said.Language, card.Language))
}

// store stores the fingerprint if the claim is still valid, which it is only if the card has not changed since.
func (w *Worker) store(ctx context.Context, claim queue.Claim, said cards.Confirmation, hash [64]byte) error {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	return w.Clock.Write(ctx, w.DB, claim.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		// The account's clock is locked, so the card neither changes nor disappears before the commit.
		held, err := w.Queue.Finish(ctx, tx, claim)
		if err != nil || !held {
			return err
		}
		_, err = tx.Exec(ctx, `
			INSERT INTO learned_fingerprints (account_id, card_id, catalog_id, photo_id, hash, learned_at)
			VALUES ($1, $2, $3, $4, $5::bit(512), $6)
			ON CONFLICT (account_id, card_id) DO UPDATE SET catalog_id = excluded.catalog_id,
				photo_id = excluded.photo_id, hash = excluded.hash, learned_at = excluded.learned_at`,
			claim.AccountID, claim.Key, said.CatalogID, said.PhotoID, catalog.Bits(hash), stamp.At)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `
			DELETE FROM learned_fingerprints WHERE account_id = $1 AND card_id IN (
				SELECT card_id FROM learned_fingerprints WHERE account_id = $1 AND catalog_id = $2
				ORDER BY learned_at DESC, card_id DESC OFFSET $3)`, claim.AccountID, said.CatalogID, maxPerPrinting)
		return err
	})
}
