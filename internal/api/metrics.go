package api

import (
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics counts and times requests. The number of label values is bounded: route templates, known methods and status
// classes.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
}

// buckets are seconds, from a cached read to the longest request.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}

func newMetrics(registry prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "cardvault_http_requests_total",
			Help: "Requests answered, by route template, method and status class.",
		}, []string{"route", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "cardvault_http_request_seconds", Help: "How long requests took.", Buckets: buckets,
		}, []string{"route", "method"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "cardvault_http_requests_in_flight", Help: "Requests that are being answered.",
		}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.seconds, m.inFlight} {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("register metrics: %w", err)
		}
	}
	return m, nil
}

// methods are the methods that appear in labels.
var methods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodOptions,
}

// classes are the labels of 1xx to 5xx.
var classes = [...]string{"1xx", "2xx", "3xx", "4xx", "5xx"}

func (m *metrics) observe(route string, status int, method string, took time.Duration) {
	if !slices.Contains(methods, method) {
		method = "other"
	}
	class := classes[min(max(status/100, 1), len(classes))-1]
	m.requests.WithLabelValues(route, method, class).Inc()
	m.seconds.WithLabelValues(route, method).Observe(took.Seconds())
}
