package dashboard

import (
	"net/http"
	"testing"

	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/users"
)

// While an account reads as many pages as it may, another page of it waits and is refused then. Forms and the pages of
// other accounts do not wait.
func TestReads_LimitedByAccount(t *testing.T) {
	t.Parallel()
	s := setup(t)
	b := s.logIn(ada)
	other := s.newAccount("Bea's cards")
	s.newUser(other, "bea@example.com", users.Owner)
	bea := s.logIn("bea@example.com")
	var running []concurrency.Held
	for range concurrency.DefaultReads {
		held, err := s.served.Reads.Acquire(t.Context(), s.account.ID)
		if err != nil {
			t.Fatal(err)
		}
		running = append(running, held)
	}

	refused := b.get("/cards")
	b.want(refused, http.StatusTooManyRequests, "Wait a moment, then open this one again.")
	if got := refused.Header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After %q, want 1", got)
	}
	bea.want(bea.get("/cards"), http.StatusOK, "")
	b.wantRedirect(b.post("/cards/views", "name", "Mine", "query", "status=priced"), "/cards?status=priced")

	running[0].Release()
	b.want(b.get("/cards"), http.StatusOK, "Mine")
}
