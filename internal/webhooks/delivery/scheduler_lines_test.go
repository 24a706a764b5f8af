package delivery

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// lineTest has queues that need a fetch, in each of the lines.
type lineTest struct {
	*scheduler
	keys map[fetchLine][]webhooks.EndpointKey
}

// newLineTest returns a scheduler with queues that need a fetch: so many of each line.
func newLineTest(counts map[fetchLine]int) *lineTest {
	l := &lineTest{newTestScheduler(10_000, 64), map[fetchLine][]webhooks.EndpointKey{}}
	for line, count := range counts {
		for i := range count {
			q := newTestQueue(l.scheduler, fmt.Sprint(line, "-", i))
			q.responding = line == respondingLine
			if line == fullLine {
				q.inFlight = q.window
				for _, j := range newTestJobs(q.key.Endpoint, q.window, 0) {
					l.enqueue(q, j, testTime)
				}
				q.woken = true
			}
			l.keys[line] = append(l.keys[line], q.key)
		}
	}
	return l
}

// started returns the number of fetches of each line that have started since the last call.
func (l *lineTest) started() map[fetchLine]int {
	counts := map[fetchLine]int{}
	for _, f := range l.takeActions().fetches {
		counts[f.queue.fetchesIn]++
	}
	return counts
}

// Many endpoints of one line leave a fetch to the others.
func TestScheduler_SharesFetchesAmongLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		first, then fetchLine
		want, also  int // fetches of the first line, and of the other one that comes later
	}{
		{"responding beside new ones", otherLine, respondingLine, 3, 1},
		{"new one beside responding ones", respondingLine, otherLine, 3, 1},
		{"full ones one at a time", fullLine, respondingLine, 1, 3},
		{"full one beside responding ones", respondingLine, fullLine, 3, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := newLineTest(map[fetchLine]int{c.first: 50, c.then: 50})
			l.wake(l.keys[c.first], testTime)
			if diff := cmp.Diff(map[fetchLine]int{c.first: c.want}, l.started()); diff != "" {
				t.Errorf("fetches of the first line (-want +got):\n%s", diff)
			}
			l.wake(l.keys[c.then], testTime)
			if diff := cmp.Diff(map[fetchLine]int{c.then: c.also}, l.started()); diff != "" {
				t.Errorf("fetches of the other line (-want +got):\n%s", diff)
			}
		})
	}
}

// All queues have their turn while all lines are busy, and none twice before the others.
func TestScheduler_FetchLinesStarveNone(t *testing.T) {
	t.Parallel()
	const each = 20
	l := newLineTest(map[fetchLine]int{respondingLine: each, otherLine: each, fullLine: each})
	for _, keys := range l.keys {
		l.wake(keys, testTime)
	}
	fetched := map[webhooks.EndpointKey]int{}
	for running := l.takeActions().fetches; len(running) > 0; {
		f := running[0]
		fetched[f.request.key]++
		l.onFetched(f, fetchResult{target: f.known, claimed: true}, false, testTime)
		running = append(running[1:], l.takeActions().fetches...)
	}
	if len(fetched) != 3*each {
		t.Errorf("%d queues had a fetch, want %d", len(fetched), 3*each)
	}
	for key, count := range fetched {
		if count != 1 {
			t.Errorf("%s had %d fetches, want 1", key.Endpoint, count)
		}
	}
}

// A queue that waits in the line of full ones and has room again does not wait there.
func TestScheduler_QueueWithRoomChangesLine(t *testing.T) {
	t.Parallel()
	l := newLineTest(map[fetchLine]int{fullLine: 50})
	l.wake(l.keys[fullLine], testTime)
	l.started()
	for _, key := range l.keys[fullLine] {
		if q := l.queues[key]; q.waitsIn == fullLine {
			q.inFlight = 0
			l.schedule(q, testTime)
			l.dispatch(testTime) // starts its attempts, which makes room
			break
		}
	}
	if diff := cmp.Diff(map[fetchLine]int{otherLine: 1}, l.started()); diff != "" {
		t.Errorf("fetches (-want +got):\n%s", diff)
	}
}
