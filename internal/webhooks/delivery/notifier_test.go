package delivery

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// databaseURL returns the URL of the environment's database.
func (env *testEnv) databaseURL() string {
	env.t.Helper()
	var name string
	must(env.t, env.db.Get(env.t.Context(), &name, `SELECT current_database()`))
	return strings.Replace(os.Getenv("CARDVAULT_TEST_DATABASE_URL"), "/cardvault?", "/"+name+"?", 1)
}

// A process without an engine notifies others of endpoints.
func TestNotifier_NotifiesOtherProcesses(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	payloads := make(chan string, 1000)
	defer listen(env.databaseURL(), func(s string) { payloads <- s })()
	key := webhooks.EndpointKey{Account: env.account, Endpoint: "whe_a"}
	eventually(t, "the notification", func() bool {
		env.outbox.WakeEndpoints([]webhooks.EndpointKey{key})
		select {
		case s := <-payloads:
			endpoints, own := env.outbox.notifier.parsePayload(s)
			return own && slices.Equal(endpoints, []webhooks.EndpointKey{key})
		default:
			return false
		}
	})
}

// While a notification is running, none is started. Endpoints that are added meanwhile are in the next one.
func TestNotifier_SendsOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		results := make(chan error)
		n := newNotifier(func(_ context.Context, s string) error {
			sent = append(sent, s)
			return <-results
		})
		n.notify(webhooks.EndpointKey{Account: "acc_1", Endpoint: "whe_first"})
		var want []webhooks.EndpointKey
		for i := range 5 {
			key := webhooks.EndpointKey{Account: "acc_1", Endpoint: fmt.Sprint("whe_", i)}
			want = append(want, key)
			time.Sleep(minNotifyInterval)
			n.notify(key)
		}
		if synctest.Wait(); len(sent) != 1 {
			t.Fatalf("%d notifications at a time, want 1: %q", len(sent), sent)
		}
		results <- nil
		time.Sleep(minNotifyInterval)
		synctest.Wait()
		if len(sent) != 2 {
			t.Fatalf("%d notifications, want 2", len(sent))
		}
		got, _ := n.parsePayload(sent[1])
		slices.SortFunc(got, compareKeys)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("endpoints of the second notification (-want +got):\n%s", diff)
		}
		results <- nil
		time.Sleep(time.Minute)
		if synctest.Wait(); len(sent) != 2 {
			t.Errorf("%d notifications, want 2", len(sent))
		}
	})
}

// A failed notification is repeated without endpoints, so that other engines poll for all.
func TestNotifier_RepeatsFailedNotification(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		failures := 3
		n := newNotifier(func(_ context.Context, payload string) error {
			sent = append(sent, payload)
			if failures--; failures >= 0 {
				return errors.New("connection lost")
			}
			return nil
		})
		n.notify(webhooks.EndpointKey{Account: "acc_1", Endpoint: "whe_1"})
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(sent) != 4 {
			t.Fatalf("%d notifications, want 4", len(sent))
		}
		if endpoints, _ := n.parsePayload(sent[3]); len(endpoints) != 0 {
			t.Errorf("the last notification names %v, want no endpoint", endpoints)
		}
	})
}

// Events are committed by a process without an engine, one after the other. The engine of another process does not
// poll for an hour.
func TestEngine_SendsOnNotification(t *testing.T) {
	t.Parallel()
	env := newTestEnv(t, clock.System)
	s := env.sink(nil)
	env.register(s.URL)
	here := NewOutbox(env.db, env.clock)
	env.engineOf(here, Config{ListenURL: env.databaseURL(), PollEvery: time.Hour})
	eventually(t, "the engine to listen", func() bool {
		return env.count(`SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`) == 1
	})
	for range 20 {
		env.record(1)
		s.next(t)
	}
}

func TestNotifier_Payload(t *testing.T) {
	t.Parallel()
	one, two := webhooks.EndpointKey{Account: "acc_1", Endpoint: "whe_1"},
		webhooks.EndpointKey{Account: "acc_2", Endpoint: "whe_2"}
	many := make([]webhooks.EndpointKey, maxNotifiedEndpoints+1)
	for i := range many {
		many[i] = webhooks.EndpointKey{Account: "acc_1", Endpoint: fmt.Sprint("whe_", i)}
	}
	for _, c := range []struct {
		name  string
		calls [][]webhooks.EndpointKey
		want  []webhooks.EndpointKey
	}{
		{"one", [][]webhooks.EndpointKey{{one}}, []webhooks.EndpointKey{one}},
		{"the same twice", [][]webhooks.EndpointKey{{one}, {one}}, []webhooks.EndpointKey{one}},
		{"two", [][]webhooks.EndpointKey{{one}, {two}}, []webhooks.EndpointKey{one, two}},
		{"all", [][]webhooks.EndpointKey{{}}, nil},
		{"one and all", [][]webhooks.EndpointKey{{one}, {}}, nil},
		{"too many", [][]webhooks.EndpointKey{many}, nil},
		{"as many as fit", [][]webhooks.EndpointKey{many[1:]}, many[1:]},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newNotifier(nil)
			n.pending = true // prevents sending
			for range 2 {    // a second time, to check that the payload was cleared
				for _, endpoints := range c.calls {
					n.notify(endpoints...)
				}
				payload := n.takePayload()
				n.pending = true
				got, own := n.parsePayload(payload)
				slices.SortFunc(got, compareKeys)
				want := slices.SortedFunc(slices.Values(c.want), compareKeys)
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("endpoints of %q (-want +got):\n%s", payload, diff)
				}
				if !own {
					t.Errorf("%q is taken for a notification of another process", payload)
				}
				if len(payload) > 7999 {
					t.Errorf("the payload has %d bytes, which is too long for PostgreSQL", len(payload))
				}
			}
		})
	}
	if _, own := newNotifier(nil).parsePayload(newNotifier(nil).takePayload()); own {
		t.Error("a notification of another process is taken for an own one")
	}
}

func compareKeys(a, b webhooks.EndpointKey) int { return strings.Compare(a.Endpoint, b.Endpoint) }
