package delivery

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/webhooks"
)

func TestFailures_TopIsLimitedAndRecent(t *testing.T) {
	t.Parallel()
	f := &failures{}
	now := time.Now()
	for i := range 30 {
		for range i + 1 {
			f.observe(fmt.Sprintf("whe_%02d", i), now)
		}
	}
	var worst []endpointFailures
	for i := range maxReportedEndpoints {
		worst = append(worst, endpointFailures{fmt.Sprintf("whe_%02d", 29-i), 30 - i})
	}
	wantTop := func(when string, at time.Time, want ...endpointFailures) {
		t.Helper()
		unexported := cmp.AllowUnexported(endpointFailures{})
		if diff := cmp.Diff(want, f.top(at), unexported, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("top %s (-want +got):\n%s", when, diff)
		}
	}
	wantTop("in the same window", now, worst...)
	later := now.Add(failureWindow)
	f.observe("whe_29", later)
	worst[0].attempts++
	wantTop("in the next window", later, worst...)
	wantTop("two windows later", later.Add(failureWindow), endpointFailures{"whe_29", 1})
	wantTop("long after", later.Add(9*failureWindow))
}

func TestFailures_ObserveIsBounded(t *testing.T) {
	t.Parallel()
	f := &failures{}
	now := time.Now()
	for i := range maxTrackedEndpoints + 5 {
		f.observe(fmt.Sprint(i), now)
	}
	if f.observe("1", now); len(f.current) != maxTrackedEndpoints || f.current["1"] != 2 {
		t.Errorf("%d endpoints tracked", len(f.current))
	}
}

// value returns a gauge of the engine by name and label value, or -1 if there is none.
func value(t *testing.T, e *Engine, name, label string) float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	must(t, registry.Register(e))
	families, err := registry.Gather()
	must(t, err)
	for _, family := range families {
		for _, m := range family.GetMetric() {
			got := ""
			for _, pair := range m.GetLabel() {
				got += pair.GetValue()
			}
			if family.GetName() == name && got == label {
				return m.GetGauge().GetValue()
			}
		}
	}
	return -1
}

func TestEngine_CollectsDueAndFailures(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(respondWith(500))
	broken, _ := env.register(s.URL)
	env.record(3)
	hanging := env.sink(neverRespond)
	slow, _ := env.register(hanging.URL)
	t.Cleanup(hanging.CloseClientConnections)
	disabled, _ := env.register(s.URL)
	must(t, env.endpoints.Disable(t.Context(), env.account, disabled.ID))
	env.record(40)
	e := env.engine(Config{InFlightPerEndpoint: 1, RetryDelays: []time.Duration{time.Hour}})
	eventually(t, "all attempts to fail", func() bool {
		return value(t, e, "cardvault_webhook_endpoint_failures", broken.ID) == 43
	})
	n, err := countDue(t.Context(), env.db, []webhooks.EndpointKey{{Account: env.account, Endpoint: broken.ID},
		{Account: env.account, Endpoint: slow.ID}})
	must(t, err)
	if n == 0 || n > 40 {
		t.Errorf("%d deliveries due, want 1 to 40", n)
	}
	if got := value(t, e, "cardvault_webhook_due", ""); got <= 0 || got > 83 {
		t.Errorf("the gauge is %v", got)
	}
	if got := value(t, e, "cardvault_webhook_endpoint_failures", slow.ID); got != -1 {
		t.Errorf("the hanging endpoint has %v failures, want none", got)
	}
}
