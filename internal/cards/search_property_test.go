package cards

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lib/pq"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// insertTitles inserts cards with titles for an account. searched are the texts of the titles in card_search.
const insertTitles = `
	WITH owned AS (
		SELECT $1 AS account_id, * FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS t (title, searched, n)),
	made AS (
		INSERT INTO cards (account_id, id, workflow_status, title, identification_status, ever_priced, archived,
			awaits_identification, photos, version, created_at, updated_at)
		SELECT account_id, 'card_' || lpad(n::text, 26, '0'), 'identified', title, 'identified', false, false, false,
			'[]', 1, timestamptz '2025-01-01' + n * interval '1 second', now()
		FROM owned)
	INSERT INTO card_search
	SELECT account_id, 'card_' || lpad(n::text, 26, '0'), searched, left(lower(title), 80) FROM owned`

// A search by an index of trigrams finds the cards that a search of all texts finds. The texts have letters of several
// scripts, letters whose lower case has another length, and characters with a meaning in patterns.
func TestLookup_FindsEveryCardThatContainsTheWords(t *testing.T) {
	t.Parallel()
	db, ctx := openFilled(t, 1, "current"), t.Context()
	letters := rapid.RuneFrom([]rune("abAB é ÉßæÆİıſΣσςリザードンざ火竜١٢12-/_%\\'’🦊\u0301"))
	titles := rapid.SliceOfN(rapid.StringOfN(letters, 1, 12, -1), 1, 8)
	tries := 0
	rapid.Check(t, func(t *rapid.T) {
		tries++
		own := titles.Draw(t, "titles")
		other := slices.Clone(own)
		slices.Reverse(other)
		account, neighbor := fmt.Sprintf("acc_%d_0000", tries), fmt.Sprintf("acc_%d_1_0000", tries)
		for account, titles := range map[string][]string{account: own, neighbor: other} {
			texts := slices.Clone(titles)
			if rapid.Bool().Draw(t, "folded") { // else written by a version that does not fold
				for i := range texts {
					texts[i] = searchText(texts[i])
				}
			}
			if _, err := db.Exec(ctx, insertTitles, account, pq.Array(titles), pq.Array(texts)); err != nil {
				t.Fatal(err)
			}
		}
		letters := []rune(rapid.SampledFrom(own).Draw(t, "from"))
		start := rapid.IntRange(0, len(letters)-1).Draw(t, "start")
		query := string(letters[start:rapid.IntRange(start+1, len(letters)).Draw(t, "end")])
		if rapid.Bool().Draw(t, "upper") {
			query = strings.ToUpper(query)
		}
		if blank.Is(query) {
			return // Filter.Check refuses it
		}
		s := newSearch(account, Filter{Query: &query}, nil, 50)
		if len(s.lookups) == 0 {
			return // the words are too short for the index
		}
		want, got := []string{}, []string{}
		condition, args := Filter{Query: &query}.predicates(account)[0].SQL, []any{account}
		for _, value := range (Filter{Query: &query}).predicates(account)[0].Values {
			args = append(args, value)
			condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(args)), 1)
		}
		statement := `SELECT id FROM cards WHERE account_id = $1 AND ` + condition + ` ORDER BY id DESC`
		if err := db.Select(ctx, &want, statement, args...); err != nil {
			t.Fatal(err)
		}
		err := db.Snapshot(ctx, func(q *postgres.Snapshot) error {
			ids, err := s.few(ctx, q)
			if err != nil {
				return err
			}
			slices.SortFunc(ids, func(a, b string) int { return strings.Compare(b, a) })
			if diff := gocmp.Diff(want, ids, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("cards that the index finds by %q (-want +got):\n%s", query, diff)
			}
			read, err := s.readCandidates(ctx, q, ids)
			for _, card := range read.Rows {
				got = append(got, card.ID)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("cards by %q (-want +got):\n%s", query, diff)
		}
	})
}

// A part without trigrams selects the account's cards, not those of all accounts.
func TestLookup_WithoutTrigramsStaysInTheAccount(t *testing.T) {
	t.Parallel()
	db, ctx := openFilled(t, 3, "current"), t.Context()
	by := lookup{texts: []text{{[]string{"🦊🦊🦊"}, []string{"%"}}}}
	var ids []string
	err := db.Snapshot(ctx, func(q *postgres.Snapshot) (err error) {
		ids, _, err = by.find(ctx, q, testAccount, 10_000)
		return err
	})
	if err != nil || len(ids) != 3 {
		t.Errorf("%d cards, %v, want the 3 of the account", len(ids), err)
	}
}

// created is a card as Service.Create and Restamp write it.
type created struct {
	id string
	at time.Time
}

// drawCreated draws the cards of writes of one account. The identifiers of the cards of a write have its time, and each
// created_at is a microsecond later. Some writes have a time in the future, and Restamp sets created_at of their cards.
func drawCreated(t *rapid.T) (all []created) {
	at := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	for range rapid.IntRange(1, 12).Draw(t, "writes") {
		stamped := at.Add(rapid.SampledFrom([]time.Duration{0, 0, 0, time.Minute}).Draw(t, "ahead"))
		next := id.Run(id.Card, stamped)
		for range rapid.IntRange(1, 5).Draw(t, "cards") {
			all = append(all, created{next(), at})
			at = at.Add(time.Microsecond)
		}
		at = at.Add(rapid.SampledFrom([]time.Duration{0, time.Millisecond, time.Second, time.Hour}).Draw(t, "pause"))
	}
	return all
}

// A page of the newest of some cards is right also if the cards are not in the order of their identifiers.
func TestCandidates_PageHasTheNewestCards(t *testing.T) {
	t.Parallel()
	db, ctx := openFilled(t, 1, "current"), t.Context()
	tries := 0
	rapid.Check(t, func(t *rapid.T) {
		tries++
		account, all := fmt.Sprintf("acc_%d", tries), drawCreated(t)
		found, times := make([]string, len(all)), make([]time.Time, len(all))
		for i, card := range all {
			found[i], times[i] = card.id, card.at
		}
		_, err := db.Exec(ctx, `
			INSERT INTO cards (account_id, id, workflow_status, identification_status, ever_priced, archived,
				awaits_identification, photos, version, created_at, updated_at)
			SELECT $1, id, 'imported', 'pending', false, false, false, '[]', 1, at, at
			FROM unnest($2::text[], $3::timestamptz[]) AS t (id, at)`, account, pq.Array(found), pq.Array(times))
		if err != nil {
			t.Fatal(err)
		}
		size := rapid.IntRange(1, 4).Draw(t, "size")
		s := newSearch(account, Filter{IDs: rapid.Permutation(found).Draw(t, "found")}, nil, size)
		read, err := s.run(ctx, db)
		if err != nil {
			t.Fatal(err)
		}
		want, got := slices.Clone(found), []string{}
		slices.Reverse(want)
		for _, card := range read.Rows {
			got = append(got, card.ID)
		}
		if diff := gocmp.Diff(want[:min(size+1, len(want))], got); diff != "" {
			t.Errorf("cards (-want +got):\n%s", diff)
		}
	})
}
