package delivery

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// A receiver closes an idle connection at the moment the next request arrives on it. The request is repeated as the
// same attempt. If the new connection is closed too, the delivery waits for its retry.
func TestEngine_RepeatsOnClosedConnection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		closed   []int64 // numbers of the requests whose connection is closed, from 1
		requests int64
		attempts int // of the second delivery
	}{
		{"closed once", []int64{2}, 3, 1},
		{"closed again", []int64{2, 3}, 4, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env := newTestEnv(t, clock.System)
			closing := map[int64]bool{}
			for _, n := range c.closed {
				closing[n] = true
			}
			var number atomic.Int64
			s := env.sink(func(w http.ResponseWriter, _ *http.Request) {
				if closing[number.Add(1)] {
					panic(http.ErrAbortHandler) // closes the connection
				}
			})
			env.register(s.URL)
			env.engine(Config{RetryDelays: []time.Duration{time.Millisecond}})
			env.record(1)
			env.await("delivered", inState(webhooks.Delivered))
			s.next(t)
			env.record(1)
			eventually(t, "both are delivered", func() bool {
				return env.count(`SELECT count(*) FROM deliveries_delivered`) == 2
			})

			first, repeated := s.next(t), s.next(t)
			delete(first.header, "Connection") // the repeated request closes its connection
			delete(repeated.header, "Connection")
			if diff := cmp.Diff(first.header, repeated.header); diff != "" || first.body != repeated.body {
				t.Errorf("the repeated request differs (-first +repeated):\n%s", diff)
			}
			if got := s.total.Load(); got != c.requests {
				t.Errorf("%d requests, want %d", got, c.requests)
			}
			if got := env.count(`SELECT count(*) FROM delivery_attempts`); got != 1+c.attempts {
				t.Errorf("%d attempts are logged, want %d", got, 1+c.attempts)
			}
			if got := env.count(`SELECT max(attempts) FROM deliveries_delivered`); got != c.attempts {
				t.Errorf("the delivery has %d attempts, want %d", got, c.attempts)
			}
		})
	}
}
