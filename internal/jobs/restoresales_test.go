package jobs

import (
	"testing"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

// A card whose sale was returned while it was deleted is not sold when it comes back.
func TestService_UndoDeleteOfReturnedCard(t *testing.T) {
	t.Parallel()
	s := setup(t)
	ids := s.create(t, 2)
	var sold []sales.Sale
	for _, cardID := range ids {
		sale, err := s.sales.Sell(t.Context(), s.account, cardID, sales.SellInput{
			Channel: "in_person", Price: money.Money{Amount: 500, Currency: "USD"},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		sold = append(sold, sale)
	}
	job := s.deleted(t, ids...)
	_, err := s.db.Exec(t.Context(), `UPDATE sales SET restocked_at = now(), status = 'refunded'
		WHERE account_id = $1 AND id = $2`, s.account, sold[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	s.finish(t, s.undo(t, job))
	returned, kept := s.read(t, ids[0]), s.read(t, ids[1])
	if returned.SaleID != nil || returned.Status != cards.Priced || returned.Version != 3 {
		t.Errorf("got %+v, want a card that is priced and not sold", returned)
	}
	if kept.SaleID == nil || kept.Status != cards.Sold {
		t.Errorf("got %+v, want a card that is sold", kept)
	}
}
