// Command load measures the service against the floor on a database that scripts/bench/seed has
// filled, and prints a Markdown table of figures and aims. It starts and stops both itself;
// scripts/bench.sh builds and seeds what it needs.
//
// Service and floor take turns, round by round, so that a machine that slows down slows both. All
// of it runs on one machine, this program included: what counts is the ratio, not the rate.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// settings say what to measure and for how long.
type settings struct {
	database, service, floor string // the database's URL, the two programs
	account, token           string // whose cards are asked for
	work                     string // folder for logs, photos and files to import
	catalogue                string // pokemon-tcg-data.zip, or "" for none
	profiles                 string // folder for CPU profiles of the service, or "" for none
	only                     string // measure only operations whose name begins so
	connections, rounds      int
	round                    time.Duration
	server                   measure.Process // of the database
}

func main() {
	var s settings
	flag.StringVar(&s.database, "database", os.Getenv("CARDVAULT_DATABASE_URL"), "the seeded database")
	flag.StringVar(&s.service, "service", "", "the program cardvault")
	flag.StringVar(&s.floor, "floor", "", "the program floor")
	flag.StringVar(&s.account, "account", "", "the account that is measured")
	flag.StringVar(&s.token, "token", "", "a token of that account without limits")
	flag.StringVar(&s.work, "work", os.TempDir(), "folder for logs and photos")
	flag.StringVar(&s.catalogue, "catalogue", "", "pokemon-tcg-data.zip, to measure its import")
	flag.StringVar(&s.profiles, "profiles", "", "folder for CPU profiles of the service, taken in rounds that do not count")
	flag.StringVar(&s.only, "only", "", "measure only the operations whose name begins so, page depth and memory")
	flag.IntVar(&s.connections, "connections", 16, "requests under way at once")
	flag.IntVar(&s.rounds, "rounds", 5, "rounds of each program, for each operation")
	flag.DurationVar(&s.round, "round", 6*time.Second, "how long a round lasts")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, s); err != nil {
		stop()
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	machine, err := describe(ctx, s.database)
	if err != nil {
		return err
	}
	if s.server, err = postmaster(ctx, s.database); err != nil {
		return err
	}
	t := &table{machine: machine}
	all := []func(context.Context, settings, *table) error{measureStartUp, measureServing, measureImports}
	if s.only != "" {
		all = all[1:2]
	}
	for _, one := range all {
		if err := one(ctx, s, t); err != nil {
			return err
		}
	}
	t.print(os.Stdout)
	return nil
}

// measureServing runs every operation against service and floor, compares pages far apart, and
// looks at the memory that all of it took.
func measureServing(ctx context.Context, s settings, t *table) error {
	service, err := startService(ctx, s, s.database)
	if err != nil {
		return err
	}
	defer service.stop()
	floor, err := startFloor(ctx, s)
	if err != nil {
		return err
	}
	defer floor.stop()
	stock, err := readStock(ctx, service, s.token)
	if err != nil {
		return err
	}
	for _, o := range operations(stock, s) {
		if !strings.HasPrefix(o.name, s.only) {
			continue
		}
		if err := sameAnswers(ctx, o, s.token, service, floor); err != nil {
			return err
		}
		if err := compare(ctx, o, s, service, floor, t); err != nil {
			return err
		}
	}
	if err := measureDepth(ctx, stock, s, service, t); err != nil {
		return err
	}
	return measureMemory(service, t)
}

func postmaster(ctx context.Context, database string) (measure.Process, error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	return measure.Postmaster(ctx, db)
}
