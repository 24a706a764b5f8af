// Package postgres provides access to the database: the pool, prepared statements, transactions, the
// mapping of PostgreSQL's errors, and migrations.
//
// A DB runs single statements. DB.InTx runs a transaction, in which Tx.Defer batches statements;
// DB.InLockedTx is for transactions that lock one row first, and DB.Snapshot for consistent reads.
// Every call ends at a deadline, even on a connection that is silent (conn.go). Writers cannot take
// the whole pool (admission.go). The process keeps the statements that it uses often prepared
// (statements.go).
//
// The package holds no business rule and no SQL of a domain package. Callers create times,
// identifiers and random values and pass them as parameters, because a distributed PostgreSQL does
// not accept volatile functions in every statement.
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

// Config configures the pool.
type Config struct {
	// URL is a connection string of lib/pq: a postgres:// URL or key=value pairs.
	URL string
	// MaxConns is the largest number of connections. The default is 20.
	MaxConns int
	// Unprepared disables named prepared statements. Poolers in transaction mode need this.
	Unprepared bool
	// GroupScope selects which writes may share a transaction. The default is GroupAll.
	GroupScope GroupScope
}

// DB is a pool of connections. It is safe for concurrent use.
type DB struct {
	session
	pool       *sqlx.DB
	unprepared bool
	groupScope GroupScope
	admission  *admission
	process    *Process

	statements *statements
	preparing  sync.Mutex // held while prepareMissing runs
}

// Open returns a pool for the database. It does not connect; Ping does.
func Open(cfg Config) (*DB, error) {
	config, err := pq.NewConfig(cfg.URL)
	if err != nil { // not wrapped, because it contains the password
		return nil, errors.New("open database: the database address must look like " +
			"postgres://user:password@host:5432/database, with special characters percent-encoded")
	}
	// Statements that are not prepared then take one round trip, and work with poolers.
	config.BinaryParameters = true
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	pool := sqlx.NewDb(sql.OpenDB(connector{config}), "postgres")
	conns := cfg.MaxConns
	if conns == 0 {
		conns = 20
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	// Bounds the effect of a connection that is out of step with the server (lib/pq #1320, #1450).
	pool.SetConnMaxLifetime(5 * time.Minute)
	db := &DB{
		pool: pool, unprepared: cfg.Unprepared, groupScope: cmp.Or(cfg.GroupScope, GroupAll),
		admission: newAdmission(conns), process: newProcess(), statements: newStatements(),
	}
	db.session = session{direct: pool, prepared: db.prepared}
	return db, nil
}

// Close closes every connection.
func (db *DB) Close() error { return db.pool.Close() }

// pings is the number of connections that Ping tries, because idle ones may have become silent.
const pings = 3

// Ping reports whether the database answers.
func (db *DB) Ping(ctx context.Context) error {
	err := db.pool.PingContext(ctx)
	for n := 1; n < pings && errors.Is(err, driver.ErrBadConn) && ctx.Err() == nil; n++ {
		err = db.pool.PingContext(ctx)
	}
	return mapError(ctx, err)
}

// GroupScope returns which writes may share a transaction of this database.
func (db *DB) GroupScope() GroupScope { return db.groupScope }

// SQL returns the underlying pool, for migrations and tests.
func (db *DB) SQL() *sql.DB { return db.pool.DB }

// Unprepared returns a Querier that does not use prepared statements, so PostgreSQL plans each statement when it runs.
// The plan of a prepared statement can be kept after the tables have changed. That is wrong for a queue, whose table is
// sometimes empty and sometimes large.
func (db *DB) Unprepared() Querier {
	return session{direct: db.pool, prepared: unprepared}
}

func unprepared(context.Context, string) (lease, error) { return lease{}, nil }
