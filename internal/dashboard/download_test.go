package dashboard

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/users"
)

// slowClient is the writer of a client that receives nothing until it is released.
type slowClient struct {
	*httptest.ResponseRecorder
	waiting  chan<- struct{}
	released <-chan struct{}
}

func (c slowClient) Write(p []byte) (int, error) {
	c.waiting <- struct{}{}
	<-c.released
	return c.ResponseRecorder.Write(p)
}

// receiveSlowly requests a path n times for clients that wait for the first byte, and returns when all wait. The
// clients go on at the end of the test.
func (s *shop) receiveSlowly(b *browser, path string, n int) {
	s.t.Helper()
	waiting, released, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	request := b.request(http.MethodGet, path, nil)
	for _, cookie := range b.http.Jar.Cookies(request.URL) {
		request.AddCookie(cookie)
	}
	for range n {
		go func() {
			defer func() { ended <- struct{}{} }()
			r := request.Clone(context.Background())
			r.RemoteAddr, r.RequestURI = "192.0.2.1:1000", path
			s.served.ServeHTTP(slowClient{httptest.NewRecorder(), waiting, released}, r)
		}()
		<-waiting
	}
	s.t.Cleanup(func() {
		close(released)
		for left := n; left > 0; {
			select {
			case <-waiting:
			case <-ended:
				left--
			}
		}
	})
}

// Clients that receive pages and files slowly keep no page waiting, of no user.
func TestDownloads_SlowClientsBlockNoPages(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/cards", "/cards/export", "/listings.csv", "/sales.csv"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.newUser(s.account, "mel@example.com", users.Member)
			mel, b := s.logIn("mel@example.com"), s.logIn(ada)
			s.receiveSlowly(mel, path, concurrency.DefaultReads+1)
			b.want(b.get("/cards"), http.StatusOK, "")
			mel.want(mel.get("/cards"), http.StatusOK, "")
			b.want(b.get("/cards/export"), http.StatusOK, "card_id")
			mel.want(mel.get("/cards/export"), http.StatusOK, "card_id")
		})
	}
}

// A user has a bounded number of downloads under way. The downloads of other users count apart.
func TestDownloads_BoundedByUser(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newUser(s.account, "mel@example.com", users.Member)
	mel, b := s.logIn("mel@example.com"), s.logIn(ada)
	s.receiveSlowly(mel, "/cards/export", web.MaxFiles)
	mel.want(mel.get("/sales.csv"), http.StatusTooManyRequests, "Wait until one has ended")
	mel.want(mel.get("/cards"), http.StatusOK, "")
	b.want(b.get("/sales.csv"), http.StatusOK, "sale_id")
}

// HEAD of a file or of a page to print has the headers of GET and reads neither cards nor sales.
func TestDownloads_HeadReadsNothing(t *testing.T) {
	t.Parallel()
	s := setup(t)
	if _, err := s.config.Cards.Create(t.Context(), s.account.ID, []cards.Draft{{}}, nil); err != nil {
		t.Fatal(err)
	}
	b := s.logIn(ada)
	paths := []string{
		"/cards/export", "/listings.csv", "/sales.csv", "/cards/labels", "/cards/pull-sheet", "/listings/pull-sheet",
	}
	answers := map[string]answer{}
	for _, path := range paths {
		answers[path] = b.get(path)
	}
	tx, err := s.db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec(`LOCK TABLE cards, sales IN ACCESS EXCLUSIVE MODE`); err != nil { // a read would wait
		t.Fatal(err)
	}
	for _, path := range paths {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		head := b.do(b.request(http.MethodHead, path, nil).WithContext(ctx))
		cancel()
		if head.StatusCode != http.StatusOK {
			t.Errorf("HEAD %s: got %d", path, head.StatusCode)
		}
		for _, name := range []string{"Content-Type", "Content-Disposition"} {
			if got, want := head.Header.Get(name), answers[path].Header.Get(name); got != want {
				t.Errorf("HEAD %s: %s is %q, and %q for GET", path, name, got, want)
			}
		}
	}
}
