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

// refused checks that a command ended with the exit code and one plain line on standard error that
// holds all of these texts, and printed nothing else.
func (o outcome) refused(t testing.TB, code int, texts ...string) {
	t.Helper()
	line, more, ended := strings.Cut(o.stderr, "\n")
	if o.code != code || o.stdout != "" || !ended || more != "" || !strings.HasPrefix(line, "cardvault: ") {
		t.Fatalf("exit code %d, want %d; standard output %q, standard error %q", o.code, code, o.stdout, o.stderr)
	}
	for _, text := range texts {
		if !strings.Contains(line, text) {
			t.Errorf("%q does not say %q", line, text)
		}
	}
}

// taken returns an address that somebody listens at.
func taken(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String()
}

// otherDatabase returns the address with another database's name.
func otherDatabase(t testing.TB, address, name string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

// emptied returns the address of a database that has no tables.
func emptied(t testing.TB) string {
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

// A server that cannot start says which setting is wrong and what to do, in one line, and never
// shows a password.
func TestASetUpThatCannotWorkIsExplained(t *testing.T) {
	t.Parallel()
	good := newSettings(t, pgtest.URL(t)).with("CARDVAULT_LOG_LEVEL", "error") // the log is not what is looked at here
	busy := taken(t)
	for name, tc := range map[string]struct {
		settings settings
		code     int
		texts    []string
	}{
		"the address is in use":       {good.with("CARDVAULT_ADDR", busy), 1, []string{"CARDVAULT_ADDR", busy, "in use"}},
		"the admin address is in use": {good.with("CARDVAULT_ADMIN_ADDR", busy), 1, []string{"CARDVAULT_ADMIN_ADDR", busy, "in use"}},
		"the address is nonsense":     {good.with("CARDVAULT_ADDR", "nowhere:at:all"), 1, []string{"CARDVAULT_ADDR"}},
		"no database is set":          {good.with("CARDVAULT_DATABASE_URL", ""), 1, []string{"CARDVAULT_DATABASE_URL"}},
		"the database is not there": {good.with("CARDVAULT_DATABASE_URL", otherDatabase(t, good["CARDVAULT_DATABASE_URL"], "nosuch")),
			1, []string{"CARDVAULT_DATABASE_URL", "nosuch"}},
		"nothing answers": {good.with("CARDVAULT_DATABASE_URL", "postgres://vault:hunter2@127.0.0.1:1/cardvault?sslmode=disable"),
			1, []string{"CARDVAULT_DATABASE_URL", "127.0.0.1:1"}},
		"the database's address is nonsense": {good.with("CARDVAULT_DATABASE_URL", "postgres://vault:hunter2@127.0.0.1:port/cardvault"),
			1, []string{"CARDVAULT_DATABASE_URL"}},
		"the password is not escaped": {good.with("CARDVAULT_DATABASE_URL", "postgres://vault:hunter2/x@127.0.0.1/cardvault"),
			1, []string{"CARDVAULT_DATABASE_URL", "percent-encoded"}},
		"the database is not migrated": {good.with("CARDVAULT_DATABASE_URL", emptied(t)), 1, []string{"cardvault migrate up"}},
		"there is no secret key": {good.with("CARDVAULT_SECRET_KEY", "", "CARDVAULT_ALLOW_PRIVATE_NETWORKS", "false"),
			1, []string{"CARDVAULT_SECRET_KEY"}},
		"the secret key is too short": {good.with("CARDVAULT_SECRET_KEY", "aHVudGVyMg=="), 2, []string{"CARDVAULT_SECRET_KEY"}},
		"Redis's address is nonsense": {good.with("CARDVAULT_REDIS_URL", "http://vault:hunter2@127.0.0.1"), 1, []string{"CARDVAULT_REDIS_URL"}},
		"the lease is too short":      {good.with("CARDVAULT_WEBHOOK_LEASE", "1s"), 2, []string{"CARDVAULT_WEBHOOK_LEASE"}},
		"v1 would end too early": {good.with("CARDVAULT_V2_SHIPPED_AT", "2027-03-01", "CARDVAULT_V1_SUNSET_AT", "2028-02-29"),
			2, []string{"CARDVAULT_V1_SUNSET_AT", "at least 12 months", "2028-03-01T00:00:00Z or later"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := tc.settings.run(t, "serve")
			got.refused(t, tc.code, tc.texts...)
			if strings.Contains(got.stderr, "hunter2") || strings.Contains(got.stderr, "aHVudGVyMg") {
				t.Errorf("a secret is shown: %s", got.stderr)
			}
		})
	}
}

// serve --migrate is enough for an empty database.
func TestServeMigratesWhenAsked(t *testing.T) {
	t.Parallel()
	s := newSettings(t, emptied(t))
	server := s.serve(t, "--migrate")
	s.account(t).at(server).create(1)
	var shown struct {
		Data []struct{ Applied bool }
	}
	s.read(t, &shown, "migrate", "status")
	if len(shown.Data) == 0 || slices.Contains(shown.Data, struct{ Applied bool }{false}) {
		t.Errorf("migrations %+v", shown.Data)
	}
}
