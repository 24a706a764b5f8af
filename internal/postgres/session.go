package postgres

import (
	"context"
	"database/sql"

	"github.com/jmoiron/sqlx"
)

// Querier runs single statements. DB, Tx and Snapshot implement it. Errors are mapped (see mapError),
// except sql.ErrNoRows.
type Querier interface {
	// Get scans the first row of query into dest. It returns sql.ErrNoRows if there is none.
	Get(ctx context.Context, dest any, query string, args ...any) error
	// Select scans all rows of query into the slice that dest points to.
	Select(ctx context.Context, dest any, query string, args ...any) error
	// Exec runs a statement that returns no rows.
	Exec(ctx context.Context, query string, args ...any) (sql.Result, error)
	// Query runs a statement and returns its rows, which the caller must close.
	Query(ctx context.Context, query string, args ...any) (*Rows, error)
}

// Rows are the rows of a query. The connection may be lost while they are read, so their errors are mapped too.
type Rows struct {
	rows *sqlx.Rows
	ctx  context.Context // of the query
}

// Next prepares the next row for Scan. It reports false after the last row and after an error.
func (r *Rows) Next() bool { return r.rows.Next() }

// Scan copies the columns of the current row into dest.
func (r *Rows) Scan(dest ...any) error { return mapError(r.ctx, r.rows.Scan(dest...)) }

// Close ends the iteration.
func (r *Rows) Close() error { return mapError(r.ctx, r.rows.Close()) }

// Err returns the error that ended the iteration, if there was one.
func (r *Rows) Err() error { return mapError(r.ctx, r.rows.Err()) }

// session implements Querier. It uses the process's prepared statement if there is one.
type session struct {
	direct   sqlx.ExtContext
	prepared func(ctx context.Context, query string) (lease, error)
}

// Get implements Querier.
func (s session) Get(ctx context.Context, dest any, query string, args ...any) error {
	stmt, err := s.prepared(ctx, query)
	defer stmt.release()
	switch {
	case err != nil:
	case stmt.Stmt != nil:
		err = stmt.GetContext(ctx, dest, args...)
	default:
		err = sqlx.GetContext(ctx, s.direct, dest, query, args...)
	}
	return mapError(ctx, err)
}

// Select implements Querier.
func (s session) Select(ctx context.Context, dest any, query string, args ...any) error {
	stmt, err := s.prepared(ctx, query)
	defer stmt.release()
	switch {
	case err != nil:
	case stmt.Stmt != nil:
		err = stmt.SelectContext(ctx, dest, args...)
	default:
		err = sqlx.SelectContext(ctx, s.direct, dest, query, args...)
	}
	return mapError(ctx, err)
}

// Exec implements Querier.
func (s session) Exec(ctx context.Context, query string, args ...any) (result sql.Result, err error) {
	stmt, err := s.prepared(ctx, query)
	defer stmt.release()
	switch {
	case err != nil:
	case stmt.Stmt != nil:
		result, err = stmt.ExecContext(ctx, args...)
	default:
		result, err = s.direct.ExecContext(ctx, query, args...)
	}
	return result, mapError(ctx, err)
}

// Query implements Querier.
func (s session) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	var rows *sqlx.Rows
	stmt, err := s.prepared(ctx, query)
	defer stmt.release()
	switch {
	case err != nil:
	case stmt.Stmt != nil:
		rows, err = stmt.QueryxContext(ctx, args...)
	default:
		rows, err = s.direct.QueryxContext(ctx, query, args...)
	}
	if err != nil {
		return nil, mapError(ctx, err)
	}
	return &Rows{rows, ctx}, nil
}
