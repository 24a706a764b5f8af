package delivery

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/webhooks"
)

func (env *testEnv) log() *webhooks.Log {
	env.t.Helper()
	cursors, err := paging.NewCursors(make([]byte, 32))
	must(env.t, err)
	return webhooks.NewLog(env.db, cursors)
}

// deliverAll marks all pending deliveries as delivered.
func (env *testEnv) deliverAll(at time.Time) {
	env.t.Helper()
	_, err := env.db.Exec(env.t.Context(), `
		WITH gone AS (DELETE FROM deliveries_pending
		  RETURNING account_id, id, endpoint_id, event_id, event_created_at)
		INSERT INTO deliveries_delivered (account_id, id, endpoint_id, event_id, event_created_at, delivered_at,
		  attempts, last_status)
		SELECT account_id, id, endpoint_id, event_id, event_created_at, $1, 1, 204 FROM gone`, at)
	must(env.t, err)
}

// all returns the identifiers of all pages of ListAll with the filter.
func (env *testEnv) all(f webhooks.LogFilter, size int) (ids []string) {
	env.t.Helper()
	log, request := env.log(), paging.Request{Limit: size}
	for range 100 {
		found, err := log.ListAll(env.t.Context(), env.account, f, request)
		must(env.t, err)
		for _, d := range found.Data {
			if d.Event == nil || *d.Event != string(events.KindBatchCompleted) {
				env.t.Errorf("event %v, want batch.completed", d.Event)
			}
			ids = append(ids, d.ID)
		}
		if found.NextCursor == nil {
			return ids
		}
		request.Cursor = *found.NextCursor
	}
	env.t.Fatal("100 pages: want fewer, because each continues after the one before")
	return nil
}

func TestLog_ListAll(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	first, _ := env.register("http://127.0.0.1:9999/a")
	env.register("http://127.0.0.1:9999/b")
	env.record(2) // four deliveries of each state
	must(t, env.dropAll())
	env.record(2)
	env.deliverAll(time.Now())
	env.record(2)
	must(t, env.endpoints.Delete(t.Context(), env.account, first.ID))
	other := *env
	other.account = env.newAccount()
	other.register("http://127.0.0.1:9999/c")
	other.record(1)

	all := env.all(webhooks.LogFilter{}, 200)
	if len(all) != 12 || !slices.IsSortedFunc(all, func(a, b string) int { return strings.Compare(b, a) }) {
		t.Errorf("%d deliveries %v, want 12 with the newest first", len(all), all)
	}
	if diff := cmp.Diff(all, env.all(webhooks.LogFilter{}, 5)); diff != "" {
		t.Errorf("pages of 5 (-one page +pages):\n%s", diff)
	}
	var byState []string
	for _, state := range webhooks.States {
		byState = append(byState, env.all(webhooks.LogFilter{State: state}, 3)...)
	}
	if diff := cmp.Diff(all, byState); diff != "" { // the states are in the order of the events here
		t.Errorf("states one by one (-all +by state):\n%s", diff)
	}
	kind := webhooks.LogFilter{Event: events.KindBatchCompleted}
	if diff := cmp.Diff(all, env.all(kind, 5)); diff != "" {
		t.Errorf("by kind (-want +got):\n%s", diff)
	}
	if got := env.all(webhooks.LogFilter{Event: events.KindListingSold}, 5); got != nil {
		t.Errorf("of another kind: got %v, want none", got)
	}
}

func TestLog_LatestDropped(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	kept, _ := env.register("http://127.0.0.1:9999/a")
	env.record(4)
	must(t, env.dropAll())
	since := time.Now()
	env.record(3)
	must(t, env.dropAll())
	deleted, _ := env.register("http://127.0.0.1:9999/b")
	env.record(30) // to both
	_, err := env.db.Exec(t.Context(), `DELETE FROM deliveries_pending WHERE endpoint_id = $1`, kept.ID)
	must(t, err)
	must(t, env.dropAll())
	must(t, env.endpoints.Delete(t.Context(), env.account, deleted.ID))
	env.record(1) // waits

	all := env.all(webhooks.LogFilter{State: webhooks.Dropped}, 200)[30:] // those to the webhook that was kept
	for name, tc := range map[string]struct {
		account string
		since   time.Time
		limit   int
		want    []string
	}{
		"all":             {env.account, time.Time{}, 200, all},
		"a limit":         {env.account, time.Time{}, 2, all[:2]},
		"since a time":    {env.account, since, 200, all[:3]},
		"another account": {env.newAccount(), time.Time{}, 200, nil},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := env.log().LatestDropped(t.Context(), tc.account, tc.since, tc.limit)
			must(t, err)
			var got []string
			for _, d := range found {
				if d.Event == nil || *d.Event != string(events.KindBatchCompleted) {
					t.Errorf("event %v, want batch.completed", d.Event)
				}
				got = append(got, d.ID)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("LatestDropped (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLog_RejectsUnknownFilters(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/")
	for name, f := range map[string]webhooks.LogFilter{"state": {State: "lost"}, "event": {Event: "card.eaten"}} {
		t.Run(name, func(t *testing.T) {
			_, err := env.log().List(t.Context(), env.account, e.ID, f, paging.Request{})
			_, errAll := env.log().ListAll(t.Context(), env.account, f, paging.Request{})
			if !fault.Is(err, fault.InvalidRequest) || !fault.Is(errAll, fault.InvalidRequest) {
				t.Errorf("List: %v, ListAll: %v, want invalid_request", err, errAll)
			}
		})
	}
}

func TestLog_Health(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	e, _ := env.register(s.URL)
	health := func() webhooks.Health {
		t.Helper()
		found, err := env.log().Health(t.Context(), env.account, []string{e.ID})
		must(t, err)
		return found[e.ID]
	}
	if diff := cmp.Diff(webhooks.Health{}, health()); diff != "" {
		t.Errorf("without deliveries (-want +got):\n%s", diff)
	}
	delivered := time.Now().Add(-time.Hour).UTC().Truncate(time.Microsecond)
	env.record(1)
	env.deliverAll(delivered)
	if got := health(); got.LastSuccessAt == nil || !got.LastSuccessAt.Equal(delivered) || got.LastFailureAt != nil {
		t.Errorf("after a success: got %+v, want a success at %v", got, delivered)
	}
	env.record(1)
	must(t, env.dropAll())
	dropped := health()
	if dropped.LastFailureAt == nil || dropped.LastError != "status: the answer was 500" {
		t.Fatalf("after a dropped delivery: got %+v, want its failure", dropped)
	}
	env.engine(Config{RetryDelays: []time.Duration{time.Hour}})
	env.record(1)
	eventually(t, "the failure of a delivery that waits for its retry", func() bool {
		got := health()
		return got.LastFailureAt.After(*dropped.LastFailureAt) && got.LastError != dropped.LastError
	})
	found, err := env.log().Health(t.Context(), env.newAccount(), []string{e.ID})
	must(t, err)
	if diff := cmp.Diff(webhooks.Health{}, found[e.ID]); diff != "" {
		t.Errorf("of another account (-want +got):\n%s", diff)
	}
}

func TestLog_CountFinished(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	e, _ := env.register("http://127.0.0.1:9999/a")
	now := time.Now()
	env.record(4)
	env.deliverAll(now.Add(-8 * 24 * time.Hour))
	env.record(3)
	env.deliverAll(now)
	env.record(2)
	must(t, env.dropAll())
	env.record(1) // waits
	sibling, _ := env.register("http://127.0.0.1:9999/b")
	week, longer := now.Add(-7*24*time.Hour), now.Add(-9*24*time.Hour)
	for name, tc := range map[string]struct {
		account, endpoint string
		since             time.Time
		limit             int
		want              webhooks.Finished
	}{
		"a week":               {env.account, e.ID, week, 100, webhooks.Finished{Delivered: 3, Dropped: 2}},
		"nine days":            {env.account, e.ID, longer, 100, webhooks.Finished{Delivered: 7, Dropped: 2}},
		"the future":           {env.account, e.ID, now.Add(time.Hour), 100, webhooks.Finished{}},
		"as many as the limit": {env.account, e.ID, week, 3, webhooks.Finished{Delivered: 3, Dropped: 2}},
		"more than the limit":  {env.account, e.ID, week, 2, webhooks.Finished{Delivered: 3, Dropped: 2, More: true}},
		"another endpoint":     {env.account, sibling.ID, week, 100, webhooks.Finished{}},
		"another account":      {env.newAccount(), e.ID, week, 100, webhooks.Finished{}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := env.log().CountFinished(t.Context(), tc.account, tc.endpoint, tc.since, tc.limit)
			must(t, err)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("CountFinished (-want +got):\n%s", diff)
			}
		})
	}
}
