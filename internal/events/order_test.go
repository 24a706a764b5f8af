package events_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// stored is what the tests of this file read of an event.
type stored struct {
	ID        string
	CreatedAt string `json:"created_at"`
	Data      struct{ Name string }
}

// recordCalls makes a write that calls Record or RecordDated for each of the calls, and returns its stamp. The number
// of a call's events is given for each change of the write.
func (w *world) recordCalls(c clock.Clock, calls [][]int, next func() events.Data) (written clock.Stamp) {
	w.t.Helper()
	recorder, ctx := events.NewRecorder(&w.out), w.t.Context()
	err := c.Write(ctx, w.db, w.account, func(tx *postgres.Tx, stamp clock.Stamp) error {
		written = stamp
		for _, changes := range calls {
			var dated []events.Dated
			for i, count := range changes {
				for range count {
					dated = append(dated, events.Dated{At: stamp.Offset(i).At, Data: next()})
				}
			}
			stamp.ExtendTo(tx, stamp.Offset(len(changes)-1).At)
			if err := recorder.RecordDated(ctx, tx, stamp, dated); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return written
}

// No two events of an account have the same time, whatever a write records. Their order is that of recording, and the
// next write comes after all of them, also on a machine whose clock stands still.
func TestRecorder_CreatedAtOrdersEvents(t *testing.T) {
	t.Parallel()
	for name, calls := range map[string][][]int{
		"two events of one change":              {{2}},
		"more events than usual":                {{40}},
		"more events than usual, several times": {{40}, {40}},
		"several calls for one change":          {{1}, {2}, {1}},
		"many changes":                          {{2, 0, 3, 1}},
		"many changes with many events":         {{2, 40, 40, 1, 0}},
		"calls that go back":                    {{2, 2, 2}, {2, 2}, {3}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 1)
			still := time.Now()
			stopped := clock.Clock{Now: func() time.Time { return still }}
			var names []string
			next := func() events.Data {
				names = append(names, fmt.Sprint(len(names)))
				return events.BatchCompleted{Name: names[len(names)-1]}
			}
			for range 3 {
				before := w.lastCreatedAt()
				if stamp := w.recordCalls(stopped, calls, next); timestamp.Format(stamp.At) <= before {
					t.Errorf("a write is at %s, want a time after the event of %s", timestamp.Format(stamp.At), before)
				}
			}
			var got []string
			previous := ""
			for _, e := range w.stored() {
				if e.CreatedAt <= previous {
					t.Errorf("event %s is at %s, the one before at %s", e.Data.Name, e.CreatedAt, previous)
				}
				if _, err := w.reader.Get(t.Context(), w.account, e.ID); err != nil {
					t.Errorf("event %s is not found by its identifier: %v", e.Data.Name, err)
				}
				got, previous = append(got, e.Data.Name), e.CreatedAt
			}
			if diff := cmp.Diff(names, got); diff != "" {
				t.Errorf("events by created_at (-want +got):\n%s", diff)
			}
		})
	}
}

// stored returns the account's events, oldest first.
func (w *world) stored() (list []stored) {
	w.t.Helper()
	since, p := time.Now().Add(-time.Hour), paging.Request{Limit: 200}
	for {
		found := w.list(events.Filter{CreatedSince: &since}, p)
		for _, body := range found.Data {
			var e stored
			if err := json.Unmarshal(body, &e); err != nil {
				w.t.Fatal(err)
			}
			list = append(list, e)
		}
		if found.NextCursor == nil {
			return list
		}
		p.Cursor = *found.NextCursor
	}
}

// lastCreatedAt returns the time of the account's last event, or "" if there is none.
func (w *world) lastCreatedAt() string {
	if list := w.stored(); len(list) > 0 {
		return list[len(list)-1].CreatedAt
	}
	return ""
}
