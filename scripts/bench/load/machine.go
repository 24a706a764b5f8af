package main

import (
	"context"
	"database/sql"
	"fmt"
	"runtime"

	_ "github.com/lib/pq" // the driver

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// describe returns lines about the machine and the database of the measurement.
func describe(ctx context.Context, database string) ([]string, error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	server, err := measure.Server(ctx, db)
	if err != nil {
		return nil, err
	}
	var cards int64
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM cards`).Scan(&cards); err != nil {
		return nil, err
	}
	return []string{
		measure.Machine(),
		fmt.Sprintf("%s; %d cards", server, cards),
		runtime.Version() + "; service, baseline, PostgreSQL and load generator share the machine",
	}, nil
}
