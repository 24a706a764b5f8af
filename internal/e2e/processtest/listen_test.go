package processtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// application is a developer's application that receives deliveries. It counts events by their identifier.
type application struct {
	mu   sync.Mutex
	seen map[string]int
}

// ServeHTTP implements http.Handler.
func (a *application) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Header.Get("X-Vault-Signature") != "" {
		a.seen[r.Header.Get("X-Vault-Event-Id")]++
	}
	w.WriteHeader(http.StatusNoContent)
}

// events returns the number of events, and whether each arrived once.
func (a *application) events() (n int, once bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	once = true
	for _, times := range a.seen {
		once = once && times == 1
	}
	return len(a.seen), once
}

// The command forwards past events, then new ones, each of them once, and deletes its endpoint when it stops.
func TestWebhookListen(t *testing.T) {
	t.Parallel()
	s := newSettings(t, pgtest.URL(t))
	owner := s.account(t)
	s.serve(t)
	file := filepath.Join(t.TempDir(), "cards.csv")
	imported := func(titles ...string) {
		text := "title,set,number\n"
		for i, title := range titles {
			text += fmt.Sprintf("%s,Dawn of Cinders,%d/167\n", title, i+1)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s.object(t, "cards", "import", "--account", owner.id, file)
	}
	imported("Ember Fox", "Ash Hare") // two events each

	app := &application{seen: map[string]int{}}
	server := httptest.NewServer(app)
	t.Cleanup(server.Close)
	listening := s.start(t, "webhook", "listen", "--account", owner.id, "--forward", server.URL,
		"--replay-since", "2020-01-01T00:00:00Z")
	eventually(t, "past events are forwarded", func() bool { n, _ := app.events(); return n == 4 })
	listening.logged("4 past events are sent.")
	imported("Glass Heron")
	eventually(t, "new events are forwarded", func() bool { n, _ := app.events(); return n == 6 })
	eventually(t, "all deliveries are stored as delivered", func() bool {
		return len(owner.deliveries("delivered")) == 6
	})
	if _, once := app.events(); !once {
		t.Errorf("events were forwarded more than once: %v", app.seen)
	}
	listening.signal(syscall.SIGTERM)
	if code := listening.end(patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
	endpoints := s.exactly(t, []string{"data"}, "webhook", "list", "--account", owner.id)["data"].([]any)
	if len(endpoints) != 0 {
		t.Errorf("the endpoints %v are left, want none", endpoints)
	}
}
