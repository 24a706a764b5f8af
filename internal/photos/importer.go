package photos

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
	"github.com/cardvault/cardvault/internal/waiting"
	"github.com/cardvault/cardvault/internal/worker"
)

// maxFetchAttempts is the number of attempts to fetch a photo before it fails.
const maxFetchAttempts = 4

// fetchLease is longer than fetching (10 s), waiting (20 s), decoding (60 s) and storing a photo takes.
const fetchLease = 2 * time.Minute

// Background fetches the photos that cards refer to by URL, up to parallel at a time.
func (s *Service) Background(db *postgres.DB, fetches *queue.Queue, parallel int) worker.Loop {
	runner := &queue.Runner{
		Queue: fetches, DB: db, Parallel: parallel, Lease: fetchLease, Handle: s.fetchClaimed,
		Backoff: func(c queue.Claim, _ error) time.Duration { return fetchBackoff(c.Attempts) }, Reason: waitReason,
	}
	return runner.Loop("photo fetch")
}

// waitReason returns the code that tells the owner why an attempt to fetch a photo failed with err.
func waitReason(err error) waiting.Reason {
	switch {
	case fault.Is(err, fault.PhotoUnreachable):
		return waiting.PhotoSource
	case fault.Is(err, fault.RateLimited), fault.Is(err, fault.Unavailable): // other photos are being decoded
		return waiting.Busy
	}
	return waiting.Problem
}

// fetchClaimed fetches a claimed photo and stores the result in its card.
func (s *Service) fetchClaimed(ctx context.Context, claim queue.Claim) error {
	source, wanted, err := s.cards.FetchSource(ctx, claim)
	if err != nil || !wanted {
		return err
	}
	photo, err := s.fetchInto(ctx, claim, source.URL)
	if err != nil {
		return err
	}
	storing, cancel := context.WithTimeout(ctx, queue.StoreTime)
	defer cancel()
	used, err := s.cards.PhotoFetched(storing, claim, source.CardID, photo)
	if err == nil && !used {
		s.remove(ctx, claim.AccountID, &photo)
	}
	return err
}

// fetchInto fetches and stores a claimed photo. The returned photo is failed if the URL is forbidden, does not
// return a valid photo, or is unreachable in the last attempt. An error means that the fetch should be retried.
func (s *Service) fetchInto(ctx context.Context, claim queue.Claim, url string) (cards.Photo, error) {
	data, info, err := s.fetcher.Fetch(ctx, claim.AccountID, url)
	if f, ok := fault.As(err); ok && isFinal(f, claim.Attempts) {
		return cards.Photo{ID: claim.Key, Status: cards.PhotoFailed, Failure: f.Message}, nil
	}
	if err != nil {
		return cards.Photo{}, err
	}
	photo := record(claim.Key, info)
	return photo, s.store.Put(ctx, Key(claim.AccountID, photo.ID, photo.ContentType), photo.ContentType, data)
}

// isFinal reports whether another attempt would not change the error of a photo.
func isFinal(f *fault.Error, attempts int) bool {
	switch f.Code {
	case fault.PhotoInvalid, fault.PhotoForbidden:
		return true
	case fault.PhotoUnreachable:
		return attempts >= maxFetchAttempts
	}
	return false // the photos of other claims are being decoded
}

// fetchBackoff waits 5 s, 20 s, 80 s after the first, second, third attempt, and 80 s after further ones.
func fetchBackoff(attempt int) time.Duration {
	return 5 * time.Second << (2 * (min(attempt, maxFetchAttempts-1) - 1))
}
