package ebay

import (
	"context"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces"
	"github.com/cardvault/cardvault/internal/marketplaces/callbudget"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

// CheckOffer implements marketplaces.PictureHost.
func (s *seller) CheckOffer(ctx context.Context, o marketplaces.Offer) error {
	api, err := s.openFor(ctx, o)
	if err != nil {
		return err
	}
	return api.Check(o)
}

// UploadPicture implements marketplaces.PictureHost.
func (s *seller) UploadPicture(ctx context.Context, p marketplaces.Picture) (marketplaces.HostedPicture, error) {
	api, _, _, err := s.open(ctx, callbudget.Publishing)
	if err == nil {
		err = s.market.uploads.wait(ctx, s.accountID)
	}
	if err != nil {
		return marketplaces.HostedPicture{}, err
	}
	return api.CreateImage(ctx, p)
}

// uploadInterval is the time between two uploads of an account. It keeps one process below eBay's limit for each
// seller, 50 within 5 seconds. If several processes exceed it together, eBay's error 429 delays them.
const uploadInterval = wire.ImageRateSeconds * time.Second * 105 / 100 / wire.MaxImageRate

// pacer keeps an interval between the uploads of an account. The zero value is ready to use.
type pacer struct {
	mu   sync.Mutex
	next map[string]time.Time // when the next upload of an account may start; never long in the past
}

// wait waits until the account's next upload may start, or for the end of ctx.
func (p *pacer) wait(ctx context.Context, accountID string) error {
	timer := time.NewTimer(p.reserve(accountID, time.Now()))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// maxPaced is the number of accounts from which those that do not upload are forgotten.
const maxPaced = 1000

// reserve takes the account's next place and returns how long it is away.
func (p *pacer) reserve(accountID string, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == nil || len(p.next) >= maxPaced {
		kept := map[string]time.Time{}
		for account, at := range p.next {
			if at.After(now) {
				kept[account] = at
			}
		}
		p.next = kept
	}
	at := p.next[accountID]
	if at.Before(now) {
		at = now
	}
	p.next[accountID] = at.Add(uploadInterval)
	return at.Sub(now)
}
