package delivery

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics holds the engine's metrics. Labels are classes and not endpoints, because the number of endpoints is not
// bounded. Only the endpoints with the most failures are named.
type metrics struct {
	attempts *prometheus.CounterVec
	results  *prometheus.CounterVec
	duration prometheus.Histogram
	latency  prometheus.Histogram
	claims   prometheus.Histogram
	oldest   prometheus.Gauge
	due      prometheus.Gauge
	queues   prometheus.Gauge
	failures failures
}

var outcomeNames = [...]string{outcomeDelivered: "delivered", outcomeRetried: "retried", outcomeDropped: "dropped",
	outcomeReleased: "released"}

func newMetrics() *metrics {
	seconds := prometheus.ExponentialBuckets(0.001, 2, 15) // 1 ms to 16 s
	return &metrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cardvault_webhook_attempts_total",
			Help: "Delivery attempts by class: success, status, timeout, connect, dns, tls, forbidden, …"},
			[]string{"class"}),
		results: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cardvault_webhook_results_total",
			Help: "Attempts by outcome: delivered, retried, dropped, released."},
			[]string{"state"}),
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "cardvault_webhook_attempt_seconds", Help: "Duration of an attempt.", Buckets: seconds}),
		latency: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "cardvault_webhook_first_attempt_latency_seconds",
			Help: "Time from when a delivery is due to the start of its first attempt.", Buckets: seconds}),
		claims: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "cardvault_webhook_claimed_deliveries", Help: "Deliveries per claim.",
			Buckets: []float64{0, 1, 2, 4, 8, 16, 32, 64, 128, 256}}),
		oldest: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "cardvault_webhook_oldest_due_seconds", Help: "Age of the oldest due delivery that is not leased."}),
		due: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "cardvault_webhook_due",
			Help: "Due deliveries that are not leased, counted up to 1000 per endpoint."}),
		queues: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "cardvault_webhook_endpoints_with_work",
			Help: "Endpoints with due deliveries to claim, as far as this process knows."}),
	}
}

// className returns the name of a class in metrics and spans.
func className(class string) string {
	if class == classSuccess {
		return "success"
	}
	return class
}

func (m *metrics) observe(r result) {
	switch r.class {
	case classSuccess, classCanceled: // not a failure of the endpoint
	default:
		m.failures.observe(r.job.key.Endpoint, time.Now())
	}
	m.attempts.WithLabelValues(className(r.class)).Inc()
	m.results.WithLabelValues(outcomeNames[r.outcome]).Inc()
	m.duration.Observe(r.duration.Seconds())
	if r.job.attempts == 0 {
		m.latency.Observe(r.started.Sub(r.job.dueAt).Seconds())
	}
}

func (m *metrics) observePoll(queues int, oldest time.Duration) {
	m.queues.Set(float64(queues))
	m.oldest.Set(oldest.Seconds())
}

func (m *metrics) claimed(n int) { m.claims.Observe(float64(n)) }

func (m *metrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.attempts, m.results, m.duration, m.latency, m.claims, m.oldest, m.due, m.queues}
}

var (
	inFlightDesc = prometheus.NewDesc("cardvault_webhook_in_flight", "Attempts in flight in this process.", nil, nil)
	heldDesc     = prometheus.NewDesc("cardvault_webhook_leased", "Deliveries that this process has leased.", nil, nil)
	failuresDesc = prometheus.NewDesc("cardvault_webhook_endpoint_failures",
		"Failed attempts of the last 5 to 10 minutes, for the ten endpoints with the most.", []string{"endpoint"}, nil)
)

// Describe implements prometheus.Collector.
func (e *Engine) Describe(descs chan<- *prometheus.Desc) {
	descs <- inFlightDesc
	descs <- heldDesc
	descs <- failuresDesc
	for _, c := range e.metrics.all() {
		c.Describe(descs)
	}
}

// Collect implements prometheus.Collector.
func (e *Engine) Collect(out chan<- prometheus.Metric) {
	e.mu.Lock()
	inFlight, leases := e.scheduler.inFlight, len(e.scheduler.leased)
	e.mu.Unlock()
	out <- prometheus.MustNewConstMetric(inFlightDesc, prometheus.GaugeValue, float64(inFlight))
	out <- prometheus.MustNewConstMetric(heldDesc, prometheus.GaugeValue, float64(leases))
	for _, f := range e.metrics.failures.top(time.Now()) {
		out <- prometheus.MustNewConstMetric(failuresDesc, prometheus.GaugeValue, float64(f.attempts), f.endpoint)
	}
	for _, c := range e.metrics.all() {
		c.Collect(out)
	}
}
