// Command baseline is a minimal server for three of the service's routes. The load generator compares the service with
// it. It uses net/http, encoding/json and database/sql with lib/pq, runs the service's own statements as prepared
// statements, and looks the token up in PostgreSQL for every request.
//
// It does not validate, limit, cache, log or count anything, so it must not be used outside scripts/bench.sh.
//
//	go run ./scripts/bench/baseline -database URL -addr 127.0.0.1:8090
package main

import (
	"database/sql"
	"flag"
	"fmt"
	"net/http"
	"os"

	_ "github.com/lib/pq" // the driver
)

// maxConns is the service's default for CARDVAULT_DATABASE_MAX_CONNS.
const maxConns = 24

func main() {
	database := flag.String("database", os.Getenv("CARDVAULT_DATABASE_URL"), "the seeded database")
	addr := flag.String("addr", "127.0.0.1:8090", "where to listen")
	flag.Parse()
	if err := serve(*database, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "baseline:", err)
		os.Exit(1)
	}
}

func serve(database, addr string) error {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(maxConns)
	db.SetMaxIdleConns(maxConns)
	s, err := newStore(db)
	if err != nil {
		return err
	}
	h := handlers{s}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("GET /api/cards/{id}", h.authenticated(h.get))
	mux.HandleFunc("GET /api/cards", h.authenticated(h.list))
	mux.HandleFunc("PATCH /api/cards/{id}", h.authenticated(h.patch))
	return http.ListenAndServe(addr, mux)
}
