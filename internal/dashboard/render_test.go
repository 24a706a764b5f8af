package dashboard

import (
	"fmt"
	"io"
	"net/url"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
)

// BenchmarkPages_Cards renders a page of cards, the largest page of the dashboard.
func BenchmarkPages_Cards(b *testing.B) {
	pages, err := newPages()
	if err != nil {
		b.Fatal(err)
	}
	query := url.Values{"status": {"priced"}}
	columns, err := parseColumns(query)
	if err != nil {
		b.Fatal(err)
	}
	list := make([]cards.Card, cardsPerPage)
	for i := range list {
		list[i] = cards.Card{
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
			Query: query, Fields: filterFields, Columns: columns, Views: savedViews(query, nil), Actions: bulkActions,
			Hidden: filterValues(query), Next: "/cards?cursor=x",
		}
		for i := range list {
			p.Rows = append(p.Rows, p.row(listedCard{Card: &list[i]}, "7", "/photos/x?signature=y"))
		}
		if err := pages.render(io.Discard, view{Page: "cards", Title: "Cards", Path: "/cards", Data: p}); err != nil {
			b.Fatal(err)
		}
	}
}
