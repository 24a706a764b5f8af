package processtest

import (
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// refused checks that a command failed with the exit code and printed only one line, on standard error, that contains
// the texts.
func (o outcome) refused(t testing.TB, code int, texts ...string) {
	t.Helper()
	line, more, ended := strings.Cut(o.stderr, "\n")
	if o.code != code || o.stdout != "" || !ended || more != "" || !strings.HasPrefix(line, "cardvault: ") {
		t.Fatalf("exit code %d, want %d; standard output %q, standard error %q", o.code, code, o.stdout, o.stderr)
	}
	for _, text := range texts {
		if !strings.Contains(line, text) {
			t.Errorf("the error %q does not contain %q", line, text)
		}
	}
}

// addressInUse returns an address with a listener.
func addressInUse(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String()
}

// otherDatabase returns the URL of another database on the same server.
func otherDatabase(t testing.TB, address, name string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// emptyDatabase returns the URL of a database without tables.
func emptyDatabase(t testing.TB) string {
	t.Helper()
	address := pgtest.URL(t)
	db, err := postgres.Open(postgres.Config{URL: address, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, statement := range []string{"DROP SCHEMA public CASCADE", "CREATE SCHEMA public"} {
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return address
}

// A server with a wrong configuration reports in one line which setting is wrong and what to do. It never prints a
// secret.
func TestServe_ConfigurationErrors(t *testing.T) {
	t.Parallel()
	good := newSettings(t, pgtest.URL(t)).with("CARDVAULT_LOG_LEVEL", "error") // no other lines on standard error
	database := func(url string) settings { return good.with("CARDVAULT_DATABASE_URL", url) }
	busy := addressInUse(t)
	for name, tc := range map[string]struct {
		settings settings
		code     int
		texts    []string
	}{
		"address in use": {
			good.with("CARDVAULT_ADDR", busy), 1, []string{"CARDVAULT_ADDR", busy, "in use"},
		},
		"admin address in use": {
			good.with("CARDVAULT_ADMIN_ADDR", busy), 1, []string{"CARDVAULT_ADMIN_ADDR", busy, "in use"},
		},
		"malformed address": {
			good.with("CARDVAULT_ADDR", "nowhere:at:all"), 1, []string{"CARDVAULT_ADDR"},
		},
		"no database": {
			database(""), 1, []string{"CARDVAULT_DATABASE_URL"},
		},
		"unknown database": {
			database(otherDatabase(t, good["CARDVAULT_DATABASE_URL"], "nosuch")), 1,
			[]string{"CARDVAULT_DATABASE_URL", "nosuch"},
		},
		"no database server": {
			database("postgres://vault:hunter2@127.0.0.1:1/cardvault?sslmode=disable"), 1,
			[]string{"CARDVAULT_DATABASE_URL", "127.0.0.1:1"},
		},
		"malformed database URL": {
			database("postgres://vault:hunter2@127.0.0.1:port/cardvault"), 1, []string{"CARDVAULT_DATABASE_URL"},
		},
		"password not escaped": {
			database("postgres://vault:hunter2/x@127.0.0.1/cardvault"), 1,
			[]string{"CARDVAULT_DATABASE_URL", "percent-encoded"},
		},
		"database not migrated": {
			database(emptyDatabase(t)), 1, []string{"cardvault migrate up"},
		},
		"no secret key": {
			good.with("CARDVAULT_SECRET_KEY", "", "CARDVAULT_ALLOW_PRIVATE_NETWORKS", "false"), 1,
			[]string{"CARDVAULT_SECRET_KEY"},
		},
		"short secret key": {
			good.with("CARDVAULT_SECRET_KEY", "aHVudGVyMg=="), 2, []string{"CARDVAULT_SECRET_KEY"},
		},
		"wrong Redis URL": {
			good.with("CARDVAULT_REDIS_URL", "http://vault:hunter2@127.0.0.1"), 1, []string{"CARDVAULT_REDIS_URL"},
		},
		"short lease": {
			good.with("CARDVAULT_WEBHOOK_LEASE", "1s"), 2, []string{"CARDVAULT_WEBHOOK_LEASE"},
		},
		"early sunset of v1": {
			good.with("CARDVAULT_V2_SHIPPED_AT", "2027-03-01", "CARDVAULT_V1_SUNSET_AT", "2028-02-29"), 2,
			[]string{"CARDVAULT_V1_SUNSET_AT", "at least 12 months", "2028-03-01T00:00:00Z or later"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := tc.settings.run(t, "serve")
			got.refused(t, tc.code, tc.texts...)
			if strings.Contains(got.stderr, "hunter2") || strings.Contains(got.stderr, "aHVudGVyMg") {
				t.Errorf("the error contains a secret: %s", got.stderr)
			}
		})
	}
}

// serve --migrate works with an empty database.
func TestServe_Migrate(t *testing.T) {
	t.Parallel()
	s := newSettings(t, emptyDatabase(t))
	server := s.serve(t, "--migrate")
	s.account(t).at(server).create(1)
	var shown struct {
		Data []struct{ Applied bool }
	}
	s.read(t, &shown, "migrate", "status")
	if len(shown.Data) == 0 || slices.Contains(shown.Data, struct{ Applied bool }{false}) {
		t.Errorf("migrations %+v, want all applied", shown.Data)
	}
}
