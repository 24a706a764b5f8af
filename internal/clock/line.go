package clock

import (
	"context"
	"runtime"
	"slices"
)

// transactionsAtOnce is how many full transactions of a Together run at a time at most. One that is not full
// runs only while no other does: those that come meanwhile are the next to share.
const transactionsAtOnce = 8

// part is one writer's part of a transaction.
type part[T any] struct {
	ctx     context.Context
	account string
	write   T
	stamp   Stamp
	lead    chan []*part[T] // what this writer is to commit, itself first
	done    chan struct{}
	err     error
}

// join puts a writer into the line.
func (t *Together[T]) join(p *part[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = append(t.waiting, p)
	t.start()
}

// leave takes a writer out of the line, unless it is not in there any more.
func (t *Together[T]) leave(p *part[T]) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.waiting, p)
	if i < 0 {
		return false
	}
	t.waiting = slices.Delete(t.waiting, i, i+1)
	return true
}

// start has those who wait begin as many transactions as may run. t.mu is held.
func (t *Together[T]) start() {
	for t.running == 0 || t.running < transactionsAtOnce && len(t.waiting) >= t.kind.Most {
		parts := t.pick()
		if len(parts) == 0 || t.running > 0 && len(parts) < t.kind.Most {
			return
		}
		t.running++
		for _, p := range parts {
			t.underWay[p.account] = true
		}
		t.waiting = slices.DeleteFunc(t.waiting, func(p *part[T]) bool { return slices.Contains(parts, p) })
		parts[0].lead <- parts
	}
}

// pick says who of those who wait may share a transaction: the first of each account before the second of
// any, so that an account with a crowd of writers holds up nobody. t.mu is held.
func (t *Together[T]) pick() (picked []*part[T]) {
	var rows []string
	ofAccount := map[string]int{}
	for round, before := 1, -1; len(picked) < t.kind.Most && len(picked) != before; round++ {
		before = len(picked)
		for _, p := range t.waiting {
			if ofAccount[p.account] >= round || t.underWay[p.account] || slices.Contains(picked, p) {
				continue
			}
			if t.kind.Row != nil {
				row := p.account + "/" + t.kind.Row(p.write)
				if slices.Contains(rows, row) {
					continue
				}
				rows = append(rows, row)
			}
			ofAccount[p.account]++
			if picked = append(picked, p); len(picked) == t.kind.Most {
				break
			}
		}
	}
	return picked
}

// end lets the writers of a transaction go, and others begin.
func (t *Together[T]) end(parts []*part[T]) {
	for _, p := range parts[1:] {
		close(p.done)
	}
	runtime.Gosched() // they may have more to write, and are in time for the next transaction
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running--
	for _, p := range parts {
		delete(t.underWay, p.account)
	}
	t.start()
}
