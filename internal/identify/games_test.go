package identify_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/identify/learned"
)

// unsure has candidates of two games and of an unknown one, none of which is accepted.
var unsure = answer{candidates: []identify.Candidate{
	{Title: "Fox", Game: "pokemon", Confidence: 0.7}, {Title: "Newt", Game: "magic", Confidence: 0.6},
	{Title: "Owl", Confidence: 0.5}, {Title: "Hare", Game: "magic", Confidence: 0.4},
}}

// candidates identifies a photo and returns the hints and the titles of the candidates.
func (w *world) candidates(hints catalog.Hints) (asked catalog.Hints, titles string) {
	w.t.Helper()
	got := make(chan catalog.Hints, 1)
	go func() {
		got <- <-w.asked
		w.answer <- answer{candidates: append([]identify.Candidate(nil), unsure.candidates...)}
	}()
	outcome, err := w.service.Photo(w.t.Context(), w.account, "https://example.com/photo.jpg", hints)
	if err != nil {
		w.t.Fatal(err)
	}
	var list []string
	for _, c := range outcome.Candidates {
		list = append(list, c.Title)
	}
	return <-got, strings.Join(list, " ")
}

func (w *world) want(hints catalog.Hints, asked catalog.Hints, titles string) {
	w.t.Helper()
	gotAsked, gotTitles := w.candidates(hints)
	if diff := cmp.Diff(asked, gotAsked); diff != "" {
		w.t.Errorf("hints of the provider (-want +got):\n%s", diff)
	}
	if gotTitles != titles {
		w.t.Errorf("candidates: got %q, want %q", gotTitles, titles)
	}
}

// choose chooses the games of the account.
func (w *world) choose(games ...string) {
	w.t.Helper()
	allowed := accounts.Identification{Games: cards.Games}
	w.accounts.UseIdentification(allowed, allowed)
	_, err := w.accounts.Update(w.t.Context(), w.account, func(c *accounts.Change) { c.Preferences.Games = games })
	if err != nil {
		w.t.Fatal(err)
	}
}

func TestGames_Chosen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.want(catalog.Hints{}, catalog.Hints{}, "Fox Newt Owl Hare")
	w.choose("magic", "yugioh")
	w.want(catalog.Hints{}, catalog.Hints{Games: []string{"magic", "yugioh"}}, "Newt Owl Hare")
	pokemon := catalog.Hints{Game: "pokemon"}
	w.want(pokemon, pokemon, "Fox Owl")
}

// An account that has chosen no games gets the candidates of its stock's games first.
func TestGames_OfStock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	drafts := make([]cards.Draft, 40)
	for i := range drafts {
		drafts[i].Patch = cards.Patch{Title: cards.Set("Hare"), Game: cards.Set("magic")}
	}
	drafts[0].Game, drafts[1].Game = cards.Set("pokemon"), cards.Set("other") // a mistake, and an unknown game
	if _, err := w.cards.Create(t.Context(), w.account, drafts, nil); err != nil {
		t.Fatal(err)
	}
	w.want(catalog.Hints{}, catalog.Hints{}, "Newt Owl Hare Fox")
	pokemon := catalog.Hints{Game: "pokemon"}
	w.want(pokemon, pokemon, "Fox Owl")
	// The games are kept for a while, so more cards change nothing yet.
	for i := range drafts {
		drafts[i].Game = cards.Set("pokemon")
	}
	if _, err := w.cards.Create(t.Context(), w.account, drafts, nil); err != nil {
		t.Fatal(err)
	}
	w.want(catalog.Hints{}, catalog.Hints{}, "Newt Owl Hare Fox")
	games, err := w.cards.StockGames(t.Context(), w.account)
	if diff := cmp.Diff([]string{"magic", "pokemon"}, games); err != nil || diff != "" {
		t.Errorf("games of the stock (-want +got): %v\n%s", err, diff)
	}
	w.choose("pokemon") // chosen games count before those of the stock
	w.want(catalog.Hints{}, catalog.Hints{Games: []string{"pokemon"}}, "Fox Owl")
}

// A search of a provider uses what the account of the photo has confirmed.
func TestService_SearchesLearnedFingerprints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, statement := range []string{
		`INSERT INTO catalog_cards (id, game, name, set, set_code, number, printed_total, year, illustrator, hp,
			language, rarity, variant, text, name_key, set_key, set_code_key, number_key, words)
		VALUES ('ember-1', 'magic', 'Fox', '', '', '1', 0, 0, '', 0, '', '', '', '', 'fox', '', '', '1', '{}')`,
		`UPDATE catalog_version SET version = version + 1`,
		fmt.Sprintf(`INSERT INTO learned_fingerprints
			VALUES ('%s', 'card_1', 'ember-1', 'pho_1', repeat('0', 512)::bit(512), now())`, w.account),
	} {
		if _, err := w.db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	catalogue := learned.NewCatalogue(catalog.New(w.db), w.db, false)
	found := make(chan string, 1)
	w.search = func(ctx context.Context) {
		matches, err := catalogue.ByFingerprint(ctx, catalog.Hints{}, [64]byte{}, 5)
		found <- fmt.Sprint(len(matches), err)
	}
	for _, want := range []string{"1 <nil>", "0 <nil>"} {
		w.candidates(catalog.Hints{})
		if got := <-found; got != want {
			t.Errorf("matches: got %q, want %q", got, want)
		}
		other, err := w.accounts.Create(t.Context(), "Other", false)
		if err != nil {
			t.Fatal(err)
		}
		w.account = other.ID
	}
}
