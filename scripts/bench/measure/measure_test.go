package measure

import (
	"os"
	"strings"
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	t.Parallel()
	var took []time.Duration
	for i := range 100 {
		took = append(took, time.Duration(100-i))
	}
	for part, want := range map[float64]time.Duration{0: 1, 0.5: 51, 0.95: 96, 1: 100} {
		if got := Percentile(took, part); got != want {
			t.Errorf("Percentile(%v) = %v, want %v", part, got, want)
		}
	}
	if got := Percentile(nil, 0.5); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := Median(c.values); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestParseStat(t *testing.T) {
	t.Parallel()
	const line = "4242 (postgres: a) b) S 17 4242 4242 0 -1 4194560 1 2 3 4 250 50 700 300 20 0 1 0 5 6"
	got, err := parseStat(line)
	if want := (stat{parent: 17, used: 3 * time.Second, ended: 10 * time.Second}); err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for _, bad := range []string{"", "1 (a) S 1", strings.Replace(line, "250", "x", 1)} {
		if _, err := parseStat(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestThisProcess(t *testing.T) {
	t.Parallel()
	p := Process(os.Getpid())
	used, err := p.Used()
	if family, more := p.UsedByFamily(); err != nil || more != nil || family < used {
		t.Errorf("used %v and with the family %v; %v, %v", used, family, err, more)
	}
	if now, err := p.Memory("VmRSS"); err != nil || now < 1<<20 {
		t.Errorf("%d bytes, %v", now, err)
	}
	if _, err := p.Memory("VmNone"); err == nil {
		t.Error("a field that is not there was read")
	}
}

func TestPeak(t *testing.T) {
	t.Parallel()
	p := Peak{Name: "table", Spare: 100}
	for _, bytes := range []int64{300, 400, 200} {
		p.Note(bytes, false)
	}
	p.Note(600, true)
	p.Note(500, true)
	if err := p.Err(); err != nil {
		t.Error(err)
	}
	p.Note(601, true)
	if p.Err() == nil {
		t.Errorf("%v has not grown beyond its bound", &p)
	}
}
