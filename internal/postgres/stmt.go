package postgres

import (
	"context"
	"database/sql/driver"
	"time"
)

// pqStmt is the interface of lib/pq's prepared statements.
type pqStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// stmt sets a deadline for every call of a prepared statement.
type stmt struct {
	pqStmt
	conn *conn
}

// ExecContext implements driver.StmtExecContext.
func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	ctx, cancel := s.conn.bound(ctx)
	defer cancel()
	sent := s.conn.socket.sent.Load()
	result, err := s.pqStmt.ExecContext(ctx, args)
	return result, s.conn.statementError(err, sent)
}

// QueryContext implements driver.StmtQueryContext.
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	limitedCtx, cancel := s.conn.bound(ctx)
	sent := s.conn.socket.sent.Load()
	rows, err := s.pqStmt.QueryContext(limitedCtx, args)
	return s.conn.rows(rows, cancel, limitedCtx != ctx, s.conn.statementError(err, sent))
}

// Close implements driver.Stmt. It does not wait for the server; see closeUnused.
func (s *stmt) Close() error {
	s.conn.unused = append(s.conn.unused, s.pqStmt)
	return nil
}

// copyStmt is a COPY, which ends when it is executed without values. One deadline covers all of its calls, because
// lib/pq reads the server's responses in the background the whole time.
type copyStmt struct {
	driver.Stmt
	conn     *conn
	deadline time.Time
	stop     func() bool
}

// copyIn starts a COPY. lib/pq ignores the context of a COPY, so when it ends, the socket's deadline is set to grace.
func (c *conn) copyIn(ctx context.Context, query string) (driver.Stmt, error) {
	limitedCtx, cancel := c.bound(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { c.limitTo(grace, time.Time{}) })
	begun, err := c.pqConn.PrepareContext(uncancelled{limitedCtx}, query)
	if err != nil {
		stop()
		return nil, err
	}
	return &copyStmt{begun, c, c.deadline, stop}, nil
}

// Close implements driver.Stmt.
func (s *copyStmt) Close() error {
	s.stop()
	s.conn.limitTo(closeTime, s.deadline)
	return s.Stmt.Close()
}

// pqRows is the interface of lib/pq's rows.
type pqRows interface {
	driver.RowsNextResultSet
	driver.RowsColumnTypeScanType
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypePrecisionScale
}

// rows returns the result of a query. The socket's deadline stays until the rows are closed. If bound made the
// query's context, closing the rows cancels it.
func (c *conn) rows(inner driver.Rows, cancel context.CancelFunc, owned bool, err error) (driver.Rows, error) {
	if err != nil {
		cancel()
		return nil, err
	}
	if owned {
		return ownedRows{inner.(pqRows), cancel}, nil
	}
	return inner, nil
}

// ownedRows cancel the context of their query when they are closed.
type ownedRows struct {
	pqRows
	cancel context.CancelFunc
}

// Close implements driver.Rows.
func (r ownedRows) Close() error {
	defer r.cancel()
	return r.pqRows.Close()
}
