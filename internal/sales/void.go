package sales

import (
	"context"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Void marks a sale as recorded by mistake. The sale stays readable and counts in no report. The card comes back as
// with a refund that restocks it, unless it was deleted. A sale that is voided already stays as it is. Void fails with
// sale_at_marketplace for a sale that a marketplace reported, and with version_mismatch if match returns false.
func (s *Service) Void(ctx context.Context, accountID, saleID string, match Match, hook postgres.TxHook) (Sale, error) {
	return s.change(ctx, accountID, saleID, hook, func(tx *postgres.Tx, stamp clock.Stamp, sale *Sale) error {
		if sale.Status == Voided {
			return nil
		}
		if err := match.check(sale); err != nil {
			return err
		}
		restocked, err := sale.void(stamp.At)
		if err != nil {
			return err
		}
		return recordReturn(ctx, tx, stamp, s.cards, s.events, sale, restocked, sale.voided(restocked))
	})
}

// void voids the sale and reports whether the card comes back now.
func (s *Sale) void(now time.Time) (restocked bool, err error) {
	if err := s.checkOwn("It cannot be voided"); err != nil {
		return false, err
	}
	restocked = s.RestockedAt == nil
	if restocked {
		s.RestockedAt = &now
	}
	s.Status, s.VoidedAt = Voided, &now
	return restocked, nil
}

// checkNotVoided returns an error for a voided sale.
func (s *Sale) checkNotVoided() error {
	if s.Status == Voided {
		return fault.New(fault.SaleVoided, "This sale was voided and cannot be changed any more.")
	}
	return nil
}

// checkOwn returns an error for a sale that a marketplace reported. Its message begins with impossible, the action that
// is not possible. The order at the marketplace would stay, and the records would differ from the buyer's.
func (s *Sale) checkOwn(impossible string) error {
	if s.ListingID != nil {
		return fault.New(fault.SaleAtMarketplace,
			"The marketplace %s reported this sale. %s here: refund or cancel the order there, and the sale follows.",
			s.Channel, impossible)
	}
	return nil
}
