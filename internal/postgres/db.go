// Package postgres is the way to the database: the pool, prepared statements, transactions, the
// mapping of PostgreSQL's errors, and migrations.
//
// It holds no rule of the inventory and no SQL of a domain package. Times, identifiers and
// randomness are made by its callers and passed as parameters, which keeps the way to a
// distributed PostgreSQL open.
package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// Config says how to reach the database.
type Config struct {
	// URL is a connection string that lib/pq takes: a postgres:// URL or key=value pairs.
	URL string
	// MaxConns bounds the pool; 0 means 20.
	MaxConns int
	// Unprepared switches named prepared statements off, which a pooler in transaction mode needs.
	Unprepared bool
	// GroupScope says which writes may share a transaction; "" means GroupAll.
	GroupScope GroupScope
}

// DB is a pool of connections whose statements are prepared once per process.
type DB struct {
	session
	pool       *sqlx.DB
	unprepared bool
	groupScope GroupScope
	admission  *admission

	statements *statements
	preparing  sync.Mutex // held by the one that prepares what transactions lacked
}

// Open returns a pool on the database. It does not wait for the database: Ping does.
func Open(cfg Config) (*DB, error) {
	parsed, err := pq.NewConfig(cfg.URL)
	if err != nil { // not wrapped: it quotes the password
		return nil, errors.New("postgres.Open: the database address must look like postgres://user:password@host:5432/database, with special characters percent-encoded")
	}
	// One round trip for statements that are not prepared, and safe behind poolers.
	parsed.BinaryParameters = true
	if parsed.ConnectTimeout == 0 {
		parsed.ConnectTimeout = 5 * time.Second
	}
	pool := sqlx.NewDb(sql.OpenDB(connector{parsed}), "postgres")
	conns := cfg.MaxConns
	if conns == 0 {
		conns = 20
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	// A connection that got out of step with the server must not live for ever (lib/pq #1320, #1450).
	pool.SetConnMaxLifetime(5 * time.Minute)
	db := &DB{
		pool: pool, unprepared: cfg.Unprepared, groupScope: cmp.Or(cfg.GroupScope, GroupAll),
		admission: newAdmission(conns), statements: newStatements(),
	}
	db.session = session{direct: pool, prepared: db.prepared}
	return db, nil
}

// Close closes every connection.
func (db *DB) Close() error { return db.pool.Close() }

// pings is how many connections Ping tries: some that were idle may have gone silent.
const pings = 3

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	err := db.pool.PingContext(ctx)
	for n := 1; n < pings && errors.Is(err, driver.ErrBadConn) && ctx.Err() == nil; n++ {
		err = db.pool.PingContext(ctx)
	}
	return mapError(ctx, err)
}

// GroupScope says which writes may share a transaction of this database.
func (db *DB) GroupScope() GroupScope { return db.groupScope }

// SQL returns the pool for what needs it as it is: migrations and tests.
func (db *DB) SQL() *sql.DB { return db.pool.DB }

// Unprepared returns db for statements that are to be planned each time they run. A plan that is kept was made
// for the tables as they were then: one of a table that is now empty and now holds a burst must not be.
func (db *DB) Unprepared() Querier {
	return session{direct: db.pool, prepared: unprepared}
}

func unprepared(context.Context, string) (lease, error) { return lease{}, nil }
