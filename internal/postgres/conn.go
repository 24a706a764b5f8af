package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"
)

// Time limits of calls that are usually quick. An earlier deadline of the context takes precedence.
const (
	beginTime    = 3 * time.Second
	commitTime   = 5 * time.Second
	rollbackTime = 2 * time.Second
	pingTime     = time.Second
	closeTime    = time.Second
	// statementTime limits a statement whose context has no deadline; see WithStatementTimeout.
	statementTime = 30 * time.Second
)

// errConnectionLost replaces driver.ErrBadConn if the server may have received the statement. database/sql repeats a
// statement that returns driver.ErrBadConn.
var errConnectionLost = errors.New("postgres: the connection was lost while a statement ran")

// pqConn is the interface of lib/pq's connections.
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

// conn sets a deadline for every call of a lib/pq connection. When a context ends, lib/pq asks the server to cancel
// the statement, but then waits for the response without limit. The socket's deadline ends this wait. A connection
// whose socket has failed is not used again. Like any driver.Conn, it is used by one goroutine at a time.
type conn struct {
	pqConn
	socket   *socket
	deadline time.Time     // deadline of the transaction's last statement, or zero
	unused   []driver.Stmt // statements to close before the connection is used again
}

type statementTimeoutKey struct{}

// WithStatementTimeout returns a context whose statements may each take up to d instead of 30 s. It has no effect if
// the context has a deadline. Use it for migrations, imports and other work that takes minutes.
func WithStatementTimeout(ctx context.Context, d time.Duration) context.Context {
	return context.WithValue(ctx, statementTimeoutKey{}, d)
}

func noCancel() {}

// bound sets the socket's deadline from the context and returns the context for the statement. A context that never
// ends is returned as it is, because lib/pq starts a goroutine for any other; the socket's deadline limits it.
func (c *conn) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	cancel := context.CancelFunc(noCancel)
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(statementLimit(ctx))
		if ctx.Done() != nil {
			ctx, cancel = context.WithDeadline(ctx, deadline)
		}
	}
	c.deadline = deadline.Add(grace)
	c.limit(c.deadline)
	return ctx, cancel
}

// statementLimit returns the time limit of a statement whose context has no deadline.
func statementLimit(ctx context.Context) time.Duration {
	if limit, ok := ctx.Value(statementTimeoutKey{}).(time.Duration); ok {
		return limit
	}
	return statementTime
}

// limit sets the socket's deadline. It fails only if the socket is closed, which the next call reports.
func (c *conn) limit(deadline time.Time) { _ = c.socket.SetDeadline(deadline) }

// limitTo sets the socket's deadline to d from now, or to earlier if that is before it and not zero.
func (c *conn) limitTo(d time.Duration, earlier time.Time) {
	deadline := time.Now().Add(d)
	if !earlier.IsZero() && earlier.Before(deadline) {
		deadline = earlier
	}
	c.limit(deadline)
}

// statementError returns the error of a statement for database/sql, with errConnectionLost instead of
// driver.ErrBadConn if anything was sent. sent is the number of bytes that the socket had sent before the statement.
func (c *conn) statementError(err error, sent int64) error {
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
	return result, c.statementError(err, sent)
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	limitedCtx, cancel := c.bound(ctx)
	sent := c.socket.sent.Load()
	rows, err := c.pqConn.QueryContext(limitedCtx, query, args)
	return c.rows(rows, cancel, limitedCtx != ctx, c.statementError(err, sent))
}

// PrepareContext implements driver.ConnPrepareContext. Its errors stay driver.ErrBadConn, because preparing a statement
// twice does no harm.
func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if copying, ok := ctx.(uncancelled); ok {
		return c.copyIn(copying.Context, query)
	}
	ctx, cancel := c.bound(ctx)
	defer cancel()
	s, err := c.pqConn.PrepareContext(ctx, query)
	if inner, ok := s.(pqStmt); ok && err == nil {
		return &stmt{inner, c}, nil
	}
	return s, err
}

// BeginTx implements driver.ConnBeginTx. A BEGIN may be repeated, so on a silent connection it returns
// driver.ErrBadConn and database/sql uses another connection.
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

// ResetSession implements driver.SessionResetter. database/sql calls it before it uses a pooled connection again. It
// detects a connection that the server has closed before anything is sent, so that database/sql can use another.
func (c *conn) ResetSession(ctx context.Context) error {
	if c.socket.failed.Load() || !c.socket.quiet() {
		return driver.ErrBadConn
	}
	if err := c.pqConn.ResetSession(ctx); err != nil {
		return err
	}
	return c.closeUnused()
}

// closeUnused closes statements on the server. It runs here because database/sql closes them while it holds the
// pool's lock, where a round trip would block every user of the pool.
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

// tx is the transaction of a conn.
type tx struct {
	driver.Tx
	conn *conn
}

// Commit implements driver.Tx. Its limit is commitTime or the deadline of the transaction's last statement,
// whichever is earlier.
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

// Rollback implements driver.Tx. If it fails, the connection closes and the server rolls back.
func (t *tx) Rollback() error {
	t.conn.limitTo(rollbackTime, time.Time{})
	return t.Tx.Rollback()
}
