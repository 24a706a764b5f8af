package processtest

import (
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/netguard/netguardtest"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// never is a delay in milliseconds that is longer than any test: spans are exported when the process stops.
const never = "3600000"

// The span of a request continues the client's trace and names the event that the request causes. The span of the
// event's delivery links to that trace. The process exports all spans before it ends.
func TestTracing_RequestEventDelivery(t *testing.T) {
	t.Parallel()
	collector := tracingtest.NewCollector(t)
	s := newSettings(t, pgtest.URL(t)).with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL,
		"OTEL_SERVICE_NAME", "vault", "OTEL_BSP_SCHEDULE_DELAY", never)
	owner := s.account(t)
	hook := owner.sink(nil)
	p := s.serve(t)
	p.logged("msg=tracing")
	c := owner.at(p)
	const trace = "0af7651916cd43dd8448eb211c80319c"
	completeBatch(t, c, trace)
	all := hook.gotAll(c)
	p.signal(syscall.SIGTERM)
	if code := p.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}

	request := collector.Await(t, "the request", func(s tracingtest.Span) bool {
		return s.Trace == trace && s.Kind == "server"
	})
	if request.Name != "POST /api/batches/{id}/complete" || request.Attributes["http.response.status_code"] != "200" ||
		request.Attributes["cardvault.account_id"] != owner.id || request.Resource["service.name"] != "vault" {
		t.Errorf("the span of the request is %+v", request)
	}
	transaction := collector.Await(t, "the transaction", func(s tracingtest.Span) bool {
		return s.Name == "transaction" && s.Trace == trace
	})
	if transaction.Parent != request.ID {
		t.Errorf("the span of the transaction is %+v, want the parent %s", transaction, request.ID)
	}
	if len(all) != 1 || len(request.Events) != 1 || request.Events[0].Attributes["cardvault.event_id"] != all[0].ID {
		t.Fatalf("the span of the request names the events %+v, want %+v", request.Events, all)
	}
	delivery := collector.Await(t, "the delivery", tracingtest.Named("webhook attempt"))
	if delivery.Attributes["cardvault.event_id"] != all[0].ID || delivery.Attributes["cardvault.class"] != "success" ||
		len(delivery.Links) != 1 || delivery.Links[0] != trace || delivery.Trace == trace {
		t.Errorf("the span of the delivery is %+v", delivery)
	}
}

// completeBatch creates a batch and completes it in a client's trace.
func completeBatch(t *testing.T, c *client, trace string) {
	t.Helper()
	var made struct{ ID string }
	c.do("POST", "/batches", `{"name":"Spring fair"}`, http.StatusCreated, &made)
	r, err := http.NewRequest("POST", c.base+"/batches/"+made.ID+"/complete", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Traceparent", "00-"+trace+"-b7ad6b7169203331-01")
	response, err := c.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Fatalf("completing the batch: status %d", response.StatusCode)
	}
}

// A worker process traces the deliveries of events that another process caused.
func TestTracing_Worker(t *testing.T) {
	t.Parallel()
	collector := tracingtest.NewCollector(t)
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	hook := owner.sink(nil)
	c := owner.at(s.serve(t, "--workers=false"))
	s.with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL, "OTEL_BSP_SCHEDULE_DELAY", "10").work(t)
	completeBatch(t, c, "0af7651916cd43dd8448eb211c80319c")
	all := hook.gotAll(c)
	delivery := collector.Await(t, "the delivery", tracingtest.Named("webhook attempt"))
	if len(all) != 1 || delivery.Attributes["cardvault.event_id"] != all[0].ID || len(delivery.Links) > 0 {
		t.Errorf("the span of the delivery is %+v, the events are %+v", delivery, all)
	}
}

// The process exports nothing without the address of a collector, or if OpenTelemetry is disabled.
func TestTracing_Off(t *testing.T) {
	t.Parallel()
	collector := tracingtest.NewCollector(t)
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	for name, variables := range map[string]settings{
		"no collector": s.with("OTEL_TRACES_SAMPLER", "always_on"),
		"disabled":     s.with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL, "OTEL_SDK_DISABLED", "true"),
	} {
		t.Run(name, func(t *testing.T) {
			p := variables.serve(t)
			completeBatch(t, owner.at(p), "0af7651916cd43dd8448eb211c80319c")
			p.signal(syscall.SIGTERM)
			if code := p.end(drainTime); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if strings.Contains(p.log.String(), "tracing") {
				t.Errorf("the log mentions tracing:\n%s", p.log)
			}
		})
	}
	if n := collector.Requests(); n > 0 {
		t.Errorf("the collector got %d requests, want none", n)
	}
}

// flushTime bounds how long a stopping process waits for its collector.
const flushTime = 2 * time.Second

// A collector that does not respond delays neither requests nor deliveries nor the end of the process.
func TestTracing_CollectorHangs(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	s := newSettings(t, pgtest.URL(t)).with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+silent.Addr().String(),
		"OTEL_BSP_SCHEDULE_DELAY", "1", "OTEL_BSP_MAX_QUEUE_SIZE", "16", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8")
	owner := s.account(t)
	hook := owner.sink(nil)
	p := s.serve(t)
	customers := newLoad(owner.at(p), 4)
	customers.awaitRounds(200) // many more spans than the queue holds
	customers.finish()
	owner.allDelivered(len(hook.gotAll(owner.at(p))))
	p.signal(syscall.SIGTERM)
	begun := time.Now()
	if code := p.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if took := time.Since(begun); took > 4*flushTime { // the exporter's timeout is 10 s for each batch
		t.Errorf("the process took %v to stop", took)
	}
}

// If the collector refuses connections, the process logs that once, not for each batch.
func TestTracing_CollectorRefuses(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+netguardtest.RefusingAddress(t),
		"OTEL_BSP_SCHEDULE_DELAY", "1")
	owner := s.account(t)
	p := s.serve(t)
	const complaint = "tracing failed"
	owner.at(p).create(1)
	p.logged(complaint)
	for range 20 {
		owner.at(p).create(1)
	}
	p.signal(syscall.SIGTERM)
	if code := p.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if n := strings.Count(p.log.String(), complaint); n != 1 {
		t.Errorf("%d log messages about the collector, want 1:\n%s", n, p.log)
	}
}
