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

// forwarded is an application that deliveries are passed on to: it counts events by identifier.
type forwarded struct {
	mu   sync.Mutex
	seen map[string]int
}

// ServeHTTP implements http.Handler.
func (f *forwarded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Header.Get("X-Vault-Signature") != "" {
		f.seen[r.Header.Get("X-Vault-Event-Id")]++
	}
	w.WriteHeader(http.StatusNoContent)
}

// events returns how many came, and whether each came once.
func (f *forwarded) events() (n int, once bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	once = true
	for _, times := range f.seen {
		once = once && times == 1
	}
	return len(f.seen), once
}

// What listens for developing begins with past events, goes on with new ones, passes all of them on
// once, and leaves no endpoint behind.
func TestListenReplaysForwardsAndUnregisters(t *testing.T) {
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

	application := &forwarded{seen: map[string]int{}}
	server := httptest.NewServer(application)
	t.Cleanup(server.Close)
	listening := s.start(t, "webhook", "listen", "--account", owner.id, "--forward", server.URL, "--replay-since", "2020-01-01T00:00:00Z")
	eventually(t, "past events are passed on", func() bool { n, _ := application.events(); return n == 4 })
	listening.logged("4 past events are sent.")
	imported("Glass Heron")
	eventually(t, "new ones too", func() bool { n, _ := application.events(); return n == 6 })
	eventually(t, "all are delivered", func() bool { return len(owner.deliveries("delivered")) == 6 })
	if _, once := application.events(); !once {
		t.Errorf("passed on more than once: %v", application.seen)
	}
	listening.signal(syscall.SIGTERM)
	if code := listening.end(patience); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if rows := s.exactly(t, "data", "webhook", "list", "--account", owner.id)["data"].([]any); len(rows) != 0 {
		t.Errorf("left behind: %v", rows)
	}
}
