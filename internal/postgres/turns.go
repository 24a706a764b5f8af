package postgres

import (
	"context"
	"sync"
)

// turnsAtOnce is how many transactions of one key run at a time: while one commits, the next has
// begun and waits for its row, so that the row is never idle.
const turnsAtOnce = 2

// InTurn is InTx for writers that will all wait for the row that key stands for, such as an
// account's. They wait for their turn here, in the order they came, rather than in the database:
// there, each would hold a connection that others need, and PostgreSQL spends more on a crowd that
// waits for one row than on the writes themselves. What orders the writes is still the row, for
// writers in other processes too.
func (db *DB) InTurn(ctx context.Context, key string, fn func(*Tx) error) error {
	leave, err := db.turns.join(ctx, key)
	if err != nil {
		return mapError(ctx, err)
	}
	defer leave()
	return db.InTx(ctx, fn)
}

// turns are the lines of writers, by key. A line exists while somebody stands in it.
type turns struct {
	mu    sync.Mutex
	lines map[string]*line
}

type line struct {
	slots  chan struct{}
	people int // who wait or have their turn
}

// join waits for a turn and returns how to end it.
func (t *turns) join(ctx context.Context, key string) (leave func(), err error) {
	l := t.enter(key)
	select {
	case l.slots <- struct{}{}:
		return func() { <-l.slots; t.exit(key, l) }, nil
	case <-ctx.Done():
		t.exit(key, l)
		return nil, ctx.Err()
	}
}

func (t *turns) enter(key string) *line {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.lines[key]
	if l == nil {
		l = &line{slots: make(chan struct{}, turnsAtOnce)}
		if t.lines == nil {
			t.lines = map[string]*line{}
		}
		t.lines[key] = l
	}
	l.people++
	return l
}

func (t *turns) exit(key string, l *line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l.people--; l.people == 0 {
		delete(t.lines, key)
	}
}
