package ebay

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/marketplaces/registry"
)

// NotificationsPath is the path of the Receiver, without the slash and the account's identifier.
const NotificationsPath = "/marketplaces/ebay/notifications"

const (
	// maxNotification limits the body of a notification, which has below 1 KB.
	maxNotification = 64 << 10
	// maxChallenge limits the length of a challenge code.
	maxChallenge = 200
	// receiveTime limits the handling of a notification. eBay waits for about 10 s.
	receiveTime = 8 * time.Second
)

// Receiver receives eBay's notifications of sales. It trusts nothing that a notification says: one with a valid
// signature makes the account's poll due, which reads the orders from eBay's API. So a notification that is late,
// repeated or out of order changes nothing.
type Receiver struct {
	market  *Market
	service registry.Notified
	seen    recent
}

// NewReceiver returns a receiver for a market.
func NewReceiver(m *Market, service registry.Notified) *Receiver {
	return &Receiver{market: m, service: service}
}

// ServeHTTP answers challenges (GET) and receives notifications (POST).
func (h *Receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	name, _ := strings.CutPrefix(r.URL.Path, NotificationsPath+"/")
	accountID, ok := id.Parse(id.Account, name)
	if h.market.notifier == nil || !ok {
		h.service.Fail(w, r, fault.NotFound(fault.RouteNotFound))
		return
	}
	if wait, ok := h.service.Allow(r); !ok {
		many := fault.New(fault.RateLimited, "Too many notifications from this address.")
		h.service.Fail(w, r, many.WithRetryAfter(wait))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), receiveTime)
	defer cancel()
	var err error
	switch r.Method {
	case http.MethodGet:
		err = h.answer(w, r, accountID)
	case http.MethodPost:
		err = h.receive(w, r.WithContext(ctx), accountID)
	default:
		w.Header().Set("Allow", "GET, POST")
		err = fault.New(fault.MethodNotAllowed, "eBay sends challenges with GET and notifications with POST.")
	}
	if err != nil {
		h.service.Fail(w, r, err)
	}
}

// answer answers a challenge, by which eBay verifies that the endpoint is ours.
func (h *Receiver) answer(w http.ResponseWriter, r *http.Request, accountID string) error {
	code := r.URL.Query().Get("challenge_code")
	if code == "" || len(code) > maxChallenge {
		return fault.Invalid("challenge_code", "must be 1 to %d characters", maxChallenge)
	}
	notifier := h.market.notifier
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(
		wire.Challenge(code, notifier.VerificationToken, notifier.endpoint(accountID)))
}

// receive verifies a notification and makes the account's poll due.
func (h *Receiver) receive(w http.ResponseWriter, r *http.Request, accountID string) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxNotification))
	if err != nil {
		return err
	}
	if err := h.verify(r.Context(), r.Header.Get(wire.SignatureHeader), body); err != nil {
		if errors.Is(err, wire.ErrSignature) { // 412 is what eBay's own libraries respond
			w.WriteHeader(http.StatusPreconditionFailed)
			return nil
		}
		return err
	}
	var n wire.Notification
	if err := json.Unmarshal(body, &n); err != nil {
		return fault.New(fault.InvalidJSON, "The notification is not a JSON object.")
	}
	key := accountID + " " + n.Notification.NotificationID
	if n.Metadata.Topic == wire.TopicOrder && !h.seen.has(key) {
		if err := h.pollNow(r.Context(), accountID); err != nil {
			return err
		}
		h.seen.add(key)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (h *Receiver) verify(ctx context.Context, header string, body []byte) error {
	signature, err := wire.ParseSignature(header)
	if err != nil {
		return err
	}
	key, err := h.market.notifier.keys.find(ctx, signature.KeyID)
	if err != nil {
		return err
	}
	return signature.Verify(key, body)
}

// pollNow makes the poll of a connected account due. Others have no sales to read.
func (h *Receiver) pollNow(ctx context.Context, accountID string) error {
	c, err := h.market.connections.Find(ctx, accountID)
	if err != nil || c.Check() != nil {
		return err
	}
	return h.service.PollNow(ctx, accountID, Name)
}

// maxRecent is the number of notifications that a process remembers to recognize repeated ones.
const maxRecent = 4096

// recent remembers the last keys that were added.
type recent struct {
	mu   sync.Mutex
	set  map[string]bool
	ring []string
	next int
}

func (s *recent) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.set[key]
}

func (s *recent) add(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set == nil {
		s.set, s.ring = map[string]bool{}, make([]string, maxRecent)
	}
	if s.set[key] {
		return
	}
	delete(s.set, s.ring[s.next])
	s.set[key], s.ring[s.next] = true, key
	s.next = (s.next + 1) % maxRecent
}
