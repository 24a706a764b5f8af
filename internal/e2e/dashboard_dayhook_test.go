package e2e

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/cardvault/cardvault/internal/webhooks/webhooktest"
)

// dayHook is the seller's program. It refuses one of the sales until it is repaired.
type dayHook struct {
	*httptest.Server

	mu       sync.Mutex
	secret   string
	refusing bool
	refused  string          // the event that is refused
	got      map[string]bool // events by identifier
}

func newDayHook(t *testing.T) *dayHook {
	t.Helper()
	h := &dayHook{got: map[string]bool{}}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		event, parseErr := webhooktest.Parse(h.secret, r.Header, body)
		if err != nil || parseErr != nil {
			t.Errorf("a webhook that cannot be read: %v, %v", err, parseErr)
		}
		if h.refusing && h.refused == "" {
			h.refused = event.ID
		}
		if h.refusing && h.refused == event.ID {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		h.got[event.ID] = true
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(h.Close)
	return h
}

// refuse has the program refuse the next event, or repairs it.
func (h *dayHook) refuse(refusing bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refusing = refusing
}

// register registers the program for sales, and checks it with a test event.
func (d *day) register(hook *dayHook) {
	d.t.Helper()
	made := d.post(webhooksPage, "url", hook.URL, "events", "listing.sold")
	hook.mu.Lock()
	hook.secret = made.found(d.t, shownSecret)
	hook.mu.Unlock()
	check := d.post(made.found(d.t, webhookLink)+"/test", "event", "listing.sold").Header.Get("Location")
	d.want(d.await(check, "state-delivered"), http.StatusOK, "Answered 204")
	hook.mu.Lock()
	defer hook.mu.Unlock()
	clear(hook.got)
	hook.refusing = true
}

// resend finds the delivery that was dropped, and sends it again after the program is repaired.
func (d *day) resend(hook *dayHook) {
	d.t.Helper()
	const list = "/developers/deliveries"
	d.awaitLinks(list+"?event=listing.sold&state=delivered", deliveryLink, dayBought-1)
	d.awaitLinks(list+"?state=dropped", deliveryLink, 1)
	path := d.get(list+"?state=dropped").found(d.t, deliveryLink)
	d.want(d.get(path), http.StatusOK, "attempt 1 ·", "attempt 2 ·", "Answered 500")
	hook.refuse(false)
	d.wantRedirect(d.post(path+"/resend"), path+"?resent=true")
	d.want(d.await(path, "state-delivered"), http.StatusOK, "Answered 204")
	d.want(d.get(list+"?state=dropped"), http.StatusOK, "No delivery matches")
}
