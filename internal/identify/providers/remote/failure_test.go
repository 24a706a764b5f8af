package remote_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// testTimeout is the timeout of a call. No test waits for it.
const testTimeout = time.Minute

// expiring is a context whose deadline passes when the channel is closed.
type expiring struct {
	context.Context
	done chan struct{}
}

// Done implements context.Context.
func (e expiring) Done() <-chan struct{} { return e.done }

// Err implements context.Context.
func (e expiring) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// hijacked closes the connection after it has written a part of a response.
func hijacked(part string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(conn, part)
		_ = conn.Close()
	}
}

// huge sends more than a response may have: a valid beginning and spaces.
func huge(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	for range 64 {
		if _, err := io.WriteString(w, strings.Repeat(" ", 1<<16)); err != nil {
			return
		}
	}
}

// TestProvider_Failures checks what each failure of a company is to the account and to the operator. No failure is
// repeated, and none shows the key, the address or what the company responded.
func TestProvider_Failures(t *testing.T) {
	t.Parallel()
	const quoted = `{"error":{"message":"` + said + ` about ` + key + `","code":400,"status":"X"}}`
	half := hijacked("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"choices\":")
	limited, moved := answering(429, quoted, "Retry-After", "120"), answering(307, "", "Location", "/elsewhere")
	for name, tc := range map[string]struct {
		handler          http.HandlerFunc
		outcome, message string
		charged, opens   bool // whether the call is charged, and whether the breaker opens at once
	}{
		"no JSON":            {answering(200, "<html>"+said), "bad_answer", "malformed", true, false},
		"other JSON":         {answering(200, `{"x":"`+said+`"}`), "bad_answer", "no identification", true, false},
		"huge":               {huge, "bad_answer", "more than an identification", true, false},
		"half a body":        {half, "bad_answer", "incomplete", true, false},
		"connection cut":     {hijacked(""), "network", "could not be reached", true, false},
		"too many requests":  {limited, "rate_limited", "too many requests", false, true},
		"unavailable a time": {answering(503, quoted, "Retry-After", "60"), "rate_limited", "too many", false, true},
		"wrong key":          {answering(401, quoted), "unauthorized", "refused the key", false, true},
		"forbidden":          {answering(403, quoted), "unauthorized", "refused the key", false, true},
		"unknown model":      {answering(404, quoted), "refused", "refused the request (status 404)", false, false},
		"too large a photo":  {answering(413, quoted), "refused", "status 413", false, false},
		"down":               {answering(500, quoted), "unavailable", "does not work", false, false},
		"elsewhere":          {moved, "refused", "another address", false, false},
	} {
		for _, c := range companies {
			t.Run(name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				l := setup(t, c, tc.handler)
				tracer, spans := tracingtest.Record()
				out, err := l.chain.Run(tracer.With(t.Context()), small(t))
				if err != nil || out.Accepted != nil || len(out.Candidates) > 0 {
					t.Fatalf("Run: got %+v, %v, want a failed attempt", out, err)
				}
				attempt := out.Attempts[0]
				if attempt.Outcome != identify.Failed && attempt.Outcome != identify.TimedOut ||
					!strings.Contains(attempt.Message, tc.message) {
					t.Errorf("attempt: got %s %q, want a failure with %q", attempt.Outcome, attempt.Message, tc.message)
				}
				for _, span := range spans.All() {
					for _, value := range span.Attributes {
						attempt.Err = errors.Join(attempt.Err, errors.New(value))
					}
				}
				for _, secret := range []string{key, said, "127.0.0.1", "/v1"} {
					if strings.Contains(attempt.Err.Error()+attempt.Message, secret) {
						t.Errorf("the error or a span contains %q: %v", secret, attempt.Err)
					}
				}
				if n := l.requests.Load(); n != 1 {
					t.Errorf("%d requests were sent, want 1", n)
				}
				checkCounts(t, l, c.name, tc.outcome, tc.charged, tc.opens)
			})
		}
	}
}

// checkCounts checks the budget and the metrics after one call.
func checkCounts(t *testing.T, l *lab, company, outcome string, charged, open bool) {
	t.Helper()
	spent, err := l.budget.Today(t.Context(), account)
	if err != nil || (spent.Spent > 0) != charged {
		t.Errorf("spent: got %+v, %v, want charged %t", spent, err, charged)
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(l.metrics)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, family := range families {
		for _, m := range family.Metric {
			name := family.GetName()
			for _, label := range m.Label {
				name += " " + label.GetValue()
			}
			got[name] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	want := map[string]float64{
		"cardvault_identify_remote_breaker_open " + company:                0,
		"cardvault_identify_remote_calls_total " + outcome + " " + company: 1,
		"cardvault_identify_remote_cost_dollars_total " + company:          0,
		"cardvault_identify_remote_seconds " + company:                     0,
	}
	if open {
		want["cardvault_identify_remote_breaker_open "+company] = 1
	}
	if charged {
		want["cardvault_identify_remote_cost_dollars_total "+company] = 0.01
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// TestProvider_Timeout lets the deadline of a call pass while the company does not answer.
func TestProvider_Timeout(t *testing.T) {
	t.Parallel()
	for _, c := range companies {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			deadline := make(chan struct{})
			l := setup(t, c, func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				close(deadline)
				<-r.Context().Done()
			})
			_, err := l.provider.Identify(expiring{t.Context(), deadline}, small(t))
			if f, ok := fault.As(err); !ok || f.Message != c.name+" did not answer in time." {
				t.Errorf("Identify: got %v, want that the company did not answer in time", err)
			}
			checkCounts(t, l, c.name, "timeout", true, false)
		})
	}
}

// TestProvider_NotReached calls a port on which nothing listens.
func TestProvider_NotReached(t *testing.T) {
	t.Parallel()
	for _, c := range companies {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := setup(t, c, nil)
			l.provider.Client = c.open(t, "http://127.0.0.1:1")
			out, err := l.chain.Run(t.Context(), small(t))
			if err != nil || !strings.Contains(out.Attempts[0].Message, "could not be reached") {
				t.Errorf("Run: got %+v, %v, want that the company is not reached", out, err)
			}
			checkCounts(t, l, c.name, "network", false, false)
		})
	}
}

// TestProvider_BreakerKeepsRequestsAway calls a company that asks to be left alone, and one that fails five times.
func TestProvider_BreakerKeepsRequestsAway(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		handler http.HandlerFunc
		calls   int32
		wait    string // a pattern
	}{
		"too many requests": {answering(429, "{}", "Retry-After", "120"), 1, `again in (2m0s|1m\d+s)\.`},
		"down":              {answering(500, "{}"), 5, `again in \d+s\.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := setup(t, companies[2], tc.handler)
			var last identify.Attempt
			for range 7 {
				out, err := l.chain.Run(t.Context(), small(t))
				if err != nil {
					t.Fatal(err)
				}
				last = out.Attempts[0]
			}
			if n := l.requests.Load(); n != tc.calls || !regexp.MustCompile(tc.wait).MatchString(last.Message) {
				t.Errorf("got %d requests and the message %q, want %d and %s", n, last.Message, tc.calls, tc.wait)
			}
			spent, err := l.budget.Today(t.Context(), account)
			if err != nil || spent.Spent != 0 {
				t.Errorf("spent: got %+v, %v, want nothing", spent, err)
			}
		})
	}
}

// TestProvider_BudgetUsed identifies with a budget of a dollar and calls of 40 cents.
func TestProvider_BudgetUsed(t *testing.T) {
	t.Parallel()
	l := setup(t, companies[2], answering(http.StatusOK, response(t, "openai", "")))
	l.provider.Cost = 400_000
	for i := range 3 {
		out, err := l.chain.Run(t.Context(), small(t))
		if err != nil || (out.Accepted != nil) != (i < 2) {
			t.Fatalf("photo %d: got %+v, %v", i, out, err)
		}
		if want := "begins again at 00:00 UTC"; i == 2 &&
			(out.Attempts[0].Outcome != identify.Failed || !strings.Contains(out.Attempts[0].Message, want)) {
			t.Errorf("attempt: got %+v, want an error with %q", out.Attempts[0], want)
		}
	}
	if n := l.requests.Load(); n != 2 {
		t.Errorf("%d requests were sent, want 2", n)
	}
	other := small(t)
	other.AccountID = "acc_eve"
	if out, err := l.chain.Run(t.Context(), other); err != nil || out.Accepted == nil {
		t.Errorf("another account: got %+v, %v, want an identification", out, err)
	}
}
