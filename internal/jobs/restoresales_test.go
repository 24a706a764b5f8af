package jobs

import (
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// sold sells cards and returns their sales.
func (s *shop) sold(t testing.TB, cardIDs ...string) (sold []sales.Sale) {
	t.Helper()
	for _, cardID := range cardIDs {
		sale, err := s.sales.Sell(t.Context(), s.account, cardID, sales.SellInput{
			Channel: "in_person", Price: money.Money{Amount: 500, Currency: "USD"},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		sold = append(sold, sale)
	}
	return sold
}

// A card whose sale was refunded or voided while it was deleted is not sold when it comes back.
func TestService_UndoDeleteOfReturnedCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 3)
	sold := s.sold(t, ids...)
	job := s.deleted(t, ids...)
	_, err := s.db.Exec(t.Context(), `UPDATE sales SET restocked_at = now(), status = 'refunded'
		WHERE account_id = $1 AND id = $2`, s.account, sold[0].ID) // as a marketplace reports it
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.sales.Void(t.Context(), s.account, sold[1].ID, nil, nil); err != nil {
		t.Fatal(err)
	}
	s.finish(t, s.undo(t, job))
	for i, how := range []string{"refunded", "voided"} {
		card := s.read(t, ids[i])
		if card.SaleID != nil || card.Status != cards.Priced || card.Version != 3 {
			t.Errorf("%s: got %+v, want a card that is priced and not sold", how, card)
		}
	}
	if kept := s.read(t, ids[2]); kept.SaleID == nil || kept.Status != cards.Sold {
		t.Errorf("got %+v, want a card that is sold", kept)
	}
}

// A refund cannot put a card back that is deleted, and says what can be done.
func TestService_RefundOfDeletedCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 1)
	sold := s.sold(t, ids...)
	job := s.deleted(t, ids...)
	_, err := s.sales.Refund(t.Context(), s.account, sold[0].ID, sales.RefundInput{Restock: true}, nil)
	if !fault.Is(err, fault.CardNotFound) || !strings.Contains(err.Error(), "undo the job") {
		t.Errorf("got %v, want card_not_found that names the undo", err)
	}
	s.finish(t, s.undo(t, job))
	if _, err := s.sales.Refund(t.Context(), s.account, sold[0].ID, sales.RefundInput{Restock: true}, nil); err != nil {
		t.Errorf("refund after the undo: %v", err)
	}
}
