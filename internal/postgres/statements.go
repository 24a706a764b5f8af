package postgres

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"

	"github.com/jmoiron/sqlx"
)

// maxStatements bounds the texts that the process knows. Filters make many texts, and each prepared statement takes
// memory on every connection.
const maxStatements = 256

// statements are the process's prepared statements. A text is prepared when it is used for the second time; the one
// that has not been used for longest makes room for a new one.
type statements struct {
	mu     sync.Mutex
	byText map[string]*list.Element
	recent *list.List // of *statement, most recently used first
}

// statement is a text and, from its second use, its prepared statement.
type statement struct {
	text     string
	prepared *sqlx.Stmt
	users    atomic.Int32 // of prepared: callers, and statements itself; the last one closes it
}

func (s *statement) release() {
	if s.users.Add(-1) == 0 && s.prepared != nil {
		go s.prepared.Close() // it visits every connection
	}
}

// lease is a prepared statement that is not closed before release. The zero lease is none.
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

// get returns the prepared statement of a text, if there is one, and otherwise whether it should be prepared now.
func (s *statements) get(text string) (l lease, prepare bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, known := s.byText[text]
	if !known {
		s.add(text)
		return lease{}, false
	}
	s.recent.MoveToFront(e)
	found := e.Value.(*statement)
	if found.prepared == nil {
		return lease{}, true
	}
	found.users.Add(1)
	return lease{found.prepared, found}, false
}

// add makes a text known. s.mu is held.
func (s *statements) add(text string) {
	added := &statement{text: text}
	added.users.Store(1)
	s.byText[text] = s.recent.PushFront(added)
	if s.recent.Len() > maxStatements {
		oldest := s.recent.Remove(s.recent.Back()).(*statement)
		delete(s.byText, oldest.text)
		oldest.release()
	}
}

// put keeps the statement that a caller has prepared and returns the one to use: another caller may have been first.
func (s *statements) put(text string, made *sqlx.Stmt) lease {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, known := s.byText[text]
	if !known { // it has made room for others meanwhile, so it is used once
		once := &statement{prepared: made}
		once.users.Store(1)
		return lease{made, once}
	}
	kept := e.Value.(*statement)
	if kept.prepared == nil {
		kept.prepared = made
	} else {
		go made.Close()
	}
	kept.users.Add(1)
	return lease{kept.prepared, kept}
}

// prepared returns the process's statement for query, or none if it is to run unprepared.
func (db *DB) prepared(ctx context.Context, query string) (lease, error) {
	if db.unprepared {
		return lease{}, nil
	}
	found, prepare := db.statements.get(query)
	if !prepare {
		return found, nil
	}
	made, err := db.pool.PreparexContext(ctx, query)
	if err != nil {
		return lease{}, err
	}
	return db.statements.put(query, made), nil
}
