package e2e

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/app"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// registered returns the names of every metric that a serving process has.
func registered(t *testing.T) map[string]bool {
	t.Helper()
	a, err := app.Open(t.Context(), settings(t, pgtest.URL(t)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	parts, err := a.Services(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	registry := app.NewRegistry()
	if _, err := a.Workers(parts, registry); err != nil {
		t.Fatal(err)
	}
	limiter, err := a.Limiter()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Handler(parts, registry, limiter, api.Checks{}); err != nil {
		t.Fatal(err)
	}
	descs := make(chan *prometheus.Desc)
	go func() {
		registry.Describe(descs)
		close(descs)
	}()
	names := map[string]bool{}
	fqName := regexp.MustCompile(`fqName: "([^"]+)"`)
	for desc := range descs {
		names[fqName.FindStringSubmatch(desc.String())[1]] = true
	}
	return names
}

// metricName finds names of metrics of ours, and of every Go program's that are told apart by their prefix.
var metricName = regexp.MustCompile(`\b(?:cardvault|process|go)_[a-z_]+[a-z]\b`)

// Alerts, dashboard and the table of metrics name metrics that exist, and the table names all of ours.
func TestMonitoringNamesMetricsThatExist(t *testing.T) {
	t.Parallel()
	names := registered(t)
	const folder = "../../scripts/monitoring/"
	for _, file := range []string{"alerts.yaml", "dashboard.json", "README.md"} {
		text, err := os.ReadFile(folder + file)
		if err != nil {
			t.Fatal(err)
		}
		named := map[string]bool{}
		for _, name := range metricName.FindAllString(string(text), -1) {
			named[strings.TrimSuffix(name, "_bucket")] = true
		}
		if len(named) == 0 {
			t.Errorf("%s names no metric", file)
		}
		for name := range named {
			if !names[name] {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
		}
		for name := range names {
			if file == "README.md" && strings.HasPrefix(name, "cardvault_") && !named[name] {
				t.Errorf("%s does not tell of %s", file, name)
			}
		}
	}
	if t.Failed() {
		t.Log("there are ", slices.Sorted(maps.Keys(names)))
	}
}

// Every panel of the dashboard asks the data source something.
func TestTheDashboardIsComplete(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../scripts/monitoring/dashboard.json")
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, p := range dashboard.Panels {
		if p.Title == "" || len(p.Targets) == 0 || p.Targets[0].Expr == "" || seen[p.ID] {
			t.Errorf("panel %d %q is empty or there twice", p.ID, p.Title)
		}
		seen[p.ID] = true
	}
	if len(seen) == 0 {
		t.Error("no panels")
	}
}
