package catalog

import (
	"context"
	"math/rand/v2"
	"testing"
)

// FindMany returns for random queries what Find returns for each.
func TestFindMany_EqualsFind(t *testing.T) {
	t.Parallel()
	s := searchable(t)
	random := rand.New(rand.NewPCG(3, 4))
	pick := func(values ...string) string { return values[random.IntN(len(values))] }
	queries := make([]Query, 60)
	for i := range queries {
		queries[i] = Query{
			Title:  pick("", "Ember Fox", "ember foxs", "Flabebe", "nothing", "★"),
			Set:    pick("", "", "FLT", "second dawn", "none"),
			Number: pick("", "", "8", "008/193", "TG5", "#"),
			Game:   pick("", "", "pokemon", "magic"),
		}
	}
	found, err := s.FindMany(context.Background(), queries, 3)
	if err != nil || len(found) != len(queries) {
		t.Fatalf("FindMany: got %d results, %v, want %d", len(found), err, len(queries))
	}
	hits := 0
	for i, q := range queries {
		want, err := s.Find(context.Background(), q, 3)
		if err != nil || ids(found[i]) != ids(want) {
			t.Errorf("%+v: got %q, want %q, %v", q, ids(found[i]), ids(want), err)
		}
		if hits += min(len(want), 1); q.Title == "" && q.Number == "" && len(want) > 0 {
			t.Errorf("%+v: got %q, want none for a query without title and number", q, ids(want))
		}
	}
	if hits < 10 {
		t.Errorf("%d of the queries found a card, want at least 10", hits)
	}
	if none, err := s.FindMany(context.Background(), nil, 3); err != nil || len(none) != 0 {
		t.Errorf("FindMany without queries: got %v, %v", none, err)
	}
}
