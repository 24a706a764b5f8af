package processtest

import (
	"io"
	"net/http"
	"strconv"
	"strings"
)

// metric returns the value of a series of the process's metrics, such as name{class="timeout"}, 0 if there is none yet.
func (p *server) metric(series string) float64 {
	p.t.Helper()
	response, err := http.Get("http://" + p.adminHost + "/metrics")
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	_, value, found := strings.Cut(string(text), "\n"+series+" ")
	if !found {
		return 0
	}
	value, _, _ = strings.Cut(value, "\n")
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		p.t.Fatalf("the metric %s is %q", series, value)
	}
	return n
}

// attempts returns the number of this process's attempts by class: "success", "status", "timeout", "connect"…
func (p *server) attempts(class string) int {
	p.t.Helper()
	return int(p.metric(`cardvault_webhook_attempts_total{class="` + class + `"}`))
}
