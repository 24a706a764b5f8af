package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"
)

// The limits of calls that should take a moment. A context that ends earlier wins.
const (
	beginTime    = 3 * time.Second
	commitTime   = 5 * time.Second
	rollbackTime = 2 * time.Second
	pingTime     = time.Second
	closeTime    = time.Second
	// statementTime bounds a statement whose context has no deadline; see WithStatementTimeout.
	statementTime = 30 * time.Second
)

// errConnectionLost takes the place of driver.ErrBadConn where the server may have received the statement: for that
// one, database/sql would run the statement again.
var errConnectionLost = errors.New("postgres: the connection was lost while a statement ran")

// pqConn is what lib/pq's connections offer to database/sql.
type pqConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// conn bounds every call of a lib/pq connection. lib/pq asks the server to cancel a statement whose context has
// ended, but then waits for its answer without limit. Here the socket's deadline ends that wait, and a connection
// whose socket has failed is not used again. Like any driver.Conn it is used by one goroutine at a time.
type conn struct {
	pqConn
	socket   *socket
	deadline time.Time     // of the transaction's last statement; zero: none has run
	unused   []driver.Stmt // to be closed before the connection is used again
}

type statementTimeoutKey struct{}

// WithStatementTimeout returns a context whose statements may each take so long. It counts only where the context has
// no deadline: then it takes the place of 30 s. It is for migrations, imports and other work of minutes.
func WithStatementTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, statementTimeoutKey{}, d)
}

func noCancel() {}

// bound sets the socket's deadline from the context and returns the context to run the statement with.
func (c *conn) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	cancel := context.CancelFunc(noCancel)
	deadline, ok := ctx.Deadline()
	if !ok {
		limit, ok := ctx.Value(statementTimeoutKey{}).(time.Duration)
		if !ok {
			limit = statementTime
		}
		ctx, cancel = context.WithTimeout(ctx, limit)
		deadline, _ = ctx.Deadline()
	}
	c.deadline = deadline.Add(grace)
	c.limit(c.deadline)
	return ctx, cancel
}

// limit sets the socket's deadline. It fails only where the socket is closed, as the call that follows reports.
func (c *conn) limit(deadline time.Time) { _ = c.socket.SetDeadline(deadline) }

// limitTo sets the socket's deadline to d from now, or to an earlier one that is not zero.
func (c *conn) limitTo(d time.Duration, earlier time.Time) {
	deadline := time.Now().Add(d)
	if !earlier.IsZero() && earlier.Before(deadline) {
		deadline = earlier
	}
	c.limit(deadline)
}

// ran returns the error of a statement as it may be shown to database/sql; sent is what the socket had sent before.
func (c *conn) ran(err error, sent int64) error {
	if errors.Is(err, driver.ErrBadConn) && c.socket.sent.Load() > sent {
		return errConnectionLost
	}
	return err
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	ctx, cancel := c.bound(ctx)
	defer cancel()
	sent := c.socket.sent.Load()
	result, err := c.pqConn.ExecContext(ctx, query, args)
	return result, c.ran(err, sent)
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	bounded, cancel := c.bound(ctx)
	sent := c.socket.sent.Load()
	found, err := c.pqConn.QueryContext(bounded, query, args)
	return c.rows(found, cancel, bounded != ctx, c.ran(err, sent))
}

// PrepareContext implements driver.ConnPrepareContext. Preparing has no effect, so it may be repeated.
func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if copying, ok := ctx.(uncancelled); ok {
		return c.copyIn(copying.Context, query)
	}
	ctx, cancel := c.bound(ctx)
	defer cancel()
	made, err := c.pqConn.PrepareContext(ctx, query)
	if made, ok := made.(pqStmt); ok && err == nil {
		return &stmt{made, c}, nil
	}
	return made, err
}

// BeginTx implements driver.ConnBeginTx. A BEGIN has no effect: if it meets a silent connection, database/sql takes
// another.
func (c *conn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	deadline, _ := ctx.Deadline()
	c.limitTo(beginTime, deadline)
	begun, err := c.pqConn.BeginTx(ctx, options)
	if c.socket.failed.Load() {
		return nil, driver.ErrBadConn
	}
	if err != nil {
		return nil, err
	}
	c.deadline = time.Time{}
	return &tx{begun, c}, nil
}

// Ping implements driver.Pinger.
func (c *conn) Ping(ctx context.Context) error {
	deadline, _ := ctx.Deadline()
	c.limitTo(pingTime, deadline)
	return c.pqConn.Ping(ctx)
}

// ResetSession implements driver.SessionResetter, before the connection is used again. A connection that the server
// has closed meanwhile is found here, before anything is sent on it, so that database/sql can take another.
func (c *conn) ResetSession(ctx context.Context) error {
	if c.socket.failed.Load() || !c.socket.quiet() {
		return driver.ErrBadConn
	}
	if err := c.pqConn.ResetSession(ctx); err != nil {
		return err
	}
	return c.closeUnused()
}

// closeUnused closes statements on the server. database/sql closes them while it holds the lock of the pool, which is
// no moment to wait for the server.
func (c *conn) closeUnused() error {
	for len(c.unused) > 0 {
		c.limitTo(closeTime, time.Time{})
		if err := c.unused[0].Close(); err != nil {
			return driver.ErrBadConn
		}
		c.unused = c.unused[1:]
	}
	return nil
}

// IsValid implements driver.Validator.
func (c *conn) IsValid() bool { return !c.socket.failed.Load() && c.pqConn.IsValid() }

// Close implements driver.Conn.
func (c *conn) Close() error {
	c.limitTo(closeTime, time.Time{})
	return c.pqConn.Close()
}

// tx is a transaction of a conn.
type tx struct {
	driver.Tx
	conn *conn
}

// Commit implements driver.Tx. It ends at the deadline of the transaction's last statement, or after commitTime.
func (t *tx) Commit() error {
	t.conn.limitTo(commitTime, t.conn.deadline)
	sent := t.conn.socket.sent.Load()
	err := t.Tx.Commit()
	if err != nil && t.conn.socket.sent.Load() > sent &&
		(t.conn.socket.failed.Load() || errors.Is(err, driver.ErrBadConn)) {
		return fmt.Errorf("%w: %v", ErrCommitUnknown, err)
	}
	return err
}

// Rollback implements driver.Tx. The server rolls back by itself when the connection is closed.
func (t *tx) Rollback() error {
	t.conn.limitTo(rollbackTime, time.Time{})
	return t.Tx.Rollback()
}
