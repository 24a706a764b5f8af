// Command floor is what the service is measured against: the least program that answers three of its
// routes from the same database. It has net/http, database/sql with lib/pq, encoding/json, the
// service's own statements prepared, and a look-up of the token in PostgreSQL for every request.
//
// It leaves out whatever the service does beyond that: no validation, no rate limits, no ETag, no
// log, no metrics. It is for scripts/bench.sh alone and must never serve anybody.
//
//	go run ./scripts/bench/floor -database URL -addr 127.0.0.1:8090
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
		fmt.Fprintln(os.Stderr, "floor:", err)
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
