package postgres

import (
	"context"
	"database/sql/driver"
	"time"
)

// pqStmt is what lib/pq's prepared statements offer to database/sql.
type pqStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// stmt is a prepared statement of a conn.
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
	return result, s.conn.ran(err, sent)
}

// QueryContext implements driver.StmtQueryContext.
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	bounded, cancel := s.conn.bound(ctx)
	sent := s.conn.socket.sent.Load()
	found, err := s.pqStmt.QueryContext(bounded, args)
	return s.conn.rows(found, cancel, bounded != ctx, s.conn.ran(err, sent))
}

// Close implements driver.Stmt. It returns at once; see closeUnused.
func (s *stmt) Close() error {
	s.conn.unused = append(s.conn.unused, s.pqStmt)
	return nil
}

// copyStmt is a COPY, which lasts until it is executed without values. Its deadline is that of its context from the
// beginning to the end, because lib/pq reads the server's answers all the while.
type copyStmt struct {
	driver.Stmt
	conn     *conn
	deadline time.Time
	stop     func() bool
}

// copyIn begins a COPY. lib/pq does not watch its context.
func (c *conn) copyIn(ctx context.Context, query string) (driver.Stmt, error) {
	bounded, cancel := c.bound(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { c.limitTo(grace, time.Time{}) })
	begun, err := c.pqConn.PrepareContext(uncancelled{bounded}, query)
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

// pqRows is what lib/pq's rows offer to database/sql.
type pqRows interface {
	driver.RowsNextResultSet
	driver.RowsColumnTypeScanType
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypePrecisionScale
}

// rows returns the result of a query. The socket's deadline holds until the rows are closed. If the query's context
// is one of its own, that ends with the rows.
func (c *conn) rows(found driver.Rows, cancel context.CancelFunc, owned bool, err error) (driver.Rows, error) {
	if err != nil {
		cancel()
		return nil, err
	}
	if owned {
		return ownedRows{found.(pqRows), cancel}, nil
	}
	return found, nil
}

// ownedRows are rows of a query whose context ends with them.
type ownedRows struct {
	pqRows
	cancel context.CancelFunc
}

// Close implements driver.Rows.
func (r ownedRows) Close() error {
	defer r.cancel()
	return r.pqRows.Close()
}
