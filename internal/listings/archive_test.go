package listings

import (
	"testing"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// archive archives the card of a listing.
func (s *shop) archive(l Listing) error {
	s.t.Helper()
	return s.Archive(s.t.Context(), s.account, l.CardID, nil)
}

// wantStatus checks the status of the card of a listing.
func (s *shop) wantStatus(l Listing, want cards.Status) {
	s.t.Helper()
	if got := s.cardOf(l).Status; got != want {
		s.t.Errorf("the card is %s, want %s", got, want)
	}
}

func TestService_ArchiveWithdrawsListing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	if err := s.archive(l); err != nil {
		t.Fatal(err)
	}
	s.want(l, Ending)
	s.wantStatus(l, cards.Listed)
	if err := s.archive(l); err != nil { // again, while the listing is ending
		t.Error(err)
	}
	s.processDue()
	if got, err := s.Get(t.Context(), s.account, l.ID); err != nil || got.Status != Ended {
		t.Errorf("listing: %+v, %v, want it ended", got, err)
	}
	s.wantStatus(l, cards.Archived)
	if n := s.atMarket("live"); n != 0 {
		t.Errorf("%d offers at the marketplace, want none", n)
	}
	if err := s.archive(l); err != nil { // without a listing
		t.Error(err)
	}
}

func TestService_ArchiveLosesAgainstSale(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.live()
	s.visit(l, "buy")
	if err := s.archive(l); err != nil {
		t.Fatal(err)
	}
	s.processDue()
	s.poll()
	s.wantStatus(l, cards.Sold)
	if err := s.archive(l); !fault.Is(err, fault.CardSold) {
		t.Errorf("archiving a sold card: %v, want card_sold", err)
	}
}

func TestService_ArchiveRefusesPublishingCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	l := s.publish()
	if err := s.archive(l); !fault.Is(err, fault.CardListed) {
		t.Errorf("got %v, want card_listed", err)
	}
	s.processed(l, Live)
	s.wantStatus(l, cards.Listed)
	unknown := Listing{CardID: "card_01k5w0q2m7t9c3r5v8x0z1b4d6"}
	if err := s.archive(unknown); !fault.Is(err, fault.CardNotFound) {
		t.Errorf("unknown card: %v, want card_not_found", err)
	}
}
