package sandboxmarket_test

import (
	"crypto/ecdsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
)

const verificationToken = "a-verification-token-of-40-characters___"

// arrival is a notification that arrived.
type arrival struct {
	body      []byte
	signature string
}

// endpoint is an application's address for notifications.
type endpoint struct {
	url      string
	arrivals chan arrival
	refuse   chan int // statuses of the next responses
}

func newEndpoint(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{arrivals: make(chan arrival, 100), refuse: make(chan int, 10)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if code := r.URL.Query().Get("challenge_code"); code != "" {
			sum := sha256.Sum256([]byte(code + verificationToken + e.url))
			json.NewEncoder(w).Encode(wire.ChallengeResponse{ChallengeResponse: hex.EncodeToString(sum[:])})
			return
		}
		body, _ := io.ReadAll(r.Body)
		e.arrivals <- arrival{body, r.Header.Get(wire.SignatureHeader)}
		select {
		case status := <-e.refuse:
			w.WriteHeader(status)
		default:
		}
	}))
	t.Cleanup(server.Close)
	e.url = server.URL + "/notify"
	return e
}

// next returns the next notification, whose signature it verifies with the marketplace's public key.
func (e *endpoint) next(t *testing.T, m *market) wire.Notification {
	t.Helper()
	var got arrival
	select {
	case got = <-e.arrivals:
	case <-time.After(time.Minute):
		t.Fatal("no notification arrived")
	}
	var header wire.Signature
	data, err := base64.StdEncoding.DecodeString(got.signature)
	if err != nil || json.Unmarshal(data, &header) != nil || header.Algorithm != "ecdsa" || header.Digest != "SHA1" {
		t.Fatalf("signature header %s, %v", data, err)
	}
	var key wire.PublicKey
	m.read(t, wire.NotificationPath+"/public_key/"+header.KeyID, &key)
	lines := strings.NewReplacer("KEY-----", "KEY-----\n", "-----END", "\n-----END").Replace(key.Key)
	block, _ := pem.Decode([]byte(lines))
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha1.Sum(got.body)
	signature, err := base64.StdEncoding.DecodeString(header.Signature)
	if err != nil || !ecdsa.VerifyASN1(public.(*ecdsa.PublicKey), sum[:], signature) {
		t.Errorf("the signature of %s is invalid, %v", got.body, err)
	}
	var n wire.Notification
	if err := json.Unmarshal(got.body, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// destinationOf is a valid body of createDestination.
func destinationOf(url string) wire.Destination {
	return wire.Destination{Name: "app", Status: wire.Enabled,
		DeliveryConfig: wire.DeliveryConfig{Endpoint: url, VerificationToken: verificationToken}}
}

func subscriptionTo(destination string) wire.Subscription {
	return wire.Subscription{TopicID: wire.TopicOrder, Status: wire.Enabled, DestinationID: destination,
		Payload: wire.SubscriptionPayload{Format: "JSON", SchemaVersion: "1.0", DeliveryProtocol: "HTTPS"}}
}

// notifications makes a call of the Notification API and returns the status and the error.
func (m *market) notifications(t *testing.T, token, method, path string, body any) (int, int) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	status, answer := m.call(t, token, method, wire.NotificationPath+path, string(data))
	var failed wire.ErrorBody
	if json.Unmarshal([]byte(answer), &failed) == nil && len(failed.Errors) > 0 {
		return status, failed.Errors[0].ErrorID
	}
	return status, 0
}

// subscribe registers the endpoint and subscribes acc_seller. It returns the identifier of the subscription.
func (m *market) subscribe(t *testing.T, e *endpoint) string {
	t.Helper()
	m.notifications(t, "acc_seller", "PUT", "/config", wire.NotificationConfig{AlertEmail: "a@app.example"})
	if status, id := m.notifications(t, "acc_seller", "POST", "/destination", destinationOf(e.url)); status != 201 {
		t.Fatalf("createDestination: %d, error %d", status, id)
	}
	var there wire.Destinations
	m.read(t, wire.NotificationPath+"/destination", &there)
	want := destinationOf(e.url)
	want.DestinationID = there.Destinations[0].DestinationID
	if diff := cmp.Diff([]wire.Destination{want}, there.Destinations); diff != "" {
		t.Errorf("destinations (-want +got):\n%s", diff)
	}
	status, id := m.notifications(t, "acc_seller", "POST", "/subscription", subscriptionTo(want.DestinationID))
	var subscribed wire.Subscriptions
	m.read(t, wire.NotificationPath+"/subscription", &subscribed)
	if status != 201 || subscribed.Total != 1 {
		t.Fatalf("createSubscription: %d, error %d; %+v", status, id, subscribed)
	}
	return subscribed.Subscriptions[0].SubscriptionID
}

func TestNotification_OfOrder(t *testing.T) {
	t.Parallel()
	m, e := setup(t), newEndpoint(t)
	subscription := m.subscribe(t, e)
	e.refuse <- http.StatusInternalServerError
	o := m.sold(t, "a1")
	first := e.next(t, m)
	m.mustExec(t, "UPDATE market.notifications SET due_at = now()")
	second := e.next(t, m)
	want := wire.Notification{
		Metadata: wire.NotificationMetadata{Topic: wire.TopicOrder, SchemaVersion: "1.0"},
		Notification: wire.NotificationContent{
			NotificationID: first.Notification.NotificationID, EventDate: o.CreationDate,
			PublishDate: second.Notification.PublishDate, PublishAttemptCount: 2,
			Data: wire.OrderConfirmation{OrderID: o.OrderID, LineItemID: o.LineItems[0].LineItemID},
		},
	}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Errorf("second attempt (-want +got):\n%s", diff)
	}
	if status, id := m.notifications(t, "acc_seller", "DELETE", "/subscription/"+subscription, nil); status != 204 {
		t.Errorf("deleteSubscription: %d, error %d", status, id)
	}
	m.sold(t, "a2")
	var queued int
	err := m.db.Get(t.Context(), &queued, "SELECT count(*) FROM market.notifications WHERE order_id <> $1", o.OrderID)
	if err != nil || queued != 0 {
		t.Errorf("%d notifications without a subscription, %v", queued, err)
	}
}

func TestNotification_Faults(t *testing.T) {
	t.Parallel()
	m, e := setup(t), newEndpoint(t)
	m.subscribe(t, e)
	m.mustPost(t, "/sandbox/faults", `{"kind":"duplicate","count":1}`)
	m.sold(t, "a1")
	if one, two := e.next(t, m), e.next(t, m); one.Notification.NotificationID != two.Notification.NotificationID {
		t.Errorf("duplicates: %+v and %+v", one, two)
	}
	m.mustPost(t, "/sandbox/faults", `{"kind":"out_of_order","count":1,"seconds":60}`)
	late, next := m.sold(t, "a2"), m.sold(t, "a3")
	if got := e.next(t, m); got.Notification.Data.OrderID != next.OrderID {
		t.Errorf("first came %s, want the later order %s", got.Notification.Data.OrderID, next.OrderID)
	}
	m.mustExec(t, "UPDATE market.notifications SET due_at = now()")
	if got := e.next(t, m); got.Notification.Data.OrderID != late.OrderID {
		t.Errorf("then came %s, want %s", got.Notification.Data.OrderID, late.OrderID)
	}
}

func TestNotification_RefusesRequests(t *testing.T) {
	t.Parallel()
	m, e := setup(t), newEndpoint(t)
	check := func(name, token, method, path string, body any, status, id int) {
		t.Helper()
		gotStatus, got := m.notifications(t, token, method, path, body)
		if gotStatus != status || got != id {
			t.Errorf("%s: %d with error %d, want %d with %d", name, gotStatus, got, status, id)
		}
	}
	check("no config", "s", "POST", "/destination", destinationOf(e.url), 409, 195003)
	m.subscribe(t, e)
	for id, change := range map[int]func(*wire.Destination){
		195016: func(d *wire.Destination) { d.Name = "<b>" },
		195017: func(d *wire.Destination) { d.DeliveryConfig.Endpoint = "ftp://app.example" },
		195018: func(d *wire.Destination) { d.Status = "ON" },
		195019: func(d *wire.Destination) { d.DeliveryConfig.VerificationToken = "short" },
	} {
		d := destinationOf(e.url)
		change(&d)
		check(fmt.Sprint(id), "s", "POST", "/destination", d, 400, id)
	}
	check("challenge", "s", "POST", "/destination", destinationOf(e.url+"?other"), 409, 195020)
	check("exists", "s", "POST", "/destination", destinationOf(e.url), 409, 195021)
	check("email", "s", "PUT", "/config", wire.NotificationConfig{}, 400, 195025)
	var there wire.Destinations
	m.read(t, wire.NotificationPath+"/destination", &there)
	valid := subscriptionTo(there.Destinations[0].DestinationID)
	for id, change := range map[int]func(*wire.Subscription){
		195006: func(s *wire.Subscription) { s.Status = "" },
		195007: func(s *wire.Subscription) { s.DestinationID = "1" },
		195008: func(s *wire.Subscription) { s.Payload.SchemaVersion = "2.0" },
		195009: func(s *wire.Subscription) { s.Payload.Format = "XML" },
		195010: func(s *wire.Subscription) { s.Payload.DeliveryProtocol = "SMTP" },
		195027: func(s *wire.Subscription) { s.TopicID = "OTHER" },
	} {
		changed := valid
		change(&changed)
		check(fmt.Sprint(id), "s", "POST", "/subscription", changed, 400, id)
	}
	check("subscribed", "acc_seller", "POST", "/subscription", valid, 409, 195012)
	check("no such subscription", "s", "DELETE", "/subscription/1", nil, 404, 195013)
	token := m.connect(t, "ada", wire.ScopeSubscribe)
	check("no scope for orders", token.AccessToken, "POST", "/subscription", valid, 403, 195011)
	status, body := m.call(t, "s", http.MethodGet, wire.NotificationPath+"/public_key/x", "")
	if status != http.StatusNotFound || !strings.Contains(body, "195001") {
		t.Errorf("unknown key: %d %s, want 404 with error 195001", status, body)
	}
}
