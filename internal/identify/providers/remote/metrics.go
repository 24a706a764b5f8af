package remote

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/identify/spend"
)

// Metrics are the metrics of all remote providers of a process. It implements prometheus.Collector.
type Metrics struct {
	calls   *prometheus.CounterVec
	seconds *prometheus.HistogramVec
	cost    *prometheus.CounterVec

	mu        sync.Mutex
	providers []*Provider
}

// NewMetrics returns the metrics.
func NewMetrics() *Metrics {
	return &Metrics{
		calls: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cardvault_identify_remote_calls_total",
			Help: "Calls to remote identification providers by outcome: answered, bad_answer, declined, timeout, " +
				"network, rate_limited, unauthorized, refused, unavailable, canceled; or not made: breaker_open, " +
				"budget_used.",
		}, []string{"provider", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "cardvault_identify_remote_seconds", Help: "Duration of a call to a remote identification provider.",
			Buckets: []float64{.1, .25, .5, 1, 2, 4, 8, 16, 32},
		}, []string{"provider"}),
		cost: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cardvault_identify_remote_cost_dollars_total",
			Help: "Cost of the calls to remote identification providers, in US dollars.",
		}, []string{"provider"}),
	}
}

// add adds a provider, whose breaker is shown from then on.
func (m *Metrics) add(p *Provider) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.providers = append(m.providers, p)
}

func (m *Metrics) count(provider, outcome string) { m.calls.WithLabelValues(provider, outcome).Inc() }

func (m *Metrics) observe(provider, outcome string, took time.Duration, cost spend.Micros) {
	m.count(provider, outcome)
	m.seconds.WithLabelValues(provider).Observe(took.Seconds())
	m.cost.WithLabelValues(provider).Add(cost.Dollars())
}

var openDesc = prometheus.NewDesc("cardvault_identify_remote_breaker_open",
	"Whether a remote identification provider is not asked for a while, 0 or 1.", []string{"provider"}, nil)

// Describe implements prometheus.Collector.
func (m *Metrics) Describe(descs chan<- *prometheus.Desc) {
	descs <- openDesc
	m.calls.Describe(descs)
	m.seconds.Describe(descs)
	m.cost.Describe(descs)
}

// Collect implements prometheus.Collector.
func (m *Metrics) Collect(out chan<- prometheus.Metric) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range m.providers {
		open := 0.0
		if p.breaker.isOpen() {
			open = 1
		}
		out <- prometheus.MustNewConstMetric(openDesc, prometheus.GaugeValue, open, p.Name())
	}
	m.calls.Collect(out)
	m.seconds.Collect(out)
	m.cost.Collect(out)
}
