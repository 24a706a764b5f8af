package accounts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/quota"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// quotaInterval is the time between two counts of the accounts near their quotas.
	quotaInterval = 5 * time.Minute
	// quotaPage is the number of accounts that are read at once.
	quotaPage = 5000
)

// The states of an account by a quota.
const (
	quotaLow  = "low"
	quotaNear = "near" // at least 80 percent are used
	quotaFull = "full"
)

// quotaStates are the numbers of accounts by quota and state.
type quotaStates map[quota.Kind]map[string]int

var accountsByQuota = prometheus.NewDesc("cardvault_quota_accounts",
	"Accounts with a quota by how much of it is used: low, near (80 percent) or full.", []string{"quota", "state"}, nil)

// QuotaMetrics counts the accounts that are near their quotas. It implements prometheus.Collector.
type QuotaMetrics struct {
	db       *postgres.DB
	defaults quota.Limits

	mu     sync.Mutex
	states quotaStates
}

// NewQuotaMetrics returns QuotaMetrics. defaults are the quotas of accounts without their own.
func NewQuotaMetrics(db *postgres.DB, defaults quota.Limits) *QuotaMetrics {
	return &QuotaMetrics{db: db, defaults: defaults}
}

// Loop returns the loop that counts.
func (m *QuotaMetrics) Loop() *worker.Periodic {
	return worker.NewPeriodic("quota metrics", quotaInterval, func(ctx context.Context) (bool, error) {
		return false, m.Refresh(ctx)
	})
}

// Refresh counts the accounts.
func (m *QuotaMetrics) Refresh(ctx context.Context) error {
	states := quotaStates{}
	for after := ""; ; {
		var rows []struct {
			AccountID string `db:"account_id"`
			usedRow
		}
		err := m.db.Select(ctx, &rows, `
			SELECT account_id, cards, card_bytes, photos, photo_bytes, endpoints, quotas FROM account_clock
			WHERE account_id > $1 ORDER BY account_id LIMIT $2`, after, quotaPage)
		if err != nil {
			return fmt.Errorf("count accounts by quota: %w", err)
		}
		for i := range rows {
			states.add(&rows[i].usedRow, m.defaults)
		}
		if len(rows) < quotaPage {
			break
		}
		after = rows[len(rows)-1].AccountID
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.states = states
	return nil
}

// add adds an account.
func (s quotaStates) add(row *usedRow, defaults quota.Limits) {
	limits := defaults
	if row.Quotas != "" {
		own, err := quota.Parse(row.Quotas)
		if err != nil {
			return
		}
		limits = own.Or(defaults)
	}
	for _, kind := range quota.Kinds[:quota.Endpoints.Index()+1] {
		limit, state := limits.Of(kind), quotaLow
		switch use := row.of(kind); {
		case limit == 0:
			continue
		case use >= limit:
			state = quotaFull
		case use >= limit/5*4:
			state = quotaNear
		}
		if s[kind] == nil {
			s[kind] = map[string]int{}
		}
		s[kind][state]++
	}
}

// Describe implements prometheus.Collector.
func (m *QuotaMetrics) Describe(out chan<- *prometheus.Desc) { out <- accountsByQuota }

// Collect implements prometheus.Collector.
func (m *QuotaMetrics) Collect(out chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for kind, states := range m.states {
		for _, state := range []string{quotaLow, quotaNear, quotaFull} {
			out <- prometheus.MustNewConstMetric(accountsByQuota, prometheus.GaugeValue, float64(states[state]),
				string(kind), state)
		}
	}
}
