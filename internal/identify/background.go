package identify

import (
	"context"
	"errors"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/worker"
)

// The photo gets its wait and both providers their time, and the lease some more for the database.
const leaseMargin = 30 * time.Second

// busyPause is how long a card waits whose turn did not come, so that a process with a free slot may
// take it first.
const busyPause = 5 * time.Second

// tries is how often the background asks when no provider could answer at all, before that counts
// as a failure to identify the card.
const tries = 3

// Background identifies waiting cards, parallel ones at a time. Every card is identified once: the
// row that waits goes with the transaction that saves the result.
func (s *Service) Background(parallel int) worker.Loop {
	runner := &queue.Runner{
		Queue: s.queue, DB: s.db, Parallel: parallel,
		Lease:   s.chain.Wait + time.Duration(len(s.chain.Providers))*s.chain.Timeout + leaseMargin,
		Handle:  s.handle,
		Backoff: func(c queue.Claim, _ error) time.Duration { return time.Duration(c.Attempts) * 30 * time.Second },
	}
	return runner.Loop("identify")
}

func (s *Service) handle(ctx context.Context, claim queue.Claim) error {
	card, err := s.cards.Get(ctx, claim.AccountID, claim.Key)
	if fault.Is(err, fault.CardNotFound) {
		return s.queue.Drop(ctx, s.db, claim.AccountID, claim.Key)
	}
	if err != nil {
		return err
	}
	if settled(card) {
		_, err := s.queue.Finish(ctx, s.db, claim)
		return err
	}
	if card.Identifiable() != nil {
		return s.putOff(ctx, claim)
	}
	outcome, err := s.look(ctx, card)
	if errors.Is(err, ErrBusy) {
		_, err := s.queue.PutBack(ctx, s.db, claim, busyPause)
		return err
	}
	if err != nil {
		return err
	}
	if outcome.unanswered() && outcome.refusal() == nil && claim.Attempts < tries {
		return fault.New(fault.UpstreamError, "no identification provider could answer: %s", outcome.Attempts[0].Message)
	}
	return s.finish(ctx, claim, outcome)
}

// finish saves the outcome if the claim still holds and nobody has identified the card meanwhile. A
// card that was put away meanwhile is put off.
func (s *Service) finish(ctx context.Context, claim queue.Claim, outcome Outcome) error {
	return s.end(ctx, claim, func(tx *postgres.Tx, stamp clock.Stamp) error {
		// Nothing of the account changes while its clock is held, so this look is exact.
		card, err := s.cards.Find(ctx, tx, claim.AccountID, claim.Key)
		switch {
		case err != nil || settled(card):
			return err
		case card.Identifiable() != nil:
			_, err = s.cards.AwaitIdentification(ctx, tx, stamp, card.ID)
		default:
			_, err = s.save(ctx, tx, stamp, card.ID, outcome)
		}
		return err
	})
}

// putOff has a card that cannot be identified now wait until it can be.
func (s *Service) putOff(ctx context.Context, claim queue.Claim) error {
	return s.end(ctx, claim, func(tx *postgres.Tx, stamp clock.Stamp) error {
		_, err := s.cards.AwaitIdentification(ctx, tx, stamp, claim.Key)
		return err
	})
}

// end takes the row out of the queue in the transaction that writes what came of it, if the claim still holds.
func (s *Service) end(ctx context.Context, claim queue.Claim, write func(*postgres.Tx, clock.Stamp) error) error {
	ctx, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	return s.clock.Write(ctx, s.db, claim.AccountID, func(tx *postgres.Tx, stamp clock.Stamp) error {
		held, err := s.queue.Finish(ctx, tx, claim)
		if err != nil || !held {
			return err
		}
		return write(tx, stamp)
	})
}

// settled reports whether the owner has said what the card is.
func settled(card cards.Card) bool {
	return card.Identification.Source != nil && *card.Identification.Source == cards.SourceManual
}

// unanswered reports whether no provider could say anything about the photo.
func (o Outcome) unanswered() bool {
	for _, a := range o.Attempts {
		if a.Outcome != Failed && a.Outcome != TimedOut {
			return false
		}
	}
	return true
}
