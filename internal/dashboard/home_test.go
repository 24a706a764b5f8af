package dashboard

import (
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/sales"
)

func usd(amount int64) money.Money { return money.Money{Amount: amount, Currency: "USD"} }

func TestHome(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	b.want(b.get("/"), http.StatusOK, "Your inventory is empty")
	b.want(b.get("/"), http.StatusOK, "No sales in the last twelve weeks.")
	b.want(b.get("/"), http.StatusOK, "The first figures appear when a card has an asking price or a cost.")
	drafts := []cards.Draft{
		{Patch: cards.Patch{
			Title: cards.Set("Ember Fox"), AskingPrice: cards.Set(usd(124_050)), Cost: cards.Set(usd(100)),
		}},
		{Patch: cards.Patch{Title: cards.Set("<script>alert(1)</script>")}},
		{Patch: cards.Patch{Title: cards.Set("Free Bird"), AskingPrice: cards.Set(usd(250))}},
	}
	made, err := s.config.Cards.Create(t.Context(), s.account.ID, drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.wantSoon("/", "$1,243.00", `<span class="count">1</span> <span>to price</span></a>`, "The chart begins tomorrow.")
	_, err = s.db.Exec(t.Context(), `
		INSERT INTO stock_values SELECT $1, (now() AT TIME ZONE 'UTC')::date - 7, *, 0 FROM (VALUES ('', 3, 0, 0),
			('USD', 2, 98700, 4000)) AS v`, s.account.ID)
	if err != nil {
		t.Fatal(err)
	}
	b.wantSoon("/", `aria-label="Value of the stock in USD by day`,
		`<text class="amount" y="1em">$1,243.00</text>`, `<td class="figure">$987.00</td>`,
		`<td class="figure">$1,243.00</td>`)
	_, err = s.config.Sales.Sell(t.Context(), s.account.ID, made[2].ID, sales.SellInput{
		Channel: "in_person", Price: usd(240),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.wantSoon("/", `<span class="count">1</span> <span>sold today</span>`, "$2.40",
		"$1,240.50") // without the card that was sold
}
