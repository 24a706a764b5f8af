package listings

import (
	"context"
	"errors"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/waiting"
)

// Waits reports whether the listing waits for the marketplace: to be live, revised or ended.
func (l Listing) Waits() bool {
	return l.Status == Publishing || l.Status == Ending || l.Status == Live && l.Revision.Status == RevisionPending
}

// Waiting returns why a listing waits for the marketplace, or nil if it does not, or listing_not_found. It waits since
// its last change.
func (s *Service) Waiting(ctx context.Context, accountID, listingID string) (*waiting.Waiting, error) {
	l, err := s.Get(ctx, accountID, listingID)
	if err != nil {
		return nil, err
	}
	return s.WaitingOf(ctx, l)
}

// WaitingOf is Waiting for a listing that was read before.
func (s *Service) WaitingOf(ctx context.Context, l Listing) (*waiting.Waiting, error) {
	if !l.Waits() {
		return nil, nil
	}
	w, err := s.work.Waiting(ctx, s.db, l.AccountID, l.ID)
	if w != nil {
		w.Since = l.UpdatedAt
	}
	return w, err
}

// waitReason returns the code that tells the seller why an attempt failed with err.
func waitReason(err error) waiting.Reason {
	_, disconnected := marketplaces.AsConnectionError(err)
	switch {
	case disconnected:
		return waiting.NotConnected
	case errors.Is(err, callbudget.ErrUsedUp):
		return waiting.CallLimit
	case fault.Is(err, fault.UpstreamError), errors.Is(err, errNotEnded):
		return waiting.Marketplace
	}
	return waiting.Problem
}
