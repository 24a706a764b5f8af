package delivery

import "time"

// fetchLine is one of the lines in which queues wait for a fetch. A fetch for an endpoint that responds is followed by
// requests at once, so it must not wait behind the fetches of many endpoints that hang: they claim in bursts, when
// their events are committed and each time their wakeups are due.
type fetchLine int

// The lines.
const (
	noLine         fetchLine = iota
	respondingLine           // endpoints that have room and responded to their last attempt
	otherLine                // endpoints that are new, or failed to respond to their last attempt
	fullLine                 // endpoints without room, whose claims only delete wakeups, and deleted endpoints
	lineCount
)

// reservedFetches is the number of fetches that are kept free for endpoints that respond, and for the others.
const reservedFetches = 1

// fetchLines holds the queues that wait for a fetch, in round-robin order of the lines and of the queues in each.
type fetchLines struct {
	waiting [lineCount][]*endpointQueue
	running [lineCount]int // number of running fetches
	last    fetchLine      // of the fetch that started last
}

// lineOf returns the line for a queue that needs a fetch.
func lineOf(q *endpointQueue) fetchLine {
	switch {
	case q.deleted, q.target != nil && len(q.jobs) >= q.window:
		return fullLine
	case q.responding:
		return respondingLine
	}
	return otherLine
}

// add puts a queue in line. A queue that waits moves to another line if its state has changed.
func (l *fetchLines) add(q *endpointQueue) {
	q.waitsIn = lineOf(q)
	if !q.listed[q.waitsIn] {
		q.listed[q.waitsIn] = true
		l.waiting[q.waitsIn] = append(l.waiting[q.waitsIn], q)
	}
}

// next removes and returns the next queue whose fetch may start, or nil.
func (l *fetchLines) next() *endpointQueue {
	for i := range lineCount {
		line := (l.last + 1 + i) % lineCount
		if q := l.first(line); q != nil && l.mayStart(line) {
			l.remove(line)
			l.last, q.waitsIn = line, noLine
			return q
		}
	}
	return nil
}

// first returns the first queue of a line, or nil. It removes queues that have moved to another line.
func (l *fetchLines) first(line fetchLine) *endpointQueue {
	for len(l.waiting[line]) > 0 {
		if q := l.waiting[line][0]; q.waitsIn == line {
			return q
		}
		l.remove(line)
	}
	return nil
}

// remove removes the first queue of a line.
func (l *fetchLines) remove(line fetchLine) {
	l.waiting[line][0].listed[line] = false
	l.waiting[line] = l.waiting[line][1:]
}

// mayStart reports whether another fetch of the line may start.
func (l *fetchLines) mayStart(line fetchLine) bool {
	responding, all := l.running[respondingLine], 0
	for _, n := range l.running {
		all += n
	}
	switch {
	case all >= maxFetches:
		return false
	case line == respondingLine:
		return responding < maxFetches-reservedFetches
	case line == fullLine && l.running[fullLine] > 0:
		return false
	}
	return all-responding < maxFetches-reservedFetches
}

// started records that the fetch of the queue that next has returned has started.
func (l *fetchLines) started(q *endpointQueue) {
	q.fetchesIn = l.last
	l.running[l.last]++
}

// finished records that a queue's fetch has finished.
func (l *fetchLines) finished(q *endpointQueue) {
	l.running[q.fetchesIn]--
	q.fetchesIn = noLine
}

// startFetches starts the fetches that can start now.
func (s *scheduler) startFetches(now time.Time) {
	for !s.leasedMax() {
		q := s.lines.next()
		if q == nil {
			return
		}
		if q.needsFetch(now) {
			s.startFetch(q, now)
		}
	}
}
