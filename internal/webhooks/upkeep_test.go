package webhooks

import (
	"testing"
	"time"
)

// A month passes day by day. Days are made ahead and dropped behind; a delivery whose endpoint was
// disabled all the time is still sent, byte for byte, when it is enabled.
func TestUpkeepOverAMonth(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	s := h.sink(nil)
	open, _ := h.register(s.URL + "/open")
	shut, _ := h.register(s.URL + "/shut")
	ctx := t.Context()
	u := upkeep{h.db, h.clock}
	must(t, u.run(ctx))
	must(t, h.endpoints.Disable(ctx, h.account, shut.ID))
	engine := h.engine(Config{})
	h.record(1)
	first := s.next(t)
	eventually(t, "stored", func() bool { return h.count(`SELECT count(*) FROM deliveries_delivered`) == 1 })
	if n := h.count(`SELECT (SELECT count(*) FROM events_default) + (SELECT count(*) FROM deliveries_delivered_default) + (SELECT count(*) FROM delivery_attempts_default)`); n != 0 {
		t.Errorf("%d rows outside their day", n)
	}
	begun := m.clock().Time()
	for day := 1; day <= 31; day++ {
		m.set(begun.AddDate(0, 0, day))
		must(t, u.run(ctx))
	}
	for _, table := range []string{"events", "deliveries_delivered", "delivery_attempts"} {
		if n := h.count(`SELECT count(*) FROM ` + table); n != 0 {
			t.Errorf("%d rows of %s kept", n, table)
		}
		if n := h.count(`SELECT count(*) FROM pg_inherits WHERE inhparent = $1::regclass`, table); n < 31+daysAhead || n > 33+daysAhead {
			t.Errorf("%d partitions of %s", n, table)
		}
	}
	must(t, h.endpoints.Enable(ctx, h.account, shut.ID))
	engine.Wake()
	if got := s.next(t); got.body != first.body || got.header.Get("X-Vault-Event") != "batch.completed" {
		t.Errorf("after a month: %s", got.body)
	}
	if list, _, err := h.deliveries.List(ctx, Filter{Account: h.account, Endpoint: open.ID}); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}

func TestDroppedDeliveriesGoAfterNinetyDays(t *testing.T) {
	t.Parallel()
	m := newManual()
	h := newHouse(t, m.clock())
	h.register("http://127.0.0.1:9999/")
	h.record(upkeepBatch + 5)
	must(t, h.dropAll())
	dropped := m.clock().Time()
	u := upkeep{h.db, h.clock}
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{keepDropped, upkeepBatch + 5}, {keepDropped + time.Microsecond, 0}} {
		m.set(dropped.Add(c.after))
		must(t, u.run(t.Context()))
		if n := h.count(`SELECT count(*) FROM deliveries_dropped`); n != c.want {
			t.Errorf("after %v: %d, want %d", c.after, n, c.want)
		}
	}
}
