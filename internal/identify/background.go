package identify

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/waiting"
	"github.com/cardvault/cardvault/internal/worker"
)

// leaseMargin is the time that a lease has in addition to the wait for a slot and the providers' timeouts.
const leaseMargin = 30 * time.Second

// busyDelay is the delay before a card that got no slot is claimed again, so that a process with a free
// slot can claim it first.
const busyDelay = 5 * time.Second

// maxAttempts is the number of attempts without any response of a provider, or without the time to compute one, before
// the identification ends with the results so far.
const maxAttempts = 3

// Background identifies waiting cards, up to parallel of an account at once. The slots of the chain limit all accounts
// together. Every card is identified once: its queue row is deleted in the transaction that saves the result.
func (s *Service) Background(parallel int) worker.Loop {
	runner := &queue.Runner{
		// One account has half of the runner, so that photos of another one wait for a slot and not for its last photo.
		Queue: s.queue, DB: s.db, Parallel: 2 * parallel,
		Lease:   s.chain.Wait + time.Duration(len(s.chain.Providers))*s.chain.Timeout + leaseMargin,
		Handle:  s.handle,
		Backoff: func(c queue.Claim, _ error) time.Duration { return time.Duration(c.Attempts) * 30 * time.Second },
		Reason:  waitReason,
	}
	return runner.Loop("identify")
}

// waitReason returns the code that tells the owner why an attempt failed with err.
func waitReason(err error) waiting.Reason {
	if fault.Is(err, fault.UpstreamError) {
		return waiting.Identification
	}
	return waiting.Problem
}

func (s *Service) handle(ctx context.Context, claim queue.Claim) error {
	card, err := s.cards.Get(ctx, claim.AccountID, claim.Key)
	if fault.Is(err, fault.CardNotFound) {
		return s.queue.Drop(ctx, s.db, claim.AccountID, claim.Key)
	}
	if err != nil {
		return err
	}
	if identified(card) {
		_, err := s.queue.Finish(ctx, s.db, claim)
		return err
	}
	if card.Identifiable() != nil {
		return s.postpone(ctx, claim)
	}
	photo, err := s.loadPhoto(ctx, card, nil)
	if err != nil {
		return err
	}
	photo.Background = true
	outcome, err := s.runChain(ctx, card.AccountID, photo)
	if errors.Is(err, ErrBusy) {
		_, err := s.queue.Requeue(ctx, s.db, claim, busyDelay)
		return err
	}
	if err != nil {
		return err
	}
	if outcome.isIncomplete() && claim.Attempts < maxAttempts {
		return fault.New(fault.UpstreamError, "an identification provider did not answer: %s", outcome.failure())
	}
	return s.finish(ctx, claim, outcome)
}

// finish saves the outcome if the claim is still valid and the card has not been identified since. It postpones a card
// that has been archived since.
func (s *Service) finish(ctx context.Context, claim queue.Claim, outcome Outcome) error {
	return s.end(ctx, claim, func(tx *postgres.Tx, stamp clock.Stamp) error {
		// The account's clock is locked, so the card does not change after this check.
		card, err := s.cards.Find(ctx, tx, claim.AccountID, claim.Key)
		switch {
		case err != nil || identified(card):
			return err
		case card.Identifiable() != nil:
			_, err = s.cards.AwaitIdentification(ctx, tx, stamp, card.ID)
		default:
			_, err = s.save(ctx, tx, stamp, card.ID, outcome)
		}
		return err
	})
}

// postpone makes a card that cannot be identified now wait until it can be.
func (s *Service) postpone(ctx context.Context, claim queue.Claim) error {
	return s.end(ctx, claim, func(tx *postgres.Tx, stamp clock.Stamp) error {
		_, err := s.cards.AwaitIdentification(ctx, tx, stamp, claim.Key)
		return err
	})
}

// end removes the row from the queue in the transaction that saves the outcome, if the claim is still valid.
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

// identified reports whether the owner has identified the card.
func identified(card cards.Card) bool {
	return card.Identification.Source != nil && *card.Identification.Source == cards.SourceManual
}

// isIncomplete reports whether another attempt may have a better outcome: nothing answered, or the processors were too
// busy for a provider of this process.
func (o Outcome) isIncomplete() bool {
	overran := slices.ContainsFunc(o.Attempts, func(a Attempt) bool { return a.Overran })
	return o.Accepted == nil && overran || o.unanswered() && o.refusal() == nil
}

// failure returns the message of the first attempt that failed, or an empty one.
func (o Outcome) failure() string {
	for _, a := range o.Attempts {
		if a.Err != nil {
			return a.Message
		}
	}
	return ""
}

// unanswered reports whether no provider responded.
func (o Outcome) unanswered() bool {
	for _, a := range o.Attempts {
		if a.Outcome != Failed && a.Outcome != TimedOut {
			return false
		}
	}
	return true
}
