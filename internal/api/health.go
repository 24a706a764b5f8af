package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/pprof"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/cardvault/cardvault/internal/fault"
)

// Checks are the readiness checks by name, such as "database". A check returns an error if the process cannot serve
// requests.
type Checks map[string]func(ctx context.Context) error

// readyTimeout is how long the checks may take. Load balancers wait for a few seconds at most.
const readyTimeout = 2 * time.Second

// Admin returns the handler for operators: health, metrics, profiles. It must not be public.
func Admin(ready Checks, metrics prometheus.Gatherer) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", healthy)
	mux.Handle("GET /readyz", ready.handler())
	mux.Handle("GET /metrics", promhttp.HandlerFor(metrics, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// healthy responds that the process is running.
func healthy(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// handler runs the checks concurrently. The response names the checks that fail, with the messages of faults. Other
// errors are only logged.
func (c Checks) handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if failures := c.failing(ctx); len(failures) > 0 {
			body := map[string]any{"status": "unavailable", "failing": slices.Sorted(maps.Keys(failures))}
			if reasons := messages(failures); len(reasons) > 0 {
				body["reasons"] = reasons
			}
			w.Header().Set("Retry-After", "1")
			writeJSON(w, http.StatusServiceUnavailable, body)
			return
		}
		writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	})
}

// messages returns the messages that clients may see.
func messages(failures map[string]error) map[string]string {
	reasons := map[string]string{}
	for name, err := range failures {
		if f, ok := fault.As(err); ok {
			reasons[name] = f.Message
		}
	}
	return reasons
}

// failing runs the checks, logs the errors and returns them by name.
func (c Checks) failing(ctx context.Context) map[string]error {
	names := slices.Sorted(maps.Keys(c))
	errs := make([]error, len(names))
	var running sync.WaitGroup
	for i, name := range names {
		running.Go(func() { errs[i] = c[name](ctx) })
	}
	running.Wait()
	failures := map[string]error{}
	for i, name := range names {
		if errs[i] != nil {
			failures[name] = errs[i]
			stateOf(ctx).logger.LogAttrs(ctx, slog.LevelWarn, "not ready",
				slog.String("check", name), slog.Any("error", errs[i]))
		}
	}
	return failures
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // fails only if the client closed the connection
}
