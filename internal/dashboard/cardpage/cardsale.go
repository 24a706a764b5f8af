package cardpage

import (
	"context"
	"net/http"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/lookup"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/sales"
)

// channels are the channels in the order in which a person sells without a marketplace.
func (h *Handlers) channels() []channel {
	list := []channel{{sales.InPerson, "in person"}}
	for _, name := range h.Sales.Channels() {
		if name != sales.InPerson {
			list = append(list, channel{name, format.Words(name)})
		}
	}
	return list
}

// loadSale reads the sale of a card that is sold.
func (h *Handlers) loadSale(ctx context.Context, p *cardPage) error {
	p.Sale.Channels, p.Sale.Unsold = h.channels(), lookup.Reason(p.Card.CheckSellable())
	if p.Card.SaleID == nil {
		return nil
	}
	sale, err := h.Sales.Get(ctx, p.account.ID, *p.Card.SaleID)
	p.Sale.Sale = &sale
	return err
}

// sellForm returns the form that records a sale at the asking price or another one.
func sellForm(card *cards.Card, currency string) *form.Form {
	return form.New(append(priceFields(card, currency), form.Field{Name: "channel", Kind: form.Choice})...)
}

// SellCard records a sale elsewhere than through the card's listing, which ends.
func (h *Handlers) SellCard(r *http.Request, card *cards.Card) (string, error) {
	f := sellForm(card, web.VisitOf(r).Account.Currency).Read(r.PostForm)
	price := f.Amount("price")
	if err := f.Err(); err != nil {
		return "", err
	}
	_, err := h.Sales.Sell(r.Context(), card.AccountID, card.ID,
		sales.SellInput{Channel: f.Value("channel"), Price: *price}, nil)
	return "sold", err
}
