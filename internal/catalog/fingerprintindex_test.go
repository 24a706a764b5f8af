package catalog

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// The tests compare the index with these statements, which search the tables.
const (
	nearestInSQL = `SELECT c.id, f.distance FROM (
			(SELECT f.card_id, bit_count(f.hash # $4::bit(512)) AS distance FROM catalog_fingerprints f
				WHERE cardinality($1::text[]) = 0
					OR f.card_id IN (SELECT c.id FROM catalog_cards c WHERE c.game = ANY($1::text[]))
				ORDER BY distance, f.card_id LIMIT $5)
			UNION
			(SELECT f.card_id, bit_count(f.hash # $4::bit(512)) AS distance FROM catalog_fingerprints f
				WHERE $2::text <> '' AND f.card_id IN (SELECT c.id FROM catalog_cards c
					WHERE (c.set_key = $2::text OR c.set_code_key = $2::text) AND ` + allowed + `)
				ORDER BY distance, f.card_id LIMIT $5)
		) AS f JOIN catalog_cards c ON c.id = f.card_id ORDER BY f.distance, ` + agreement + ` DESC, c.id`
	distancesInSQL = `SELECT card_id AS id, bit_count(hash # $1::bit(512)) AS distance FROM catalog_fingerprints
		WHERE card_id = ANY($2)`
)

// idDistance is a row of the statements.
type idDistance struct {
	ID       string `db:"id"`
	Distance int    `db:"distance"`
}

// pick returns one of the options.
func pick[T any](random *rand.Rand, options ...T) T { return options[random.IntN(len(options))] }

// randomFingerprint returns one of few hashes with up to two other bits, so that many distances are equal.
func randomFingerprint(random *rand.Rand) (hash [64]byte) {
	for i := range hash {
		hash[i] = byte(random.IntN(3)) * byte(i)
	}
	if random.IntN(10) > 0 {
		hash = [64]byte{63: byte(random.IntN(4))}
	}
	for range random.IntN(3) {
		hash[random.IntN(len(hash))] ^= 1 << random.IntN(8)
	}
	return hash
}

// importRandom imports cards of several games, sets and languages, most of them with fingerprints, and returns their
// identifiers. The order of the identifiers as bytes is not that of a language.
func importRandom(t *testing.T, s *Service, random *rand.Rand, count int) (cardIDs []string) {
	t.Helper()
	rows := "id,game,name,set,set_code,number,language\n"
	var prints []string
	for i := range count {
		id := fmt.Sprintf("%s%d", pick(random, "a", "B", "c-", "Ä", "_"), i)
		cardIDs = append(cardIDs, id)
		rows += fmt.Sprintf("%s,%s,Fox,%s,%s,1,%s\n", id, pick(random, "pokemon", "magic", "other"),
			pick(random, "Dawn", "First Light", "", "DSK"), pick(random, "", "DSK", "FLT", "dawn"),
			pick(random, "", "en", "ja", "pt-BR"))
		if random.IntN(10) > 0 {
			prints = append(prints, fmt.Sprintf(`%q: {"hash": "%x"}`, id, randomFingerprint(random)))
		}
	}
	mustImport(t, s, CSV, write(t, "cards.csv", rows), fmt.Sprintf("%d/%[1]d/0/0/0", count))
	text := "{" + strings.Join(prints, ",") + "}"
	mustImport(t, s, Fingerprints, write(t, "prints.json", text), fmt.Sprintf("%d/%[1]d/0/0/0", len(prints)))
	return cardIDs
}

func TestService_FingerprintsAsInSQL(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	s := New(db)
	random := rand.New(rand.NewPCG(3, 4))
	cardIDs := importRandom(t, s, random, 200)
	for range 100 {
		h := Hints{
			Game:     pick(random, "", "", "pokemon", "magic", "yugioh"),
			Games:    pick(random, nil, []string{"magic"}, []string{"other", "pokemon"}),
			Set:      pick(random, "", "dawn", "DSK", "flt", "first  LIGHT!", "★", "none"),
			Language: pick(random, "", "en", "EN-us", "pt", "ja"),
		}
		hash, limit := randomFingerprint(random), pick(random, 0, 1, 2, 12, 50, 1000)
		var want, got []idDistance
		if err := db.Select(t.Context(), &want, nearestInSQL, h.params(Bits(hash), limit)...); err != nil {
			t.Fatal(err)
		}
		matches, err := s.ByFingerprint(t.Context(), h, hash, limit)
		for _, m := range matches {
			got = append(got, idDistance{m.Card.ID, m.Distance})
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("ByFingerprint(%+v, limit %d) (-SQL +index): %v\n%s", h, limit, err, diff)
		}
		ids := append(slices.Clone(cardIDs[:random.IntN(len(cardIDs))]), "none", "")
		compareDistances(t, s, hash, ids)
	}
}

func compareDistances(t *testing.T, s *Service, hash [64]byte, ids []string) {
	t.Helper()
	var rows []idDistance
	if err := s.db.Select(t.Context(), &rows, distancesInSQL, Bits(hash), pq.Array(ids)); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for _, row := range rows {
		want[row.ID] = row.Distance
	}
	got, err := s.Distances(t.Context(), hash, ids)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatalf("Distances of %d cards (-SQL +index): %v\n%s", len(ids), err, diff)
	}
}
