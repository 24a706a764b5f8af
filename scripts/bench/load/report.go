package main

import (
	"fmt"
	"io"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// table is the report: how the machine is, then a row for every figure.
type table struct {
	machine []string
	rows    []row
}

type row struct{ name, service, floor, ratio, aim, met string }

// add adds a figure that has an aim.
func (t *table) add(name, service, floor, ratio, aim string, met bool) {
	verdict := "**no**"
	if met {
		verdict = "yes"
	}
	t.rows = append(t.rows, row{name, service, floor, ratio, aim, verdict})
}

// note adds a figure without an aim.
func (t *table) note(name, service, floor, ratio string) {
	t.rows = append(t.rows, row{name, service, floor, ratio, "", ""})
}

// addOperation adds what was measured of an operation: the rate by the median of the rounds' ratios.
func (t *table) addOperation(o operation, service, floor sample, ratios []float64) {
	ratio := median(ratios)
	rate := func(s sample) string { return fmt.Sprintf("%.0f/s", median(s.rates)) }
	t.add(o.name, rate(service), rate(floor), times(ratio), "≥ "+times(o.aim), ratio >= o.aim)
	p50, p99 := measure.Percentile(service.took, 0.50), measure.Percentile(service.took, 0.99)
	t.add(o.name+": p50, p99", measure.Milliseconds(p50)+", "+measure.Milliseconds(p99),
		measure.Milliseconds(measure.Percentile(floor.took, 0.50))+", "+measure.Milliseconds(measure.Percentile(floor.took, 0.99)), "", "p99 ≤ 30 ms", p99 <= maxP99)
	t.note(o.name+": processor time per request, program + PostgreSQL", cost(service), cost(floor), times(service.total()/floor.total()))
}

func cost(s sample) string {
	program, database := s.perRequest()
	return fmt.Sprintf("%d + %d µs", program.Microseconds(), database.Microseconds())
}

func (t *table) print(out io.Writer) {
	for _, line := range t.machine {
		fmt.Fprintln(out, "-", line)
	}
	fmt.Fprintln(out, "\n| | service | floor | ratio | aim | met |\n|---|---|---|---|---|---|")
	for _, r := range t.rows {
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", r.name, r.service, r.floor, r.ratio, r.aim, r.met)
	}
}

func times(ratio float64) string     { return fmt.Sprintf("%.2f ×", ratio) }
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
func mebibytes(bytes int64) string   { return fmt.Sprintf("%d MiB", bytes>>20) }
