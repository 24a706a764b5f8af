package postgres

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"

	"github.com/jmoiron/sqlx"
)

// maxStatements is the largest number of queries in the cache. Filters make many different queries, and each prepared
// statement takes memory on every connection.
const maxStatements = 256

// statements is the process's cache of prepared statements, by query text. A query is prepared when it is used for the
// second time. The least recently used one is evicted.
type statements struct {
	mu     sync.Mutex
	byText map[string]*list.Element
	recent *list.List // of *statement, most recently used first
}

// statement is a query and, from its second use, its prepared statement.
type statement struct {
	text     string
	prepared *sqlx.Stmt
	users    atomic.Int32 // callers that use prepared, plus the cache; the last one closes it
}

func (s *statement) release() {
	if s.users.Add(-1) == 0 && s.prepared != nil {
		go s.prepared.Close() // in the background, because it uses every connection
	}
}

// lease holds a prepared statement open until release. The zero lease holds none.
type lease struct {
	*sqlx.Stmt
	of *statement
}

func (l lease) release() {
	if l.of != nil {
		l.of.release()
	}
}

func newStatements() *statements {
	return &statements{byText: map[string]*list.Element{}, recent: list.New()}
}

// get returns the prepared statement of a query. If there is none, it reports whether to prepare one now.
func (s *statements) get(text string) (l lease, prepare bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, known := s.byText[text]
	if !known {
		s.add(text)
		return lease{}, false
	}
	s.recent.MoveToFront(e)
	entry := e.Value.(*statement)
	if entry.prepared == nil {
		return lease{}, true
	}
	entry.users.Add(1)
	return lease{entry.prepared, entry}, false
}

// add adds a query to the cache. s.mu must be held.
func (s *statements) add(text string) {
	entry := &statement{text: text}
	entry.users.Store(1)
	s.byText[text] = s.recent.PushFront(entry)
	if s.recent.Len() > maxStatements {
		oldest := s.recent.Remove(s.recent.Back()).(*statement)
		delete(s.byText, oldest.text)
		oldest.release()
	}
}

// put adds a prepared statement to the cache and returns the one to use, which another caller may have added first.
func (s *statements) put(text string, stmt *sqlx.Stmt) lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, known := s.byText[text]
	if !known { // evicted since the last use, so the statement is used once
		once := &statement{prepared: stmt}
		once.users.Store(1)
		return lease{stmt, once}
	}
	entry := e.Value.(*statement)
	if entry.prepared == nil {
		entry.prepared = stmt
	} else {
		go stmt.Close()
	}
	entry.users.Add(1)
	return lease{entry.prepared, entry}
}

// prepared returns the process's prepared statement for query, or none if query should run unprepared.
func (db *DB) prepared(ctx context.Context, query string) (lease, error) {
	if db.unprepared {
		return lease{}, nil
	}
	entry, prepare := db.statements.get(query)
	if !prepare {
		return entry, nil
	}
	stmt, err := db.pool.PreparexContext(ctx, query)
	if err != nil {
		return lease{}, err
	}
	return db.statements.put(query, stmt), nil
}
