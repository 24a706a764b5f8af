package webhooks

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
)

func (h *house) delivered(n int) func() bool {
	return func() bool {
		return h.count(`SELECT count(*) FROM deliveries_delivered`) == n && h.count(`SELECT count(*) FROM deliveries_pending`) == 0
	}
}

// Everything of one endpoint since a time is sent once more: delivered, dropped, and what waits for
// a retry; nothing older and nothing of another endpoint.
func TestReplayOfOneEndpoint(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	var status atomic.Int64
	status.Store(200)
	s := h.sink(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Load())) })
	other := h.sink(nil)
	e, _ := h.register(s.URL)
	h.register(other.URL)
	h.engine(Config{RetryDelays: []time.Duration{time.Hour}})
	h.record(3)
	eventually(t, "the old ones are delivered", h.delivered(6))
	since := h.clock.Time()
	h.record(4)
	eventually(t, "the new ones are delivered", h.delivered(14))
	must(t, h.endpoints.Disable(t.Context(), h.account, e.ID))
	h.record(2)
	eventually(t, "the other one's are delivered", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 16 })
	must(t, h.dropAll())
	must(t, h.endpoints.Enable(t.Context(), h.account, e.ID))
	status.Store(500)
	h.record(1)
	eventually(t, "one waits for its retry", func() bool { return h.count(`SELECT count(*) FROM deliveries_pending WHERE attempts = 1`) == 1 })
	status.Store(200)
	before, others := s.total.Load(), other.total.Load()

	var calls [][2]int
	n, err := h.deliveries.Replay(t.Context(), Replay{Account: h.account, Endpoint: e.ID, Since: since, Rate: 10,
		Progress: func(done, total int) { calls = append(calls, [2]int{done, total}) }})
	if err != nil || n != 7 {
		t.Fatalf("Replay = %d, %v", n, err)
	}
	if first, last := calls[0], calls[len(calls)-1]; len(calls) < 4 || first != [2]int{2, 7} || last != [2]int{7, 7} {
		t.Errorf("progress %v", calls)
	}
	eventually(t, "all are delivered", h.delivered(20))
	if n := s.total.Load() - before; n != 7 {
		t.Errorf("%d were sent", n)
	}
	if n := other.total.Load() - others; n != 0 {
		t.Errorf("%d went to the other endpoint", n)
	}
}

func TestReplayOfDroppedSinceATime(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s := h.sink(nil)
	shut, _ := h.register(s.URL + "/shut")
	h.register(s.URL + "/open")
	h.record(3)
	must(t, h.dropAll())
	between := h.clock.Time()
	h.record(dropBatch + 7)
	must(t, h.dropAll())
	must(t, h.endpoints.Disable(t.Context(), h.account, shut.ID))
	h.engine(Config{})
	n, err := h.deliveries.Replay(t.Context(), Replay{Account: h.account, Since: between, DroppedOnly: true, Rate: 10_000})
	if err != nil || n != 2*(dropBatch+7) {
		t.Fatalf("Replay = %d, %v", n, err)
	}
	if left := h.count(`SELECT count(*) FROM deliveries_dropped`); left != 6 {
		t.Errorf("%d left", left)
	}
	for range dropBatch + 7 {
		if got := s.next(t); got.path != "/open" {
			t.Fatalf("sent to %s", got.path)
		}
	}
	if n := h.count(`SELECT count(*) FROM deliveries_pending WHERE endpoint_id = $1`, shut.ID); n != dropBatch+7 {
		t.Errorf("%d wait for the disabled endpoint", n)
	}
}

// A replay to an endpoint that hangs queues one batch and waits, so that live events of the endpoint
// stand behind no more than that.
func TestReplayLeavesRoomForLiveEvents(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	release := make(chan struct{})
	s := h.sink(func(http.ResponseWriter, *http.Request) { <-release })
	e, _ := h.register(s.URL)
	h.record(100)
	must(t, h.dropAll())
	h.engine(Config{InFlightPerEndpoint: 2})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const rate = 50
	ended := make(chan error)
	rounds := make(chan int)
	go func() {
		_, err := h.deliveries.Replay(ctx, Replay{Account: h.account, Endpoint: e.ID, Rate: rate, Progress: func(done, _ int) { rounds <- done }})
		ended <- err
	}()
	for range 4 {
		if done := <-rounds; done != rate/replayBatches {
			t.Fatalf("%d queued for an endpoint that hangs", done)
		}
	}
	close(release)
	for running := true; running; {
		select {
		case <-rounds:
		case err := <-ended:
			must(t, err)
			running = false
		}
	}
	eventually(t, "all are delivered", h.delivered(100))
}

// A transaction that PostgreSQL gives up is run again from the start: the batch it was about is queued all the
// same.
func TestReplay_QueuesBatchOfRetriedTransaction(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	e, _ := h.register("http://127.0.0.1:9999/")
	h.record(20)
	must(t, h.dropAll())
	must(t, h.endpoints.Disable(t.Context(), h.account, e.ID)) // which has room for all
	h.failFirstCommit("deliveries_pending")
	n, err := h.deliveries.Replay(t.Context(), Replay{Account: h.account, Endpoint: e.ID, Rate: 50})
	if err != nil || n != 20 {
		t.Errorf("Replay = %d, %v, want 20", n, err)
	}
	if left := h.count(`SELECT count(*) FROM deliveries_dropped`); left != 0 {
		t.Errorf("%d deliveries were skipped", left)
	}
}

// failFirstCommit makes the first transaction that inserts into table fail to serialize when it commits.
func (h *house) failFirstCommit(table string) {
	h.t.Helper()
	for _, statement := range []string{
		`CREATE SEQUENCE commits`,
		`CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				IF nextval('commits') = 1 THEN RAISE 'injected' USING ERRCODE = 'serialization_failure'; END IF;
				RETURN NULL;
			END $$`,
		`CREATE CONSTRAINT TRIGGER fail_first AFTER INSERT ON ` + table + `
			DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_first()`,
	} {
		_, err := h.db.Exec(h.t.Context(), statement)
		must(h.t, err)
	}
}

func TestReplayCanBeEnded(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	e, _ := h.register("http://127.0.0.1:9999/")
	h.record(10)
	must(t, h.dropAll())
	ctx, cancel := context.WithCancel(t.Context())
	n, err := h.deliveries.Replay(ctx, Replay{Account: h.account, Endpoint: e.ID, Rate: 1, Progress: func(int, int) { cancel() }})
	if n != 1 || !errors.Is(err, context.Canceled) {
		t.Errorf("Replay = %d, %v", n, err)
	}
	if left := h.count(`SELECT count(*) FROM deliveries_dropped`); left != 9 {
		t.Errorf("%d left", left)
	}
}

func TestReplayRefusals(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	e, _ := h.register("http://127.0.0.1:9999/")
	if _, err := h.deliveries.Replay(t.Context(), Replay{Account: h.newAccount(), Endpoint: e.ID}); !fault.Is(err, fault.EndpointNotFound) {
		t.Errorf("another account's endpoint: %v", err)
	}
	if _, err := h.deliveries.Replay(t.Context(), Replay{Account: h.account, Rate: -1}); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("a negative rate: %v", err)
	}
}
