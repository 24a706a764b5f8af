package main

import (
	"fmt"
	"io"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// table is the report: lines about the machine, then a row for each figure.
type table struct {
	machine []string
	rows    []row
}

type row struct{ name, service, other, ratio, aim, met string }

// add adds a figure that has an aim.
func (t *table) add(name, service, other, ratio, aim string, met bool) {
	verdict := "**no**"
	if met {
		verdict = "yes"
	}
	t.rows = append(t.rows, row{name, service, other, ratio, aim, verdict})
}

// note adds a figure without an aim.
func (t *table) note(name, service, other, ratio string) {
	t.rows = append(t.rows, row{name, service, other, ratio, "", ""})
}

// addOperation adds the measurements of an operation: of the service, the baseline and, if there is one, the earlier
// build.
func (t *table) addOperation(o operation, samples []sample) {
	service, baseline := samples[0], samples[1]
	ratio := service.ratio(baseline)
	t.add(o.name, service.rate(), baseline.rate(), times(ratio), "≥ "+times(o.aim), ratio >= o.aim)
	p99 := measure.Percentile(service.took, 0.99)
	t.add(o.name+": "+spreadNames, service.spread(), baseline.spread(), "", "p99 ≤ 30 ms", p99 <= maxP99)
	t.note(o.name+": processor time per request, program + PostgreSQL", cost(service), cost(baseline),
		times(service.total()/baseline.total()))
	if len(samples) > 2 {
		t.addBefore(o.name, o.leastBefore, service, samples[2])
	}
}

// addBefore adds the comparison of an operation with the earlier build.
func (t *table) addBefore(name string, aim float64, service, before sample) {
	ratio := service.ratio(before)
	t.add(name+", against the build before", service.rate(), before.rate(), times(ratio), "≥ "+times(aim), ratio >= aim)
	t.note(name+", against the build before: "+spreadNames, service.spread(), before.spread(), "")
	t.note(name+", against the build before: processor time", cost(service), cost(before),
		times(service.total()/before.total()))
}

const spreadNames = "p50, p99, p99.9, longest"

// spread is how the times of requests are spread, as spreadNames says.
func (s *sample) spread() string {
	text := ""
	for _, part := range []float64{0.50, 0.99, 0.999, 1} {
		text += ", " + measure.Milliseconds(measure.Percentile(s.took, part))
	}
	return text[2:]
}

func (s *sample) rate() string { return fmt.Sprintf("%.0f/s", measure.Median(s.rates)) }

func cost(s sample) string {
	program, database := s.perRequest()
	return fmt.Sprintf("%d + %d µs", program.Microseconds(), database.Microseconds())
}

func (t *table) print(out io.Writer) {
	for _, line := range t.machine {
		fmt.Fprintln(out, "-", line)
	}
	fmt.Fprintln(out, "\n| | service | baseline, or as named | ratio | aim | met |\n|---|---|---|---|---|---|")
	for _, r := range t.rows {
		fmt.Fprintf(out, "| %s | %s | %s | %s | %s | %s |\n", r.name, r.service, r.other, r.ratio, r.aim, r.met)
	}
}

func times(ratio float64) string     { return fmt.Sprintf("%.2f ×", ratio) }
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
func mebibytes(bytes int64) string   { return fmt.Sprintf("%d MiB", bytes>>20) }
