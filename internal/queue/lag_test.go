package queue

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/queue/queuetest"
)

// measured measures the lag and returns the metric by queue.
func measured(t *testing.T, l *LagCollector) map[string]time.Duration {
	t.Helper()
	if err := l.measure(t.Context()); err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(l)
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		t.Fatalf("%v, %v", families, err)
	}
	lag := map[string]time.Duration{}
	for _, m := range families[0].GetMetric() {
		lag[m.GetLabel()[0].GetValue()] = time.Duration(m.GetGauge().GetValue() * float64(time.Second))
	}
	return lag
}

func TestLagCollector_MeasuresLongestDue(t *testing.T) {
	t.Parallel()
	db, q := pgtest.New(t), identifications()
	l := NewLagCollector(db, q, New("photo_fetches", "photo_id"))
	want := func(when string, want time.Duration) {
		t.Helper()
		got := measured(t, l)
		if lag := got["identifications"]; lag < want || lag > want+5*time.Minute {
			t.Errorf("%s: lag is %v, want about %v", when, lag, want)
		}
		if lag, ok := got["photo_fetches"]; !ok || lag != 0 {
			t.Errorf("%s: lag of photo fetches is %v, want 0", when, lag)
		}
	}
	if got := measured(t, l)["identifications"]; got != 0 {
		t.Errorf("lag without work: %v, want none", got)
	}
	enqueue(t, db, q, "acc_a", "card_a", "card_b")
	queuetest.Pass(t, db, 10*time.Hour)
	enqueue(t, db, q, "acc_b", "card_a")
	queuetest.Pass(t, db, time.Hour)
	want("with work", 11*time.Hour)
	claim(t, db, q, "acc_a", 1)
	want("with more due after the account's turn", 11*time.Hour)
	claim(t, db, q, "acc_a", 1)
	want("while the oldest are handled", time.Hour)
	queuetest.Pass(t, db, 2*time.Hour)
	want("when their leases have expired", 3*time.Hour)
}
