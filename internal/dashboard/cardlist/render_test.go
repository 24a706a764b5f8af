package cardlist

import (
	"fmt"
	"io"
	"net/url"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/cardquery"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/users"
)

// BenchmarkPages_Cards renders a page of cards, the largest page of the dashboard.
func BenchmarkPages_Cards(b *testing.B) {
	pages, err := web.ReadTemplates(fstest.MapFS{}, nil, Views)
	if err != nil {
		b.Fatal(err)
	}
	query := url.Values{"status": {"priced"}}
	columns, err := parseColumns(query)
	if err != nil {
		b.Fatal(err)
	}
	shown := make([]cards.Card, PerPage)
	for i := range shown {
		shown[i] = cards.Card{
			ID: fmt.Sprintf("card_%026d", i), Status: cards.Priced, Location: new("Room A/Shelf 2/Box 4/118"),
			UpdatedAt: time.Date(2026, 5, 12, 9, 0, 0, 0, time.UTC),
			Pricing: cards.Pricing{
				AskingPrice: &money.Money{Amount: 1250, Currency: "USD"},
				Cost:        &money.Money{Amount: 700, Currency: "USD"},
			},
			Identification: cards.Identification{Description: cards.Description{
				Title: new("Ember Fox VMAX"), Set: new("Dawn of Cinders"), Number: new("54/167"), Condition: new("NM"),
			}},
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		p := cardsPage{
			Query: query, Columns: columns, Views: savedViews(query, nil),
			Hidden: cardquery.Hidden(query), Save: viewForm(),
			Pager: list.Pager{Next: "/cards?cursor=x"},
		}
		for i := range shown {
			p.Rows = append(p.Rows, p.row(listedCard{Card: &shown[i]}, p.origin()+"7", "/photos/x?signature=y"))
		}
		v := web.View{Page: "cards", Title: "Cards", Path: "/cards", Visit: benchVisit, Reviews: "99+", Data: &p}
		if err := pages.Render(io.Discard, v); err != nil {
			b.Fatal(err)
		}
	}
}

// benchVisit is that of an owner of one account.
var benchVisit = &web.Visit{
	User: users.Login{User: users.User{Email: "ada@example.com"}}, Role: users.Owner,
	Account: accounts.Account{ID: "acc_1", Name: "Ada's cards"}, Accounts: make([]accounts.Account, 1),
}
