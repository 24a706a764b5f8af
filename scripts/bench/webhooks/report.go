package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// table is the report: lines about the machine, then a row for each figure.
type table struct {
	description []string
	rows        []row
}

type row struct{ name, engine, raw, aim, met string }

func (t *table) add(name, engine, raw, aim string, met bool) {
	verdict := "**no**"
	if met {
		verdict = "yes"
	}
	t.rows = append(t.rows, row{name, engine, raw, aim, verdict})
}

// addBursts adds bursts of one kind, by the medians of the rounds.
func (t *table) addBursts(name string, engine, raw []burst) {
	perSecond, cost := middle(engine, fastest).rate, middle(engine, cheapest).costs
	t.add(name+": until the last is delivered", fmt.Sprintf("%.0f/s", perSecond),
		fmt.Sprintf("%.0f/s", middle(raw, fastest).rate),
		fmt.Sprintf("≥ %d/s", minRate), perSecond >= minRate)
	t.add(name+": processor time per event", cost.String(), middle(raw, cheapest).costs.String(),
		"≤ "+precise(maxCost), cost.total() <= maxCost)
	again := 0
	for _, b := range engine {
		again += b.again
	}
	t.add(name+": delivered twice", fmt.Sprint(again), "", "0", again == 0)
}

// addYardstick adds a figure without an aim, for comparison.
func (t *table) addYardstick(name string, bursts []burst) {
	t.rows = append(t.rows, row{
		name:   "For comparison: " + name,
		engine: fmt.Sprintf("%.0f/s, %s", middle(bursts, fastest).rate, middle(bursts, cheapest).costs),
	})
}

func (t *table) addSteady(engine, raw []time.Duration) {
	p95 := measure.Percentile(engine, 0.95)
	t.add(fmt.Sprintf("%d events a second: p50, p95, p99 from commit to POST", steadyRate), spread(engine), spread(raw),
		"p95 ≤ "+measure.Milliseconds(steadyP95), p95 <= steadyP95)
}

func (t *table) addIsolation(name string, idle, beside []time.Duration) {
	before, after := measure.Percentile(idle, 0.95), measure.Percentile(beside, 0.95)
	ratio := after.Seconds() / before.Seconds()
	t.add("Another endpoint's p95, idle and beside "+name,
		fmt.Sprintf("%s, %s: %.2f ×", measure.Milliseconds(before), measure.Milliseconds(after), ratio), "",
		fmt.Sprintf("≤ %.0f ×", maxIsolation), ratio <= maxIsolation)
}

// addHanging adds the pairs, by the median of their ratios.
func (t *table) addHanging(pairs []pair) {
	ratios, texts := make([]float64, len(pairs)), make([]string, len(pairs))
	for i, p := range pairs {
		ratios[i], texts[i] = p.ratio(), fmt.Sprintf("%.2f", p.ratio())
	}
	ratio := measure.Median(ratios)
	name := fmt.Sprintf("Another endpoint's p95 beside %s, against ones that respond, %d pairs", hanging.name,
		len(pairs))
	t.add(name, fmt.Sprintf("median %.2f ×: %s", ratio, strings.Join(texts, ", ")), "",
		fmt.Sprintf("≤ %.1f ×", maxHanging), ratio <= maxHanging)
}

func (t *table) print(out io.Writer) {
	if len(t.rows) == 0 {
		return
	}
	for _, line := range t.description {
		fmt.Fprintln(out, "-", line)
	}
	fmt.Fprintln(out, "\n| | engine | raw | aim | met |\n|---|---|---|---|---|")
	for _, r := range t.rows {
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s |\n", r.name, r.engine, r.raw, r.aim, r.met)
	}
}

// String returns the sum and the processor times by process.
func (c costs) String() string {
	parts := ""
	for _, part := range []struct {
		name string
		used time.Duration
	}{{"publisher", c.publisher}, {"engine", c.engine}, {"PostgreSQL", c.database}, {"sink", c.sink}} {
		if part.used > 0 {
			parts += fmt.Sprintf(", %s %.3f", part.name, part.used.Seconds()*1e3)
		}
	}
	return precise(c.total()) + " (" + parts[min(2, len(parts)):] + ")"
}

func spread(took []time.Duration) string {
	return measure.Milliseconds(measure.Percentile(took, 0.50)) + ", " +
		measure.Milliseconds(measure.Percentile(took, 0.95)) + ", " +
		measure.Milliseconds(measure.Percentile(took, 0.99))
}

func precise(d time.Duration) string { return fmt.Sprintf("%.3f ms", d.Seconds()*1e3) }
