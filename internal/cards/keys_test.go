package cards_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// titled creates a card with a title, and a location, and returns its identifier.
func (i inventory) titled(t *testing.T, title, location string) string {
	t.Helper()
	return i.create(t, cards.Draft{Patch: cards.Patch{
		Title: cards.Set(title), Location: cards.Set(location), Set: cards.Set("Épée"),
	}}).ID
}

func TestList_SearchFolds(t *testing.T) {
	t.Parallel()
	i := setup(t)
	titles := []string{
		"Flabébé", norm.NFD.String("Ragavañ"), "ピカチュウ", "ﾘｻﾞｰﾄﾞﾝ", "Jötun Grunt", "Ætherling", "Farfetch’d", "Σίσυφος",
		"Große Straße", "Ｆｕｌｌ Ｗｉｄｔｈ", "Rock 'n' Roll", "Łódź", "Ho‑Oh", "Plain",
	}
	ids := map[string]string{}
	for _, title := range titles {
		ids[i.titled(t, title, "A")] = title
	}
	for query, want := range map[string]string{
		"flabebe": "Flabébé", norm.NFD.String("Flabébé"): "Flabébé", "FLABÉBÉ": "Flabébé", "ragavan": titles[1],
		"ragavañ": titles[1], "ぴかちゅう": "ピカチュウ", "ﾋﾟｶﾁｭｳ": "ピカチュウ", "リザードン": "ﾘｻﾞｰﾄﾞﾝ", "りざーどん": "ﾘｻﾞｰﾄﾞﾝ",
		"jotun": "Jötun Grunt", "grunt jotun": "Jötun Grunt", "aetherling": "Ætherling", "ÆTHER": "Ætherling",
		"farfetch'd": "Farfetch’d", "farfetchd": "Farfetch’d", "Farfetch’": "Farfetch’d", "ΣΊΣΥΦΟΣ": "Σίσυφος",
		"σισυφος": "Σίσυφος", "grosse strasse": "Große Straße", "STRASSE": "Große Straße", "STRAẞE": "Große Straße",
		"full": "Ｆｕｌｌ Ｗｉｄｔｈ", "ｐｌａｉｎ": "Plain", "n'": "Rock 'n' Roll", "lodz": "Łódź",
		"ho-oh": "Ho‑Oh", "jo": "Jötun Grunt",
	} {
		var got []string
		for _, cardID := range i.sorted(t, cards.Filter{Query: &query}) {
			got = append(got, ids[cardID])
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("q=%s (-want +got):\n%s", query, diff)
		}
	}
	for _, form := range []string{"Épée", norm.NFD.String("Épée")} {
		if got := i.sorted(t, cards.Filter{Set: &form}); len(got) != len(titles) {
			t.Errorf("set=%+q finds %d cards, want all", form, len(got))
		}
	}
}

func TestList_LocationInAnyNormalForm(t *testing.T) {
	t.Parallel()
	i := setup(t)
	want := []string{i.titled(t, "A", norm.NFD.String("Größe/Böx")), i.titled(t, "B", "Größe/Böx/1")}
	i.titled(t, "C", "Größe/Box")
	for _, location := range []string{"Größe/Böx", norm.NFD.String("Größe/Böx")} {
		if got := i.sorted(t, cards.Filter{Location: &location, Sort: "created_at"}); !slices.Equal(got, want) {
			t.Errorf("location=%+q finds %v, want %v", location, got, want)
		}
	}
}

// rename changes a card as a process of the version before 0051 does.
func (i inventory) rename(t *testing.T, cardID, title, location string) {
	t.Helper()
	for statement, args := range map[string][]any{
		`UPDATE cards SET title = $3, location = nullif($4, '') WHERE account_id = $1 AND id = $2`: {title, location},
		`INSERT INTO card_search (account_id, card_id, searched, title_key)
		SELECT account_id, id, concat_ws(E'\n', $3::text, number, set, sku, external_id), left(lower($3), 80)
		FROM cards WHERE account_id = $1 AND id = $2
		ON CONFLICT (account_id, card_id) DO UPDATE
		SET searched = excluded.searched, title_key = excluded.title_key`: {title},
	} {
		if _, err := i.db.Exec(t.Context(), statement, append([]any{i.account, cardID}, args...)...); err != nil {
			t.Fatal(err)
		}
	}
}

// Cards that a process of the version before writes are found and sorted at once, and the upkeep computes their keys.
func TestList_CardsOfTheVersionBefore(t *testing.T) {
	t.Parallel()
	i := setup(t)
	first, second, third := i.titled(t, "Z", "Box 30"), i.titled(t, "Ämber", "Box 10"), i.titled(t, "B", "Box 2")
	i.rename(t, first, "Äa", "")
	i.rename(t, third, "Ambér", "Box 9")
	check := func() {
		t.Helper()
		for by, want := range map[string][]string{
			"title": {first, third, second}, "-title": {second, third, first}, "location": {first, third, second},
		} {
			if diff := cmp.Diff(want, i.sorted(t, cards.Filter{Sort: by})); diff != "" {
				t.Errorf("by %s (-want +got):\n%s", by, diff)
			}
		}
		for _, query := range []string{"ambér", "amber"} {
			got := i.sorted(t, cards.Filter{Query: &query, Sort: "created_at"})
			if !slices.Equal(got, []string{second, third}) {
				t.Errorf("q=%s finds %v", query, got)
			}
		}
	}
	check()
	i.rename(t, second, "Amber Ö", "Box 010")
	i.complete(t)
	check()
	if n := i.count(t, `SELECT count(*) FROM card_search WHERE keyed IS NULL OR title_order IS NULL`); n != 0 {
		t.Errorf("%d cards have no keys", n)
	}
}

// complete runs the upkeep of the keys.
func (i inventory) complete(t *testing.T) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = i.cards.KeyUpkeep().Once(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// count returns the number that a statement selects.
func (i inventory) count(t *testing.T, statement string) (n int) {
	t.Helper()
	if err := i.db.Get(t.Context(), &n, statement); err != nil {
		t.Fatal(err)
	}
	return n
}

// While the keys of many cards are missing, a list has the order of before, and every card once. A cursor is valid only
// in the order that issued it, also one of the version before.
func TestList_WhileKeysAreMissing(t *testing.T) {
	t.Parallel()
	i := setup(t)
	drafts := make([]cards.Draft, 201)
	for n := range drafts {
		title := []string{"Box 10", "Box 2", "Äb"}[n%3]
		drafts[n].Patch = cards.Patch{Title: cards.Set(title), Location: cards.Set("A")}
	}
	made, err := i.cards.Create(t.Context(), i.account, drafts, nil)
	if err != nil {
		t.Fatal(err)
	}
	ids := make([]string, len(made))
	for n := range made {
		ids[n] = made[n].ID
	}
	first := func() *string {
		t.Helper()
		found, err := i.cards.List(t.Context(), i.account, cards.Filter{Sort: "title"}, paging.Request{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		return found.NextCursor
	}
	keyed := first()
	cursors, err := paging.NewCursors([]byte("a secret of thirty-two bytes ..."))
	if err != nil {
		t.Fatal(err)
	}
	before := cursors.Seal(`cards `+i.account+` {"Sort":"title"}`, paging.Position{ID: ids[0], Key: "box 10"})
	_, err = i.db.Exec(t.Context(), `UPDATE card_search SET keyed = NULL, title_order = NULL`) // as after the migration
	if err != nil {
		t.Fatal(err)
	}
	plain := first()
	refused := func(cursor *string) {
		t.Helper()
		_, err := i.cards.List(t.Context(), i.account, cards.Filter{Sort: "title"}, paging.Request{Cursor: *cursor})
		if !fault.Is(err, fault.InvalidCursor) {
			t.Errorf("a cursor of another order: %v, want invalid_cursor", err)
		}
	}
	refused(keyed)
	refused(&before)
	byTitle := func() (titles []string) {
		all := i.sorted(t, cards.Filter{Sort: "title"})
		if n := len(slices.Compact(slices.Sorted(slices.Values(all)))); n != len(ids) {
			t.Errorf("the list has %d of %d cards", n, len(ids))
		}
		for _, cardID := range all {
			titles = append(titles, *drafts[slices.Index(ids, cardID)].Title.Value())
		}
		return slices.Compact(titles)
	}
	if diff := cmp.Diff([]string{"Box 10", "Box 2", "Äb"}, byTitle()); diff != "" {
		t.Errorf("without keys (-want +got):\n%s", diff)
	}
	i.complete(t)
	refused(plain)
	refused(&before)
	if diff := cmp.Diff([]string{"Äb", "Box 2", "Box 10"}, byTitle()); diff != "" {
		t.Errorf("with keys (-want +got):\n%s", diff)
	}
}
