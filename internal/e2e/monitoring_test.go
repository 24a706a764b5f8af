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

// registeredMetrics returns the names of all metrics of a serving process.
func registeredMetrics(t *testing.T) map[string]bool {
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
	if _, err := a.Workers(parts, registry, app.AllWork); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Handler(parts, registry, api.Checks{}); err != nil {
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

// metricName matches the names of metrics of CardVault, and of those that every Go program has.
var metricName = regexp.MustCompile(`\b(?:cardvault|process|go)_[a-z_]+[a-z]\b`)

// TestMonitoring_Metrics checks that the alerts, the dashboard and the README name only metrics that exist, and that
// the README names all metrics of CardVault.
func TestMonitoring_Metrics(t *testing.T) {
	t.Parallel()
	names := registeredMetrics(t)
	for _, file := range []string{"alerts.yaml", "dashboard.json", "README.md"} {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile("../../scripts/monitoring/" + file)
			if err != nil {
				t.Fatal(err)
			}
			named := map[string]bool{}
			for _, name := range metricName.FindAllString(string(text), -1) {
				named[strings.TrimSuffix(name, "_bucket")] = true
			}
			if len(named) == 0 {
				t.Error("the file names no metric")
			}
			for name := range named {
				if !names[name] {
					t.Errorf("the file names %s, which does not exist", name)
				}
			}
			for name := range names {
				if file == "README.md" && strings.HasPrefix(name, "cardvault_") && !named[name] {
					t.Errorf("the file does not describe %s", name)
				}
			}
		})
	}
	if t.Failed() {
		t.Log("metrics: ", slices.Sorted(maps.Keys(names)))
	}
}

// TestMonitoring_Panels checks that every panel of the dashboard has an id of its own, a title and a query.
func TestMonitoring_Panels(t *testing.T) {
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
			t.Errorf("panel %d %q has no title or query, or the id of another one", p.ID, p.Title)
		}
		seen[p.ID] = true
	}
	if len(seen) == 0 {
		t.Error("the dashboard has no panels")
	}
}
