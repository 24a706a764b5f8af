package queue

import (
	"maps"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// measured returns the figures of a fresh measure as a scrape gets them, by queue.
func measured(t *testing.T, a *Ages) map[string]float64 {
	t.Helper()
	if err := a.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(a)
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		t.Fatalf("%v, %v", families, err)
	}
	ages := map[string]float64{}
	for _, m := range families[0].GetMetric() {
		ages[m.GetLabel()[0].GetValue()] = m.GetGauge().GetValue()
	}
	return ages
}

func TestAgesAreThoseOfTheLongestDue(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	now := time.Now().Truncate(time.Microsecond) // what PostgreSQL keeps
	c := clock.Clock{Now: func() time.Time { return now }}
	cards, fetches := New(c, "identifications", "card_id"), New(c, "photo_fetches", "photo_id")
	a := NewAges(db, cards, fetches)
	want := func(when string, identifications, photos time.Duration) {
		t.Helper()
		want := map[string]float64{"identifications": identifications.Seconds(), "photo_fetches": photos.Seconds()}
		if got := measured(t, a); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
	}
	want("without work", 0, 0)
	for account, due := range map[string]time.Duration{"acc_a": time.Minute, "acc_b": -time.Hour, "acc_c": -time.Minute} {
		err := db.InTx(ctx, func(tx *postgres.Tx) error {
			return cards.Enqueue(ctx, tx, account, now.Add(due), "card")
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want("with work", time.Hour, 0)
	if claims, err := cards.Claim(ctx, db, "acc_b", 1, time.Hour); err != nil || len(claims) != 1 {
		t.Fatalf("%v, %v", claims, err)
	}
	want("while the oldest is done", time.Minute, 0)
	now = now.Add(2 * time.Hour)
	want("when its lease has run out", 2*time.Hour+time.Minute, 0)
}
