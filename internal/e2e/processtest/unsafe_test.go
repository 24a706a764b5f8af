package processtest

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// inFile returns settings in which a variable's value is in a file.
func (s settings) inFile(t testing.TB, variable string) settings {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(s[variable]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = s.with(variable+"_FILE", path)
	delete(s, variable)
	return s
}

// A web page whose name leads to this machine cannot read the metrics, nor use the sandbox marketplace.
func TestSeparateProcesses_CheckHost(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_MARKET_ADDR", "127.0.0.1:0",
		"CARDVAULT_ADMIN_HOSTS", "metrics.example", "CARDVAULT_MARKET_HOSTS", "shop.example")
	server := s.serve(t)
	worker := s.work(t)
	market := s.start(t, "market").announces(trading)[1]
	for _, tc := range []struct{ address, name string }{
		{server.adminHost + "/metrics", "metrics.example"},
		{worker.adminHost + "/debug/pprof/cmdline", "metrics.example"},
		{market + "/", "shop.example"},
	} {
		for host, want := range map[string]int{"": 200, "localhost": 200, tc.name: 200, "evil.example": 421} {
			r, err := http.NewRequest("GET", "http://"+tc.address, nil)
			if err != nil {
				t.Fatal(err)
			}
			if host != "" {
				r.Host = host
			}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != want {
				t.Errorf("%s as %q: status %d, want %d", tc.address, host, response.StatusCode, want)
			}
		}
	}
}

func TestServer_ReadsSecretsFromFiles(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).inFile(t, "CARDVAULT_DATABASE_URL").inFile(t, "CARDVAULT_SECRET_KEY")
	s.account(t).at(s.serve(t)).create(1)
}

// The published development key is refused where others reach the service. A secret on the command line causes a
// warning.
func TestServer_UnsafeSecrets(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t)).with("CARDVAULT_PUBLIC_URL", "https://vault.example")
	delete(s, "CARDVAULT_SECRET_KEY")
	got := s.run(t, "serve")
	if got.code == 0 || !strings.Contains(got.stderr, "CARDVAULT_SECRET_KEY") {
		t.Errorf("serve with the published key: exit code %d, %q; want an error about the key", got.code, got.stderr)
	}
	s = newSettings(t, pgtest.URL(t))
	key := s["CARDVAULT_SECRET_KEY"]
	delete(s, "CARDVAULT_SECRET_KEY")
	got = s.run(t, "migrate", "status", "--secret-key", key)
	warned := strings.Contains(got.stderr, "CARDVAULT_SECRET_KEY_FILE") && !strings.Contains(got.stderr, key)
	if got.code != 0 || !warned {
		t.Errorf("a key on the command line: exit code %d, %q; want a warning about the file", got.code, got.stderr)
	}
	if help := s.run(t, "help", "serve").stdout; !strings.Contains(help, "--secret-key-file") ||
		strings.Contains(help, "--secret-key=") || strings.Contains(help, "--database-url=") {
		t.Errorf("help shows flags that take secrets, or not those of their files:\n%s", help)
	}
}
