package processtest

import (
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/tracing/tracingtest"
)

// never is longer than any test, in OpenTelemetry's milliseconds: spans wait until the process stops.
const never = "3600000"

// A client's trace goes on in the request that it makes; the request names the event that it causes, and
// the event's delivery leads back to it. All of it is with the collector once the process has stopped.
func TestARequestItsEventAndItsDeliveryAreTraced(t *testing.T) {
	t.Parallel()
	collector := tracingtest.NewCollector(t)
	s := newSettings(t, pgtest.URL(t)).with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL, "OTEL_SERVICE_NAME", "vault", "OTEL_BSP_SCHEDULE_DELAY", never)
	owner := s.account(t)
	hook := owner.sink(nil)
	p := s.serve(t)
	p.logged("msg=tracing")
	c := owner.at(p)
	const trace = "0af7651916cd43dd8448eb211c80319c"
	completeABatch(t, c, trace)
	all := hook.gotAll(c)
	p.signal(syscall.SIGTERM)
	if code := p.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}

	request := collector.Await(t, "the request", func(s tracingtest.Span) bool { return s.Trace == trace && s.Kind == "server" })
	if request.Name != "POST /api/batches/{id}/complete" || request.Attributes["http.response.status_code"] != "200" ||
		request.Attributes["cardvault.account_id"] != owner.id || request.Resource["service.name"] != "vault" {
		t.Errorf("the request is %+v", request)
	}
	transaction := collector.Await(t, "the transaction", func(s tracingtest.Span) bool { return s.Name == "transaction" && s.Trace == trace })
	if transaction.Parent != request.ID {
		t.Errorf("the transaction is %+v", transaction)
	}
	if len(all) != 1 || len(request.Events) != 1 || request.Events[0].Attributes["cardvault.event_id"] != all[0].ID {
		t.Fatalf("the request names the events %+v, there are %+v", request.Events, all)
	}
	delivery := collector.Await(t, "the delivery", tracingtest.Named("webhook attempt"))
	if delivery.Attributes["cardvault.event_id"] != all[0].ID || delivery.Attributes["cardvault.class"] != "success" ||
		len(delivery.Links) != 1 || delivery.Links[0] != trace || delivery.Trace == trace {
		t.Errorf("the delivery is %+v", delivery)
	}
}

// completeABatch makes a batch and completes it as part of a client's trace.
func completeABatch(t *testing.T, c *client, trace string) {
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

// A process of workers traces what it does in the background, and deliveries that another one caused.
func TestAWorkerTracesItsDeliveries(t *testing.T) {
	t.Parallel()
	collector := tracingtest.NewCollector(t)
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	hook := owner.sink(nil)
	c := owner.at(s.serve(t, "--workers=false"))
	s.with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL, "OTEL_BSP_SCHEDULE_DELAY", "10").work(t)
	completeABatch(t, c, "0af7651916cd43dd8448eb211c80319c")
	all := hook.gotAll(c)
	delivery := collector.Await(t, "the delivery", tracingtest.Named("webhook attempt"))
	if len(all) != 1 || delivery.Attributes["cardvault.event_id"] != all[0].ID || len(delivery.Links) > 0 {
		t.Errorf("the delivery is %+v, the events %+v", delivery, all)
	}
}

// Nothing is sent unless a collector is named, nor where OpenTelemetry is switched off.
func TestNothingIsTracedUnasked(t *testing.T) {
	t.Parallel()
	collector := tracingtest.NewCollector(t)
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	for name, variables := range map[string]settings{
		"no collector": s.with("OTEL_TRACES_SAMPLER", "always_on"),
		"switched off": s.with("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL, "OTEL_SDK_DISABLED", "true"),
	} {
		p := variables.serve(t)
		completeABatch(t, owner.at(p), "0af7651916cd43dd8448eb211c80319c")
		p.signal(syscall.SIGTERM)
		if code := p.end(drainTime); code != 0 {
			t.Errorf("%s: exit code %d", name, code)
		}
		if strings.Contains(p.log.String(), "tracing") {
			t.Errorf("%s: the log tells of tracing:\n%s", name, p.log)
		}
	}
	if n := collector.Requests(); n > 0 {
		t.Errorf("the collector got %d requests", n)
	}
}

// flushTime is how long a stopping process waits for its collector at most.
const flushTime = 2 * time.Second

// A collector that hangs holds up neither requests nor deliveries nor the end of the process.
func TestACollectorThatHangs(t *testing.T) {
	t.Parallel()
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mute.Close() })
	s := newSettings(t, pgtest.URL(t)).with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+mute.Addr().String(),
		"OTEL_BSP_SCHEDULE_DELAY", "1", "OTEL_BSP_MAX_QUEUE_SIZE", "16", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "8")
	owner := s.account(t)
	hook := owner.sink(nil)
	p := s.serve(t)
	customers := newLoad(owner.at(p), 4)
	customers.wentWell(200) // far more spans than may wait
	customers.settle()
	owner.allDelivered(len(hook.gotAll(owner.at(p))))
	p.signal(syscall.SIGTERM)
	begun := time.Now()
	if code := p.end(drainTime); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if took := time.Since(begun); took > 4*flushTime { // the exporter waits ten seconds for each batch
		t.Errorf("the process took %v to stop", took)
	}
}

// A collector that refuses every batch is told of in one line, not in one for each.
func TestACollectorThatRefuses(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := closed.Addr().String()
	closed.Close()
	s := newSettings(t, pgtest.URL(t)).with("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+address, "OTEL_BSP_SCHEDULE_DELAY", "1")
	owner := s.account(t)
	p := s.serve(t)
	const complaint = "tracing does not work as it should"
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
		t.Errorf("%d complaints, want 1:\n%s", n, p.log)
	}
}
