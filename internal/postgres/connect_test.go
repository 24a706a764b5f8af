package postgres_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// A part of the URL that cannot be parsed may belong to the password.
func TestOpen_HidesPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"postgres://vault:hunter2@host:port/x", "postgres://vault:hunter2/x@host/x", "host=db password hunter2",
	} {
		_, err := postgres.Open(postgres.Config{URL: address})
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want an error without the password", address, err)
		}
	}
}

func TestDB_UnreachableIsUnavailable(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(postgres.Config{URL: "postgres://cardvault@127.0.0.1:1/none?sslmode=disable"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Ping(t.Context())
	if e, ok := fault.As(err); !ok || e.Code != fault.Unavailable || e.RetryAfter <= 0 {
		t.Fatalf("Ping = %v, want unavailable with Retry-After", err)
	}
}

// A missing database or a rejected login is an error of the operator. Clients should try again.
func TestDB_RejectedLoginIsUnavailable(t *testing.T) {
	t.Parallel()
	address := pgtest.URL(t)
	for _, option := range []string{"dbname=nosuch", "user=nosuch"} {
		t.Run(option, func(t *testing.T) {
			t.Parallel()
			db, err := postgres.Open(postgres.Config{URL: withOption(t, address, option)})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if err := db.Ping(t.Context()); !fault.Is(err, fault.Unavailable) {
				t.Errorf("Ping = %v, want unavailable", err)
			}
		})
	}
}

// withOption adds a connection option to the database's address.
func withOption(t *testing.T, address, option string) string {
	t.Helper()
	if !strings.Contains(address, "://") {
		return address + " " + option
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	name, value, _ := strings.Cut(option, "=")
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

func TestDB_ReplacesKilledConnections(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := t.Context()
	var one int
	if err := db.Get(ctx, &one, "SELECT 1"); err != nil {
		t.Fatal(err)
	}
	killer := pgtest.New(t)
	var name string
	if err := db.Get(ctx, &name, "SELECT current_database()"); err != nil {
		t.Fatal(err)
	}
	_, err := killer.Exec(ctx, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", name)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		err := db.Get(ctx, &one, "SELECT 1")
		if err == nil {
			return
		}
		if !fault.Is(err, fault.Unavailable) {
			t.Fatalf("query = %v, want unavailable until the pool recovers", err)
		}
	}
	t.Fatal("the pool did not recover")
}
