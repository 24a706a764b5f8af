// Command load compares the service with the baseline on a database filled by scripts/bench/seed, and prints a Markdown
// table of figures and aims. It starts and stops both. scripts/bench.sh builds the programs and seeds the database.
//
// Service and baseline take turns, round by round, so that a machine that slows down slows both. All programs share one
// machine, including this one: compare ratios, not rates.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"iter"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cardvault/cardvault/scripts/bench/measure"
)

// build is a build of the service with a database of its own, created by the migrations of that build.
type build struct {
	program, database string
	account, token    string // whose cards are asked for
}

// settings say what to measure and for how long.
type settings struct {
	build                               // that is measured
	before                       build  // to compare with in the same rounds; without a program there is none
	baseline                     string // the program
	requests                     string // the program
	work                         string // folder for logs, photos and files to import
	catalogue                    string // pokemon-tcg-data.zip, or "" for none
	profiles                     string // folder for CPU profiles of the service, or "" for none
	only                         string // measure only parts or operations whose name begins so
	connections, rounds, changes int
	round                        time.Duration
	server                       measure.Process // of the databases
}

// builds returns the builds to measure by name: the service and, if there is one, the earlier build.
func (s settings) builds() iter.Seq2[string, build] {
	return func(yield func(string, build) bool) {
		if yield("service", s.build) && s.before.program != "" {
			yield("before", s.before)
		}
	}
}

func main() {
	var s settings
	flag.StringVar(&s.database, "database", os.Getenv("CARDVAULT_DATABASE_URL"), "the seeded database")
	flag.StringVar(&s.program, "service", "", "the program cardvault")
	flag.StringVar(&s.baseline, "baseline", "", "the program baseline")
	flag.StringVar(&s.requests, "requests", "", "the program requests")
	flag.StringVar(&s.account, "account", "", "the account that is measured")
	flag.StringVar(&s.token, "token", "", "a token of that account without limits")
	flag.StringVar(&s.before.program, "before", "", "the program cardvault of an earlier build, to compare with")
	flag.StringVar(&s.before.database, "before-database", "", "that build's seeded database, in the same cluster")
	flag.StringVar(&s.before.account, "before-account", "", "the account that is measured there")
	flag.StringVar(&s.before.token, "before-token", "", "a token of that account without limits")
	flag.StringVar(&s.work, "work", os.TempDir(), "folder for logs and photos")
	flag.StringVar(&s.catalogue, "catalogue", "", "pokemon-tcg-data.zip, to measure its import")
	flag.StringVar(&s.profiles, "profiles", "",
		"folder for CPU profiles of the service, taken in rounds that do not count")
	flag.StringVar(&s.only, "only", "",
		"measure only the parts or operations whose name begins so; parts: "+strings.Join(partNames(), ", "))
	flag.IntVar(&s.connections, "connections", 16, "requests under way at once")
	flag.IntVar(&s.rounds, "rounds", 5, "rounds of each program, for each operation")
	flag.IntVar(&s.changes, "changes", 100_000, "changes of prices for the row that counts them")
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

// parts are the parts of the measurement, in order.
var parts = []struct {
	name    string
	measure func(context.Context, settings, *table) error
}{
	{"start-up", measureStartUp},
	{"operations", measureServing},
	{"reads", measureReads},
	{"group commit", measureScopes},
	{"changes", measureChanges},
	{"filters", measureFilters},
	{"many", measureMany},
	{"dashboard", measureDashboard},
	{"catalogue", measureCatalogue},
	{"requests", measureRequests},
	{"imports", measureImports},
}

func partNames() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
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
	named := slices.Contains(partNames(), s.only)
	for _, p := range parts {
		if named && p.name != s.only || !named && s.only != "" && p.name != "operations" {
			continue
		}
		if err := p.measure(ctx, s, t); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	t.print(os.Stdout)
	return nil
}

// measureServing measures each operation with the service, the baseline and, if there is one, the earlier build. It
// then compares pages far apart and reads the peak memory.
func measureServing(ctx context.Context, s settings, t *table) error {
	service, stop, err := startAll(ctx, s)
	defer stop()
	if err != nil {
		return err
	}
	baseline, err := startBaseline(ctx, s)
	if err != nil {
		return err
	}
	defer baseline.stop()
	stocks, err := readStocks(ctx, s, service)
	if err != nil {
		return err
	}
	if err := sameChanges(ctx, s, stocks[0].unpriced[0], service[0], baseline); err != nil {
		return err
	}
	for i, o := range operations(stocks[0], s, s.token) {
		if !strings.HasPrefix(o.name, s.only) && s.only != "operations" {
			continue
		}
		if err := sameAnswers(ctx, o, s.token, service[0], baseline); err != nil {
			return err
		}
		entrants := []entrant{{service[0], o}, {baseline, o}}
		if len(service) > 1 {
			entrants = append(entrants, entrant{service[1], operations(stocks[1], s, s.before.token)[i]})
		}
		samples, err := compare(ctx, s, entrants...)
		if err != nil {
			return err
		}
		t.addOperation(o, samples)
		if err := profile(ctx, s, entrants[0]); err != nil {
			return err
		}
	}
	if err := measureDepth(ctx, stocks[0], s, service[0], t); err != nil {
		return err
	}
	return measureMemory(service[0], t)
}

// startAll starts the service and, if there is one, the earlier build with the same additional settings.
func startAll(ctx context.Context, s settings, other ...string) (processes []*process, stop func(), err error) {
	stop = func() {
		for _, p := range processes {
			p.stop()
		}
	}
	for name, b := range s.builds() {
		p, err := startService(ctx, s, name, b, other...)
		if err != nil {
			return processes, stop, err
		}
		processes = append(processes, p)
	}
	return processes, stop, nil
}

// readStocks reads the cards of each build's measured account.
func readStocks(ctx context.Context, s settings, processes []*process) (stocks []*stock, err error) {
	for i, token := range []string{s.token, s.before.token}[:len(processes)] {
		one, err := readStock(ctx, processes[i], token)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", processes[i].name, err)
		}
		stocks = append(stocks, one)
	}
	return stocks, nil
}

func postmaster(ctx context.Context, database string) (measure.Process, error) {
	db, err := sql.Open("postgres", database)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	return measure.Postmaster(ctx, db)
}
