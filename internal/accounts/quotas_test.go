package accounts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/quota"
)

// The metrics count accounts by state. They name no account.
func TestQuotaMetrics(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	defaults, err := quota.Parse("cards=10")
	if err != nil {
		t.Fatal(err)
	}
	s := New(db, clock.Clock{Now: clock.System.Now, Quotas: defaults})
	for _, has := range []struct {
		cards int
		own   string
	}{{0, ""}, {7, ""}, {8, ""}, {10, ""}, {12, ""}, {12, "cards=100"}, {12, "cards=0"}} {
		account, err := s.Create(ctx, "Ada", false)
		if err != nil {
			t.Fatal(err)
		}
		own, err := quota.Parse(has.own)
		if err == nil {
			err = s.SetQuotas(ctx, account.ID, own)
		}
		if err == nil {
			_, err = db.Exec(ctx, `UPDATE account_clock SET cards = $2 WHERE account_id = $1`, account.ID, has.cards)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	m := NewQuotaMetrics(db, defaults)
	if err := m.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m)
	families, err := registry.Gather()
	if err != nil || len(families) != 1 {
		t.Fatalf("got %v, %v", families, err)
	}
	got := map[string]float64{}
	for _, metric := range families[0].GetMetric() {
		var name []string
		for _, label := range metric.GetLabel() {
			name = append(name, label.GetValue())
		}
		got[strings.Join(name, " ")] = metric.GetGauge().GetValue()
	}
	want := map[string]float64{"cards low": 3, "cards near": 1, "cards full": 2}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("accounts by state (-want +got):\n%s", diff)
	}
}
