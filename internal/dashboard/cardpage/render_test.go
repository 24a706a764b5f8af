package cardpage

import (
	"fmt"
	"io"
	"testing"
	"testing/fstest"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/users"
)

// BenchmarkPages_Review renders the review of a card with three candidates.
func BenchmarkPages_Review(b *testing.B) {
	pages, err := web.ReadTemplates(fstest.MapFS{}, nil, Views)
	if err != nil {
		b.Fatal(err)
	}
	guesses := make([]candidate, 3)
	for i := range guesses {
		guesses[i] = newCandidate(identify.Candidate{
			CatalogID: fmt.Sprint("cat_", i), Title: "Ember Fox VMAX", Set: "Dawn of Cinders",
			Number: fmt.Sprint(i, "/167"), Year: new(2021),
		}, i)
	}
	markDifferences(guesses)
	p := &reviewPage{
		Card: &cards.Card{ID: "card_1", Status: cards.NeedsReview}, Conditions: cards.Conditions, Left: maxLeft,
		Form:  reviewChoice{}.form(),
		Photo: shownPhoto{Address: "/photos/x"}, Next: "/photos/y", Candidates: candidates{Attempt: "1", List: guesses},
	}
	b.ReportAllocs()
	for b.Loop() {
		v := web.View{Page: "review", Title: "Review", Path: "/review", Visit: benchVisit, Reviews: "99+", Data: p}
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
