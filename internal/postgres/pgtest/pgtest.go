// Package pgtest provides each test with a migrated PostgreSQL database of its own. Only tests import it.
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

// variable is the environment variable with the address of the cluster for tests; `make test` sets it.
const variable = "CARDVAULT_TEST_DATABASE_URL"

var (
	prepareOnce sync.Once
	prepareErr  error
	template    string
	counter     atomic.Int64
)

// New creates a database with every migration and returns a pool for it. The database is dropped after the test.
func New(t testing.TB) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(postgres.Config{URL: URL(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Proxy creates a database with every migration and returns a proxy in front of it, which fails on demand. The
// proxy's Direct method returns the address of the database itself.
func Proxy(t testing.TB) *faultproxy.Proxy {
	t.Helper()
	p, err := faultproxy.New(URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// URL creates a database with every migration and returns its address, for tests that start processes.
func URL(t testing.TB) string {
	t.Helper()
	base := os.Getenv(variable)
	if base == "" {
		t.Fatalf("%s is not set. Run all tests with `make test`, or those of a package with "+
			"`scripts/with-test-postgres.sh go test ./internal/cards`.", variable)
	}
	prepareOnce.Do(func() { prepareErr = prepare(base) })
	if prepareErr != nil {
		t.Fatalf("pgtest: %v", prepareErr)
	}
	name := fmt.Sprintf("cv_%d_%d", os.Getpid(), counter.Add(1))
	// With fsync off, copying files takes half as long as writing them through the log.
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

// patient is the context of statements that wait for other test processes or copy files.
var patient = postgres.WithStatementTimeout(context.Background(), 10*time.Minute)

// prepare creates the template database if it does not exist. Its name contains a hash of the migrations. Test
// processes run in parallel, so they take an advisory lock, and only one process creates the database.
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
	var exists bool
	err = db.Get(patient, &exists, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", template)
	if err != nil || exists {
		return err
	}
	return makeTemplate(base, template)
}

func makeTemplate(base, name string) error {
	making := name + "_making"
	for _, statement := range []string{
		"DROP DATABASE IF EXISTS " + making + " WITH (FORCE)", "CREATE DATABASE " + making,
	} {
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

// withDatabase returns the address of another database in the same cluster. The address is a URL or key=value pairs.
func withDatabase(base, name string) string {
	if strings.Contains(base, "://") {
		if u, err := url.Parse(base); err == nil {
			u.Path = "/" + name
			return u.String()
		}
	}
	return keywordDatabase.ReplaceAllString(base, "") + " dbname=" + name
}
