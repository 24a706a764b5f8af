package webhooks

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
)

// databaseURL is the address of the house's own database.
func (h *house) databaseURL() string {
	h.t.Helper()
	var name string
	must(h.t, h.db.Get(h.t.Context(), &name, `SELECT current_database()`))
	return strings.Replace(os.Getenv("CARDVAULT_TEST_DATABASE_URL"), "/cardvault?", "/"+name+"?", 1)
}

// TestNotificationsNameWhatIsDue has a process without an engine tell others of endpoints.
func TestNotificationsNameWhatIsDue(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	told := make(chan string, 1000)
	defer listen(h.databaseURL(), func(s string) { told <- s })()
	key := laneKey{h.account, "whe_a"}
	eventually(t, "told", func() bool {
		h.outbox.wakeLanes([]laneKey{key})
		select {
		case s := <-told:
			lanes, own := h.outbox.notifier.heard(s)
			return own && slices.Equal(lanes, []laneKey{key})
		default:
			return false
		}
	})
}

// TestAnotherProcessesEventsAreSentBeforeAPoll commits events where no engine runs, one after the other
// has been sent, for an engine that does not poll for an hour.
func TestAnotherProcessesEventsAreSentBeforeAPoll(t *testing.T) {
	t.Parallel()
	h := newHouse(t, clock.System)
	s := h.sink(nil)
	h.register(s.URL)
	here := NewOutbox(h.db, h.clock)
	h.engineOf(here, Config{ListenURL: h.databaseURL(), PollEvery: time.Hour})
	eventually(t, "the engine listens", func() bool {
		return h.count(`SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`) == 1
	})
	for range 20 {
		h.record(1)
		s.next(t)
	}
}

func TestWhatNotificationsSay(t *testing.T) {
	t.Parallel()
	one, two := laneKey{"acc_1", "whe_1"}, laneKey{"acc_2", "whe_2"}
	many := make([]laneKey, lanesTold+1)
	for i := range many {
		many[i] = laneKey{"acc_1", fmt.Sprint("whe_", i)}
	}
	for _, c := range []struct {
		name  string
		calls [][]laneKey
		want  []laneKey
	}{
		{"one", [][]laneKey{{one}}, []laneKey{one}},
		{"the same twice", [][]laneKey{{one}, {one}}, []laneKey{one}},
		{"two", [][]laneKey{{one}, {two}}, []laneKey{one, two}},
		{"all", [][]laneKey{{}}, nil},
		{"one and all", [][]laneKey{{one}, {}}, nil},
		{"too many", [][]laneKey{many}, nil},
		{"as many as fit", [][]laneKey{many[1:]}, many[1:]},
	} {
		n := newNotifier(nil)
		n.pending = true // nothing is sent
		for range 2 {    // what was told is forgotten
			for _, lanes := range c.calls {
				n.notify(lanes...)
			}
			told := n.collect()
			n.pending = true
			got, own := n.heard(told)
			if order := func(a, b laneKey) int { return strings.Compare(a.endpoint, b.endpoint) }; len(told) > 7999 || !own ||
				!slices.Equal(slices.SortedFunc(slices.Values(got), order), slices.SortedFunc(slices.Values(c.want), order)) {
				t.Errorf("%s: %q says %v", c.name, told, got)
			}
		}
	}
	if _, own := newNotifier(nil).heard(newNotifier(nil).collect()); own {
		t.Error("two processes take each other for themselves")
	}
}
