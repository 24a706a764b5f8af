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

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/openapi"
)

// object runs a command with --json, which must print one JSON object and nothing else.
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

// exactly runs a command with --json, which must print an object of these fields, and returns it.
func (s settings) exactly(t testing.TB, fields string, args ...string) map[string]any {
	t.Helper()
	printed := s.object(t, args...)
	want := strings.Fields(fields)
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(printed)); !slices.Equal(got, want) {
		t.Errorf("cardvault %s prints the fields %v, want %v", strings.Join(args, " "), got, want)
	}
	return printed
}

// listed runs a command that lists with --json and returns the rows, each of which must have at
// least these fields; there must be one.
func (s settings) listed(t testing.TB, fields string, args ...string) (rows []map[string]any) {
	t.Helper()
	list, _ := s.exactly(t, "data", args...)["data"].([]any)
	for _, one := range list {
		row, _ := one.(map[string]any)
		rows = append(rows, row)
		for field := range strings.FieldsSeq(fields) {
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
const (
	accountFields  = "id name sandbox"
	tokenFields    = "id account_id name token"
	webhookFields  = "id account_id url secret"
	deliveryFields = "id event_id endpoint_id account_id state attempts next_attempt_at last_status last_error"
)

func TestCommandsOnAccountsAndTokens(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	made := s.exactly(t, accountFields, "account", "create", "--name", "Corner shop", "--sandbox")
	id, _ := made["id"].(string)
	if made["name"] != "Corner shop" || made["sandbox"] != true || !strings.HasPrefix(id, "acc_") {
		t.Errorf("made %v", made)
	}
	s.listed(t, accountFields, "account", "list")

	token := s.exactly(t, tokenFields, "token", "create", "--account", id, "--name", "till", "--limits", "read=10,ai=1")
	secret, _ := token["token"].(string)
	if !strings.HasPrefix(secret, "cv_test_") || len(secret) != len("cv_test_")+36 || token["account_id"] != id {
		t.Errorf("made %v", token)
	}
	next := s.exactly(t, tokenFields, "token", "rotate", token["id"].(string), "--grace", "1h")
	if next["token"] == secret {
		t.Error("the successor is the old token")
	}
	s.object(t, "token", "revoke", next["id"].(string))
	s.run(t, "token", "rotate", next["id"].(string)).refused(t, 1, "revoked", next["id"].(string))
	for _, row := range s.listed(t, "id account_id name last_used_at revoked_at", "token", "list", "--account", strings.ToUpper(id)) {
		if _, shown := row["token"]; shown || row["revoked_at"] == nil {
			t.Errorf("listed %v", row)
		}
	}
}

func TestCommandsOnWebhooks(t *testing.T) {
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
	eventually(t, "the server sends what another process made", func() bool { return len(owner.deliveries("delivered")) == 2 })
	delivery := s.listed(t, deliveryFields, "webhook", "deliveries", "--account", owner.id)[0]
	if delivery["state"] != "delivered" || delivery["last_status"] != 204.0 || delivery["attempts"] != 1.0 {
		t.Errorf("delivered %v", delivery)
	}
	again := s.object(t, "webhook", "resend", delivery["id"].(string))
	if again["id"] != delivery["id"] || again["state"] != "pending" {
		t.Errorf("sent again: %v", again)
	}
	eventually(t, "it arrives again", func() bool { return hook.total(delivery["event_id"].(string)) == 2 })
	s.exactly(t, "resent", "webhook", "resend", "--dropped-since", "2020-01-01T00:00:00Z")
	eventually(t, "it is stored", func() bool { return len(owner.deliveries("delivered")) == 2 })
	replayed := s.exactly(t, "resent", "webhook", "resend", "--endpoint", delivery["endpoint_id"].(string), "--since", "2020-01-01T00:00:00Z")
	if replayed["resent"] != 2.0 {
		t.Errorf("replayed: %v", replayed)
	}
	eventually(t, "it arrives a third time", func() bool { return hook.total(delivery["event_id"].(string)) == 3 })

	if tested := s.object(t, "webhook", "test", delivery["endpoint_id"].(string)); tested["state"] != "delivered" || tested["last_status"] != 204.0 {
		t.Errorf("tested: %v", tested)
	}

	made := s.exactly(t, webhookFields, "webhook", "register", "--account", strings.ToUpper(owner.id), "--url", hook.URL+"/two", "--events", "listing.sold,listing.ended")
	id := made["id"].(string)
	if secret, _ := made["secret"].(string); !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("made %v", made)
	}
	if next := s.exactly(t, webhookFields, "webhook", "rotate-secret", id); next["secret"] == made["secret"] || next["id"] != id {
		t.Errorf("the new secret: %v", next)
	}
	if done := s.exactly(t, "resealed current", "webhook", "reseal"); done["resealed"] != 0.0 || done["current"] != 2.0 {
		t.Errorf("resealed: %v", done)
	}
	for _, does := range []string{"disable", "enable", "delete"} {
		if did := s.object(t, "webhook", does, id, "--account", strings.ToUpper(owner.id)); did["id"] != id {
			t.Errorf("%s: %v", does, did)
		}
	}
	rows := s.listed(t, "id account_id url events enabled", "webhook", "list", "--account", strings.ToUpper(owner.id))
	if _, shown := rows[0]["secret"]; len(rows) != 1 || shown {
		t.Errorf("listed %v", rows)
	}
}

func TestCommandsOnFiles(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	const cards = "title,set,number,location\nEmber Fox,Dawn of Cinders,54/167,Room A/Box 1\n"
	dir := t.TempDir()
	file := filepath.Join(dir, "cards.csv")
	if err := os.WriteFile(file, []byte(cards), 0o600); err != nil {
		t.Fatal(err)
	}
	if did := s.object(t, "cards", "import", "--account", owner.id, file, "--batch", "First"); did["cards"] != 1.0 {
		t.Errorf("imported %v", did)
	}
	exported := s.run(t, "cards", "export", "--account", owner.id)
	if exported.code != 0 || !strings.Contains(exported.stdout, "Ember Fox") {
		t.Errorf("exported %+v", exported)
	}

	bad := filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(bad, []byte("title,location\nOwl,Room A\nFox,1/2/3/4/5/6/7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused := s.run(t, "cards", "import", "--account", owner.id, bad, "--json")
	if refused.code != 1 || refused.stdout != "" || !strings.Contains(refused.stderr, "3") {
		t.Errorf("a bad row: %+v", refused)
	}
	if again := s.run(t, "cards", "export", "--account", owner.id); again.stdout != exported.stdout {
		t.Errorf("half imported: %s", again.stdout)
	}

	if sold := s.run(t, "cards", "export", "--status", "sold,archived", "--account", owner.id); sold.code != 0 || strings.Contains(sold.stdout, "Ember Fox") {
		t.Errorf("exported those sold: %+v", sold)
	}

	for _, inserted := range []float64{40, 0} {
		did := s.object(t, "catalog", "import", "--format", "csv", "../../../internal/demo/cards.csv")
		if did["read"] != 40.0 || did["inserted"] != inserted {
			t.Errorf("imported %v", did)
		}
	}
	half := filepath.Join(dir, "half.csv")
	if err := os.WriteFile(half, []byte("id,name\n1,Owl\n"+strings.Repeat("2,\n", 1500)), 0o600); err != nil {
		t.Fatal(err)
	}
	counted := s.run(t, "catalog", "import", "--format", "csv", half)
	if !strings.Contains(counted.stdout, "1501 read: 1 new") || !strings.Contains(counted.stdout, " 1500 refused.") || !strings.HasSuffix(counted.stderr, "\nand 500 more\n") {
		t.Errorf("refused rows: %s", counted.stdout)
	}
}

func TestHelpListsEveryCommand(t *testing.T) {
	t.Parallel()
	help := settings{}.run(t, "help")
	if help.code != 0 || help.stderr != "" {
		t.Fatalf("help: %+v", help)
	}
	for command := range strings.SplitSeq("serve|worker|migrate up|migrate status|account create|token create|token list|token revoke|token rotate|"+
		"webhook register|webhook list|webhook rotate-secret|webhook disable|webhook enable|webhook delete|webhook deliveries|webhook resend|webhook reseal|webhook test|"+
		"cards import|cards export|catalog import|market|demo|sandbox|version", "|") {
		if !strings.Contains(help.stdout, "\n  "+command+" ") {
			t.Errorf("help does not list %q:\n%s", command, help.stdout)
		}
		if got := (settings{}).run(t, append(strings.Fields(command), "--help")...); got.code != 0 || got.stderr != "" || !strings.Contains(got.stdout, command) {
			t.Errorf("cardvault %s --help: %+v", command, got)
		}
	}
	for _, variable := range []string{"DATABASE_URL", "ADDR", "ADMIN_ADDR", "SECRET_KEY", "ALLOW_PRIVATE_NETWORKS", "WEBHOOK_RETRY_DELAYS",
		"WEBHOOK_TIMEOUT", "RATE_LIMITS", "REDIS_URL", "PHOTO_STORE", "IDENTIFY_PROVIDERS"} {
		if !strings.Contains(help.stdout, "CARDVAULT_"+variable) {
			t.Errorf("help does not list CARDVAULT_%s", variable)
		}
	}
}

// The versions of the contracts are those that the portal shows; no database is needed to tell them.
func TestVersion(t *testing.T) {
	t.Parallel()
	v1, err := openapi.ParseV1()
	if err != nil {
		t.Fatal(err)
	}
	got := (settings{}).exactly(t, "version go v1 v2", "version")
	if got["v1"] != v1.Info.Version || got["go"] != runtime.Version() || got["version"] == "" {
		t.Errorf("got %v", got)
	}
}

// Errors are one plain line, with the exit code 2 for what the user typed and 1 for what the service
// cannot do.
func TestCommandsThatFail(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	const nobody = "acc_01k5w0q2m7t9c3r5v8x0z1b4d6"
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
		{"token create --name x --account " + nobody, 1, nobody},
		{"token create --name x --account nonsense", 1, "nonsense"},
		{"token create --name x --limits read=all --account " + owner.id, 2, "read"},
		{"token list --account " + nobody, 1, nobody},
		{"webhook list --account " + nobody, 1, nobody},
		{"webhook deliveries --account " + nobody, 1, nobody},
		{"webhook resend --dropped-since 2026-01-01T00:00:00Z --account " + nobody, 1, nobody},
		{"token revoke tok_01k5w0q2m7t9c3r5v8x0z1b4d6", 1, "tok_01k5w0q2m7t9c3r5v8x0z1b4d6"},
		{"token rotate --grace -1s " + owner.tokenID, 2, "--grace"},
		{"webhook register --url http://127.0.0.1/ --account " + nobody, 1, nobody},
		{"webhook register --url ftp://vault.example/ --account " + owner.id, 1, "http"},
		{"webhook register --url http://127.0.0.1/ --events card.eaten --account " + owner.id, 1, "card.eaten"},
		{"webhook disable whe_01k5w0q2m7t9c3r5v8x0z1b4d6", 1, "no webhook endpoint whe_01k5w0q2m7t9c3r5v8x0z1b4d6 in any account"},
		{"webhook disable whe_01k5w0q2m7t9c3r5v8x0z1b4d6 --account " + nobody, 1, nobody},
		{"webhook rotate-secret foo", 1, "no webhook endpoint foo in any account"},
		{"webhook rotate-secret foo --account " + owner.id, 1, "no webhook endpoint foo in this account"},
		{"webhook resend foo", 1, "no webhook delivery foo in any account"},
		{"webhook deliveries --state lost", 1, "dropped"},
		{"webhook resend", 2, "--dropped-since"},
		{"webhook resend dlv_01k5w0q2m7t9c3r5v8x0z1b4d6", 1, ""},
		{"webhook resend --dropped-since yesterday", 2, "--dropped-since"},
		{"webhook test whe_01k5w0q2m7t9c3r5v8x0z1b4d6", 1, ""},
		{"webhook resend --since 2026-01-01T00:00:00Z", 2, "--endpoint"},
		{"webhook resend --rate 0 --dropped-since 2026-01-01T00:00:00Z", 2, "--rate"},
		{"webhook resend --endpoint whe_01k5w0q2m7t9c3r5v8x0z1b4d6 --since 2026-01-01T00:00:00Z", 1, "endpoint"},
		{"cards import nosuch.csv --account " + owner.id, 1, "nosuch.csv"},
		{"cards import ../../../internal/demo/cards.csv --account " + nobody, 1, nobody},
		{"cards export --account " + nobody, 1, nobody},
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
