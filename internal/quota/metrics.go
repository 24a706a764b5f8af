package quota

import "github.com/prometheus/client_golang/prometheus"

var refusalsTotal = prometheus.NewDesc("cardvault_quota_refusals_total",
	"Changes that were refused because of a quota.", []string{"quota"}, nil)

// Metrics are the metrics of the process. It implements prometheus.Collector.
type Metrics struct{}

// Describe implements prometheus.Collector.
func (Metrics) Describe(out chan<- *prometheus.Desc) { out <- refusalsTotal }

// Collect implements prometheus.Collector.
func (Metrics) Collect(out chan<- prometheus.Metric) {
	for i, kind := range Kinds {
		out <- prometheus.MustNewConstMetric(refusalsTotal, prometheus.CounterValue, float64(refusals[i].Load()),
			string(kind))
	}
}
