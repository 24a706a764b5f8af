package processtest

import (
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/openapi"
)

// object runs a command with --json and returns the object that it prints. Other output fails the test.
func (s settings) object(t testing.TB, args ...string) map[string]any {
	t.Helper()
	got := s.run(t, append(args, "--json")...)
	if got.code != 0 || got.stderr != "" {
		t.Fatalf("cardvault %s: exit code %d, standard error %q", strings.Join(args, " "), got.code, got.stderr)
	}
	in := json.NewDecoder(strings.NewReader(got.stdout))
	var printed map[string]any
	if err := in.Decode(&printed); err != nil {
		t.Fatalf("cardvault %s: %v: %s", strings.Join(args, " "), err, got.stdout)
	}
	if _, err := in.Token(); err != io.EOF {
		t.Errorf("cardvault %s prints more than one object: %s", strings.Join(args, " "), got.stdout)
	}
	return printed
}

// exactly runs a command with --json and checks that the object has these fields and no others.
func (s settings) exactly(t testing.TB, fields []string, args ...string) map[string]any {
	t.Helper()
	printed := s.object(t, args...)
	if diff := cmp.Diff(slices.Sorted(slices.Values(fields)), slices.Sorted(maps.Keys(printed))); diff != "" {
		t.Errorf("fields that cardvault %s prints (-want +got):\n%s", strings.Join(args, " "), diff)
	}
	return printed
}

// listed runs a command that prints a list with --json and returns its rows. There must be a row, and each must have
// these fields.
func (s settings) listed(t testing.TB, fields []string, args ...string) (rows []map[string]any) {
	t.Helper()
	list, _ := s.exactly(t, []string{"data"}, args...)["data"].([]any)
	for _, one := range list {
		row, _ := one.(map[string]any)
		rows = append(rows, row)
		for _, field := range fields {
			if _, ok := row[field]; !ok {
				t.Errorf("cardvault %s lists %v without %q", strings.Join(args, " "), row, field)
			}
		}
	}
	if len(rows) == 0 {
		t.Fatalf("cardvault %s lists nothing", strings.Join(args, " "))
	}
	return rows
}

// The fields that scripts rely on.
var (
	accountFields  = []string{"id", "name", "sandbox", "currency", "time_zone", "preferences"}
	tokenFields    = []string{"id", "account_id", "name", "token"}
	webhookFields  = []string{"id", "account_id", "url", "secret"}
	deliveryFields = []string{
		"id", "event_id", "endpoint_id", "account_id", "state", "attempts", "next_attempt_at", "last_status",
		"last_error",
	}
)

func TestCommands_AccountsAndTokens(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	made := s.exactly(t, accountFields, "account", "create", "--name", "Corner shop", "--sandbox")
	id, _ := made["id"].(string)
	if made["name"] != "Corner shop" || made["sandbox"] != true || !strings.HasPrefix(id, "acc_") {
		t.Errorf("account create prints %v", made)
	}
	s.listed(t, accountFields, "account", "list")

	token := s.exactly(t, tokenFields,
		"token", "create", "--account", id, "--name", "till", "--limits", "read=10,ai=1")
	secret, _ := token["token"].(string)
	if !strings.HasPrefix(secret, "cv_test_") || len(secret) != len("cv_test_")+36 || token["account_id"] != id {
		t.Errorf("token create prints %v", token)
	}
	next := s.exactly(t, tokenFields, "token", "rotate", token["id"].(string), "--grace", "1h")
	if next["token"] == secret {
		t.Error("token rotate prints the old token")
	}
	s.object(t, "token", "revoke", next["id"].(string))
	s.run(t, "token", "rotate", next["id"].(string)).refused(t, 1, "revoked", next["id"].(string))
	rows := s.listed(t, []string{"id", "account_id", "name", "last_used_at", "revoked_at"},
		"token", "list", "--account", strings.ToUpper(id))
	for _, row := range rows {
		if _, shown := row["token"]; shown || row["revoked_at"] == nil {
			t.Errorf("token list prints %v, want no token and a time of revocation", row)
		}
	}
}

func TestCommands_Webhooks(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	hook := owner.sink(nil)
	s.serve(t)
	file := filepath.Join(t.TempDir(), "cards.csv")
	if err := os.WriteFile(file, []byte("title,set,number\nEmber Fox,Dawn of Cinders,54/167\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.object(t, "cards", "import", "--account", owner.id, file)
	delivered := func() bool { return len(owner.deliveries("delivered")) == 2 }
	eventually(t, "the server delivers the events of the import", delivered)
	delivery := s.listed(t, deliveryFields, "webhook", "deliveries", "--account", owner.id)[0]
	if delivery["state"] != "delivered" || delivery["last_status"] != 204.0 || delivery["attempts"] != 1.0 {
		t.Errorf("webhook deliveries prints %v", delivery)
	}
	again := s.object(t, "webhook", "resend", delivery["id"].(string))
	if again["id"] != delivery["id"] || again["state"] != "pending" {
		t.Errorf("webhook resend prints %v", again)
	}
	arrived := func() int { return hook.total(delivery["event_id"].(string)) }
	eventually(t, "the event arrives again", func() bool { return arrived() == 2 })
	s.exactly(t, []string{"resent"}, "webhook", "resend", "--dropped-since", "2020-01-01T00:00:00Z")
	eventually(t, "the result of the second attempt is stored", delivered)
	replayed := s.exactly(t, []string{"resent"},
		"webhook", "resend", "--endpoint", delivery["endpoint_id"].(string), "--since", "2020-01-01T00:00:00Z")
	if replayed["resent"] != 2.0 {
		t.Errorf("webhook resend --since prints %v", replayed)
	}
	eventually(t, "the event arrives a third time", func() bool { return arrived() == 3 })

	tested := s.object(t, "webhook", "test", delivery["endpoint_id"].(string))
	if tested["state"] != "delivered" || tested["last_status"] != 204.0 {
		t.Errorf("webhook test prints %v", tested)
	}

	made := s.exactly(t, webhookFields, "webhook", "register", "--account", strings.ToUpper(owner.id),
		"--url", hook.URL+"/two", "--events", "listing.sold,listing.ended")
	id := made["id"].(string)
	if secret, _ := made["secret"].(string); !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("webhook register prints %v", made)
	}
	next := s.exactly(t, webhookFields, "webhook", "rotate-secret", id)
	if next["secret"] == made["secret"] || next["id"] != id {
		t.Errorf("webhook rotate-secret prints %v", next)
	}
	endpoint := s.listed(t, []string{"id", "previous_secrets"}, "webhook", "list", "--account", owner.id)[1]
	previous := endpoint["previous_secrets"].([]any)[0].(map[string]any)["id"].(string)
	if got := s.object(t, "webhook", "end-secret", id, previous); got["id"] != id {
		t.Errorf("webhook end-secret prints %v", got)
	}
	reencrypted := s.exactly(t, []string{"reencrypted", "current"}, "webhook", "re-encrypt")
	if reencrypted["reencrypted"] != 0.0 || reencrypted["current"] != 2.0 {
		t.Errorf("two current endpoints, re-encrypted: %v", reencrypted)
	}
	for _, command := range []string{"disable", "enable", "delete"} {
		if got := s.object(t, "webhook", command, id, "--account", strings.ToUpper(owner.id)); got["id"] != id {
			t.Errorf("webhook %s prints %v", command, got)
		}
	}
	rows := s.listed(t, []string{"id", "account_id", "url", "events", "enabled"},
		"webhook", "list", "--account", strings.ToUpper(owner.id))
	if _, shown := rows[0]["secret"]; len(rows) != 1 || shown {
		t.Errorf("webhook list prints %v, want one endpoint without its secret", rows)
	}
}

func TestCommands_Files(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	const cards = "title,set,number,location\nEmber Fox,Dawn of Cinders,54/167,Room A/Box 1\n"
	dir := t.TempDir()
	file := filepath.Join(dir, "cards.csv")
	if err := os.WriteFile(file, []byte(cards), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := s.object(t, "cards", "import", "--account", owner.id, file, "--batch", "First"); got["cards"] != 1.0 {
		t.Errorf("cards import prints %v", got)
	}
	exported := s.run(t, "cards", "export", "--account", owner.id)
	if exported.code != 0 || !strings.Contains(exported.stdout, "Ember Fox") {
		t.Errorf("cards export: %+v", exported)
	}
	if err := os.WriteFile(file, []byte(exported.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	if again := s.object(t, "cards", "import", "--account", owner.id, file); again["unchanged"] != 1.0 {
		t.Errorf("import of an export prints %v, want 1 unchanged card", again)
	}

	bad := filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(bad, []byte("title,location\nOwl,Room A\nFox,1/2/3/4/5/6/7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := s.run(t, "cards", "import", "--account", owner.id, bad, "--json")
	if refused.code != 1 || refused.stdout != "" || !strings.Contains(refused.stderr, "3") {
		t.Errorf("import of a file with a bad row: %+v, want an error that names row 3", refused)
	}
	if again := s.run(t, "cards", "export", "--account", owner.id); again.stdout != exported.stdout {
		t.Errorf("a refused import changed the inventory: %s", again.stdout)
	}

	sold := s.run(t, "cards", "export", "--status", "sold,archived", "--account", owner.id)
	if sold.code != 0 || strings.Contains(sold.stdout, "Ember Fox") {
		t.Errorf("cards export --status sold,archived: %+v", sold)
	}

	for _, inserted := range []float64{40, 0} {
		got := s.object(t, "catalog", "import", "--format", "csv", "../../../internal/demo/cards.csv")
		if got["read"] != 40.0 || got["inserted"] != inserted {
			t.Errorf("catalog import prints %v, want 40 rows read and %v inserted", got, inserted)
		}
	}
	half := filepath.Join(dir, "half.csv")
	if err := os.WriteFile(half, []byte("id,name\n1,Owl\n"+strings.Repeat("2,\n", 1500)), 0o600); err != nil {
		t.Fatal(err)
	}
	counted := s.run(t, "catalog", "import", "--format", "csv", half)
	if !strings.Contains(counted.stdout, "1501 read: 1 new") || !strings.Contains(counted.stdout, " 1500 refused.") ||
		!strings.HasSuffix(counted.stderr, "\nand 500 more\n") {
		t.Errorf("catalog import of a file with 1500 bad rows: %+v", counted)
	}
}

// commands are the commands of the program by their group, "" for those without a group.
var commands = map[string][]string{
	"":        {"serve", "worker", "market", "demo", "sandbox", "version"},
	"migrate": {"up", "status"},
	"account": {"create"},
	"token":   {"create", "list", "revoke", "rotate"},
	"webhook": {
		"register", "list", "rotate-secret", "end-secret", "disable", "enable", "delete", "deliveries", "resend",
		"re-encrypt", "test",
	},
	"marketplace": {"connect", "status", "subscribe", "disconnect"},
	"cards":       {"import", "export"},
	"catalog":     {"import"},
}

func TestHelp_ListsEveryCommand(t *testing.T) {
	t.Parallel()
	help := settings{}.run(t, "help")
	if help.code != 0 || help.stderr != "" {
		t.Fatalf("help: %+v", help)
	}
	for group, names := range commands {
		for _, name := range names {
			command := strings.TrimSpace(group + " " + name)
			if !strings.Contains(help.stdout, "\n  "+command+" ") {
				t.Errorf("help does not list %q:\n%s", command, help.stdout)
			}
			got := (settings{}).run(t, append(strings.Fields(command), "--help")...)
			if got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, command) {
				t.Errorf("cardvault %s --help: %+v", command, got)
			}
		}
	}
	for _, variable := range []string{
		"DATABASE_URL", "ADDR", "ADMIN_ADDR", "SECRET_KEY", "ALLOW_PRIVATE_NETWORKS", "WEBHOOK_RETRY_DELAYS",
		"WEBHOOK_TIMEOUT", "RATE_LIMITS", "REDIS_URL", "PHOTO_STORE", "IDENTIFY_PROVIDERS",
	} {
		if !strings.Contains(help.stdout, "CARDVAULT_"+variable) {
			t.Errorf("help does not list CARDVAULT_%s", variable)
		}
	}
}

// The command prints the version of each contract. It needs no database.
func TestVersion(t *testing.T) {
	t.Parallel()
	v1, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	got := (settings{}).exactly(t, []string{"version", "go", "v1", "v2"}, "version")
	if got["v1"] != v1.Info.Version || got["go"] != runtime.Version() || got["version"] == "" {
		t.Errorf("version prints %v", got)
	}
}

// An error is one line. The exit code is 2 for a wrong command line and 1 for other errors.
func TestCommands_Errors(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	const (
		unknown         = "acc_01k5w0q2m7t9c3r5v8x0z1b4d6"
		unknownEndpoint = "whe_01k5w0q2m7t9c3r5v8x0z1b4d6"
	)
	for _, tc := range []struct {
		command string
		code    int
		text    string
	}{
		{"", 2, "cardvault help"},
		{"nonsense", 2, "nonsense"},
		{"help nonsense", 2, "no command nonsense"},
		{"account", 2, "cardvault help"},
		{"account create", 2, "--name"},
		{"account create --name", 2, "--name"},
		{"account create --name x --colour red", 2, "--colour"},
		{"serve --workers=perhaps", 2, "--workers"},
		{"migrate sideways", 2, "sideways"},
		{"token create --name x --account " + unknown, 1, unknown},
		{"token create --name x --account nonsense", 1, "nonsense"},
		{"token create --name x --limits read=all --account " + owner.id, 2, "read"},
		{"token list --account " + unknown, 1, unknown},
		{"webhook list --account " + unknown, 1, unknown},
		{"webhook deliveries --account " + unknown, 1, unknown},
		{"webhook resend --dropped-since 2026-01-01T00:00:00Z --account " + unknown, 1, unknown},
		{"token revoke tok_01k5w0q2m7t9c3r5v8x0z1b4d6", 1, "tok_01k5w0q2m7t9c3r5v8x0z1b4d6"},
		{"token rotate --grace -1s " + owner.tokenID, 2, "--grace"},
		{"webhook register --url http://127.0.0.1/ --account " + unknown, 1, unknown},
		{"webhook register --url ftp://vault.example/ --account " + owner.id, 1, "http"},
		{"webhook register --url http://127.0.0.1/ --events card.eaten --account " + owner.id, 1, "card.eaten"},
		{"webhook disable " + unknownEndpoint, 1, "no webhook endpoint " + unknownEndpoint + " in any account"},
		{"webhook disable " + unknownEndpoint + " --account " + unknown, 1, unknown},
		{"webhook rotate-secret foo", 1, "no webhook endpoint foo in any account"},
		{"webhook end-secret foo whs_x", 1, "no webhook endpoint foo in any account"},
		{"webhook rotate-secret foo --account " + owner.id, 1, "no webhook endpoint foo in this account"},
		{"webhook resend foo", 1, "no webhook delivery foo in any account"},
		{"webhook deliveries --state lost", 1, "dropped"},
		{"webhook resend", 2, "--dropped-since"},
		{"webhook resend dlv_01k5w0q2m7t9c3r5v8x0z1b4d6", 1, ""},
		{"webhook resend --dropped-since yesterday", 2, "--dropped-since"},
		{"webhook test " + unknownEndpoint, 1, ""},
		{"webhook resend --since 2026-01-01T00:00:00Z", 2, "--endpoint"},
		{"webhook resend --rate 0 --dropped-since 2026-01-01T00:00:00Z", 2, "--rate"},
		{"webhook resend --endpoint " + unknownEndpoint + " --since 2026-01-01T00:00:00Z", 1, "endpoint"},
		{"cards import nosuch.csv --account " + owner.id, 1, "nosuch.csv"},
		{"cards import ../../../internal/demo/cards.csv --account " + unknown, 1, unknown},
		{"cards export --account " + unknown, 1, unknown},
		{"cards export --status listed,sld --account " + owner.id, 2, "needs_review"},
		{"catalog import --format xml .", 2, "--format"},
		{"catalog import --format csv nosuch.csv", 1, "nosuch.csv"},
		{"catalog import --format csv .", 1, ""},
	} {
		t.Run(tc.command, func(t *testing.T) {
			t.Parallel()
			s.run(t, strings.Fields(tc.command)...).refused(t, tc.code, tc.text)
		})
	}
}
