// Command seed fills a migrated database with 1,000,000 cards for make bench: 100,000 of the measured account and
// 900,000 of another. It creates a token for the first. It also fills the catalogue with at least 66,000 cards, with
// the shared catalogues if their folder is given, else with generated cards. A seeded database is reused.
//
//	go run ./scripts/bench/seed -database URL [-catalogues DIR]
//
// It prints {"account_id": …, "token": …} and nothing else on standard output.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

const (
	cardCount = 1_000_000
	// share is the part of the boxes that the measured account has: one in ten.
	share = 10

	// testedName marks the account that is measured. It is renamed last: an account of this name
	// means that seeding was finished.
	testedName = "Benchmark"
	// fillerName is the name of the other account. Both accounts have it while they are filled.
	fillerName = "Benchmark filler"
)

// unlimited are rate limits of the token that no measurement reaches.
var unlimited = ratelimit.Limits{Read: ratelimit.MaxLimit, Write: ratelimit.MaxLimit, AI: ratelimit.MaxLimit}

func main() {
	database := flag.String("database", os.Getenv("CARDVAULT_DATABASE_URL"), "a migrated database")
	catalogues := flag.String("catalogues", "", "folder with the shared catalogues")
	flag.Parse()
	// Indexes of a million rows take minutes.
	if err := run(postgres.WithStatementTimeout(context.Background(), time.Hour), *database, *catalogues); err != nil {
		fmt.Fprintln(os.Stderr, "seed:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, database, catalogues string) error {
	db, err := postgres.Open(postgres.Config{URL: database})
	if err != nil {
		return err
	}
	defer db.Close()
	service := accounts.New(db, clock.System)
	account, err := findTested(ctx, service)
	if err != nil {
		return err
	}
	if account == "" {
		if account, err = seed(ctx, db, service); err != nil {
			return err
		}
	}
	if err := fillCatalogue(ctx, db, catalogues); err != nil {
		return err
	}
	// Reused or new: every run starts from the same statistics and without dead rows.
	for _, statement := range []string{`VACUUM (ANALYZE)`, `CHECKPOINT`} {
		if _, err := db.SQL().ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, secret, err := service.CreateToken(ctx, account, "make bench", unlimited)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]string{"account_id": account, "token": secret})
}

// findTested returns the account that an earlier run seeded, or "" if the database is empty.
func findTested(ctx context.Context, service *accounts.Service) (string, error) {
	all, err := service.List(ctx)
	if err != nil {
		return "", err
	}
	for _, a := range all {
		if a.Name == testedName {
			return a.ID, nil
		}
	}
	if len(all) > 0 {
		return "", errors.New("seeding was interrupted: remove the database's cluster and start again")
	}
	return "", nil
}

// seed creates the accounts and their cards and returns the account to measure. Nine boxes of the other account follow
// each box of the measured one.
func seed(ctx context.Context, db *postgres.DB, service *accounts.Service) (string, error) {
	start := time.Now()
	var ids [2]string
	for i := range ids {
		account, err := service.Create(ctx, fillerName, false)
		if err != nil {
			return "", err
		}
		ids[i] = account.ID
	}
	target, other := ids[0], ids[1]
	owners := slices.Repeat([]string{other}, share)
	owners[share/2] = target
	if err := fill(ctx, db, owners); err != nil {
		return "", err
	}
	if _, err := db.Exec(ctx, `UPDATE accounts SET name = $2 WHERE id = $1`, target, testedName); err != nil {
		return "", err
	}
	fmt.Fprintf(os.Stderr, "seed: %d cards in %v\n", cardCount, time.Since(start).Round(time.Second))
	return target, nil
}
