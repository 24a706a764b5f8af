package delivery

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// BenchmarkScheduler measures the scheduler's part of one delivery: it is accepted, its attempt starts, and the
// results of an attempt and of storing it arrive. With a backlog, each endpoint's window is full and its queue holds
// further deliveries.
func BenchmarkScheduler(b *testing.B) {
	for _, c := range []struct {
		name      string
		endpoints int
		held      int // deliveries of each endpoint that are queued or in flight
	}{
		{"1 endpoint", 1, 1},
		{"100 endpoints", 100, 1},
		{"100 endpoints with a backlog", 100, 3 * initialWindow},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkScheduler(b, c.endpoints, c.held) })
	}
}

func benchmarkScheduler(b *testing.B, endpoints, held int) {
	s := newTestScheduler(2*endpoints*initialWindow, initialWindow)
	jobs := make([]*job, endpoints*held+1)
	for i := range jobs {
		key := webhooks.EndpointKey{Account: "acc_a", Endpoint: fmt.Sprint(i % endpoints)}
		jobs[i] = &job{key: key, id: fmt.Sprint(i), sendBy: testTime.Add(time.Minute)}
		s.queue(key, testTime).target = &target{}
	}
	inFlight := make(chan attemptAction, len(jobs))
	start := func() {
		for _, a := range s.actions.attempts {
			inFlight <- a
		}
		s.actions.reset()
	}
	accepted, batch := make([]*job, 1), make([]result, 1)
	accept := func(j *job) {
		accepted[0] = j
		s.accept(accepted, testTime)
		start()
	}
	for _, j := range jobs[:len(jobs)-1] {
		accept(j)
	}
	free := jobs[len(jobs)-1]
	b.ReportAllocs()
	for b.Loop() {
		accept(free)
		a := <-inFlight
		s.onResult(a.queue, a.job, classSuccess, testTime)
		start()
		batch[0] = result{job: a.job}
		s.onStored(batch, time.Second, testTime)
		start()
		free = a.job
	}
}
