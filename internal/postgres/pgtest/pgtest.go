// Package pgtest gives a test a real, migrated PostgreSQL database of its own. It is never part of
// the program.
package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest/faultproxy"
	"github.com/cardvault/cardvault/migrations"
)

// variable names the cluster the tests may make databases in; `make test` sets it.
const variable = "CARDVAULT_TEST_DATABASE_URL"

var (
	prepareOnce sync.Once
	prepareErr  error
	template    string
	counter     atomic.Int64
)

// New returns a pool on a fresh database that has every migration and goes away with the test.
func New(t testing.TB) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(postgres.Config{URL: URL(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Proxy makes a fresh migrated database and returns a proxy in front of it that fails on demand. The proxy's
// Direct address leads to the database past it.
func Proxy(t testing.TB) *faultproxy.Proxy {
	t.Helper()
	p, err := faultproxy.New(URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// URL makes a fresh migrated database and returns its address: for tests that start processes.
func URL(t testing.TB) string {
	t.Helper()
	base := os.Getenv(variable)
	if base == "" {
		t.Fatalf("%s is not set: run the tests by `make test`, or start a cluster by `scripts/postgres.sh start test` and set it to what `scripts/postgres.sh url test` prints", variable)
	}
	prepareOnce.Do(func() { prepareErr = prepare(base) })
	if prepareErr != nil {
		t.Fatalf("pgtest: %v", prepareErr)
	}
	name := fmt.Sprintf("cv_%d_%d", os.Getpid(), counter.Add(1))
	// Copying files takes half of what writing them through the log takes, where nothing waits for the disk.
	if err := admin(base, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY file_copy"); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	t.Cleanup(func() {
		if err := admin(base, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	})
	return withDatabase(base, name)
}

// patient is for statements that wait for other test processes, or copy files on a machine that runs many.
var patient = postgres.WithStatementTimeout(context.Background(), 10*time.Minute)

// prepare makes the migrated template, named after the migrations' contents, if it is not there.
// Test processes run side by side: an advisory lock lets one of them make it.
func prepare(base string) error {
	sum, err := digest()
	if err != nil {
		return err
	}
	template = "cvt_" + sum
	db, err := postgres.Open(postgres.Config{URL: base, MaxConns: 1})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec(patient, "SELECT pg_advisory_lock(4919)"); err != nil {
		return err
	}
	var there bool
	if err := db.Get(patient, &there, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", template); err != nil || there {
		return err
	}
	return makeTemplate(base, template)
}

func makeTemplate(base, name string) error {
	making := name + "_making"
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + making + " WITH (FORCE)", "CREATE DATABASE " + making} {
		if err := admin(base, statement); err != nil {
			return err
		}
	}
	db, err := postgres.Open(postgres.Config{URL: withDatabase(base, making)})
	if err != nil {
		return err
	}
	err = postgres.Migrate(context.Background(), db)
	db.Close()
	if err != nil {
		return err
	}
	return admin(base, "ALTER DATABASE "+making+" RENAME TO "+name)
}

func admin(base, statement string) error {
	db, err := postgres.Open(postgres.Config{URL: base, MaxConns: 1, Unprepared: true})
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(patient, statement)
	return err
}

func digest() (string, error) {
	sum := sha256.New()
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		return "", err
	}
	for _, name := range names {
		data, err := fs.ReadFile(migrations.Files, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n", name, len(data))
		sum.Write(data)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

var keywordDatabase = regexp.MustCompile(`\bdbname=\S+`)

// withDatabase returns the address of another database in the same cluster, in either form.
func withDatabase(base, name string) string {
	if strings.Contains(base, "://") {
		if u, err := url.Parse(base); err == nil {
			u.Path = "/" + name
			return u.String()
		}
	}
	return keywordDatabase.ReplaceAllString(base, "") + " dbname=" + name
}
