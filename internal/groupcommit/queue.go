package groupcommit

import (
	"context"
	"runtime"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// pending is a write whose caller waits for the result.
type pending[T any] struct {
	Write[T]
	accountID string
	ctx       context.Context // of the caller; a batch does not use it
	guard     postgres.TxHook // of the caller; may be nil
	result    chan error      // receives Err when the batch ends
}

// enqueue adds a write to the queue.
func (c *Committer[T]) enqueue(p *pending[T]) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.queue = append(c.queue, p)
	c.startBatches()
}

// remove takes a write out of the queue and reports whether it was still there.
func (c *Committer[T]) remove(p *pending[T]) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.queue, p)
	if i < 0 {
		return false
	}
	c.queue = slices.Delete(c.queue, i, i+1)
	return true
}

// startBatches starts as many batches as may run now. A full batch runs at once. A batch that is not
// full waits until no batch runs except slow ones, and collects more writes meanwhile. With
// GroupAccount, a batch never waits for one of another account. c.mu must be held.
func (c *Committer[T]) startBatches() {
	for c.running < maxBatches && len(c.queue) > 0 {
		needFull := c.scope == postgres.GroupAll && c.running > c.slow
		if needFull && len(c.queue) < c.opts.MaxBatch {
			return
		}
		batch := c.pick()
		if len(batch) == 0 || needFull && len(batch) < c.opts.MaxBatch {
			return
		}
		c.running++
		for _, p := range batch {
			c.busy[p.accountID] = true
		}
		c.queue = slices.DeleteFunc(c.queue, func(p *pending[T]) bool { return slices.Contains(batch, p) })
		go c.run(batch)
	}
}

// pick chooses the writes of the next batch. It takes every account's first write before any account's second, so that
// an account with many writers does not delay the others. It skips accounts that have a write in a running batch. c.mu
// must be held.
func (c *Committer[T]) pick() (batch []*pending[T]) {
	var rows []string
	count := map[string]int{} // picked writes by account
	for round, before := 1, -1; len(batch) < c.opts.MaxBatch && len(batch) != before; round++ {
		before = len(batch)
		for _, p := range c.queue {
			if count[p.accountID] >= round || c.busy[p.accountID] || slices.Contains(batch, p) ||
				c.scope == postgres.GroupAccount && len(batch) > 0 && batch[0].accountID != p.accountID {
				continue
			}
			if c.opts.RowKey != nil {
				row := p.accountID + "/" + c.opts.RowKey(p.Value)
				if slices.Contains(rows, row) {
					continue
				}
				rows = append(rows, row)
			}
			count[p.accountID]++
			if batch = append(batch, p); len(batch) == c.opts.MaxBatch {
				break
			}
		}
	}
	return batch
}

// run commits a batch, sends the results to the callers and starts the next batches.
func (c *Committer[T]) run(batch []*pending[T]) {
	slow, ended := false, false // guarded by c.mu
	timer := time.AfterFunc(c.slowAfter, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if ended {
			return
		}
		slow = true
		c.slow++
		c.startBatches()
	})
	c.commit(batch)
	timer.Stop()
	for _, p := range batch {
		p.result <- p.Err
	}
	runtime.Gosched() // lets the callers queue their next writes in time for the next batch
	c.mu.Lock()
	defer c.mu.Unlock()
	ended = true
	if slow {
		c.slow--
	}
	c.running--
	for _, p := range batch {
		delete(c.busy, p.accountID)
	}
	c.startBatches()
}
