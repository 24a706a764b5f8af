package sandboxmarket

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha1"
	"crypto/x509"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/marketplaces/ebay/wire"
	"github.com/cardvault/cardvault/internal/netguard"
	"github.com/cardvault/cardvault/internal/postgres"
)

// notifier sends notifications and challenges.
var notifier = endpoints.Client(netguard.Options{})

const (
	// notifyInterval is the longest time between two looks for due notifications.
	notifyInterval = time.Second
	// maxAttempts is how often a notification is sent at most.
	maxAttempts = 8
)

// notification is a row of market.notifications with where to send it.
type notification struct {
	ID             int64     `db:"id"`
	NotificationID string    `db:"notification_id"`
	OrderID        string    `db:"order_id"`
	EventAt        time.Time `db:"event_at"`
	Attempts       int       `db:"attempts"`
	Endpoint       string    `db:"endpoint"`
}

// enqueue adds the notifications of an order, one per enabled subscription of the seller. Faults repeat or delay them.
func (s *server) enqueue(ctx context.Context, tx *postgres.Tx, o order) error {
	var ids []string
	err := tx.Select(ctx, &ids, `
		SELECT subscription_id FROM market.subscriptions WHERE seller = $1 AND status = $2`, o.Seller, wire.Enabled)
	if err != nil {
		return err
	}
	for _, subscription := range ids {
		due, copies := o.CreatedAt, 1
		if f, ok := s.faults.take("", o.Seller, outOfOrder); ok {
			due = due.Add(f.delay())
		}
		if _, ok := s.faults.take("", o.Seller, duplicate); ok {
			copies = 2
		}
		id := rand.Text()
		for range copies {
			_, err := tx.Exec(ctx, `
				INSERT INTO market.notifications (notification_id, subscription_id, order_id, event_at, due_at)
				VALUES ($1, $2, $3, $4, $5)`, id, subscription, o.OrderID, o.CreatedAt, due)
			if err != nil {
				return err
			}
		}
	}
	tx.AfterCommit(s.sender.Wake)
	return nil
}

// sendDue sends the notifications that are due, in order, and reports whether there may be more.
func (s *server) sendDue(ctx context.Context) (more bool, err error) {
	var due []notification
	err = s.store.db.Select(ctx, &due, `
		SELECT n.id, n.notification_id, n.order_id, n.event_at, n.attempts, d.endpoint
		FROM market.notifications n JOIN market.subscriptions USING (subscription_id)
		JOIN market.destinations d USING (destination_id)
		WHERE n.due_at <= $1 ORDER BY n.due_at, n.id LIMIT 20`, now())
	if err != nil || len(due) == 0 {
		return false, err
	}
	key, err := s.store.signingKey(ctx)
	if err != nil {
		return false, err
	}
	for _, n := range due {
		if s.sender.Stopping() {
			return false, nil
		}
		if err := s.store.finish(ctx, n, n.send(ctx, key)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// finish deletes a notification that was accepted or sent too often, and postpones any other.
func (s store) finish(ctx context.Context, n notification, err error) error {
	n.Attempts++
	if err == nil || n.Attempts >= maxAttempts {
		_, err = s.db.Exec(ctx, "DELETE FROM market.notifications WHERE id = $1", n.ID)
		return err
	}
	_, err = s.db.Exec(ctx, "UPDATE market.notifications SET attempts = $2, due_at = $3 WHERE id = $1",
		n.ID, n.Attempts, now().Add(time.Second<<n.Attempts))
	return err
}

// send posts the notification. Any 2xx response accepts it.
func (n notification) send(ctx context.Context, key signingKey) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	body, err := n.body()
	if err != nil {
		return err
	}
	signature, err := key.sign(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.Endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(wire.SignatureHeader, signature)
	resp, err := notifier.Do(req)
	if err != nil {
		return err
	}
	resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return errors.New(resp.Status)
	}
	return nil
}

// body returns the JSON of the notification, compact and without HTML escapes: eBay's own libraries verify the
// signature of what they get when they parse the body and serialize it again.
func (n notification) body() ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(wire.Notification{
		Metadata: wire.NotificationMetadata{Topic: wire.TopicOrder, SchemaVersion: schemaVersion},
		Notification: wire.NotificationContent{
			NotificationID: n.NotificationID, EventDate: n.EventAt.UTC().Format(wire.TimeFormat),
			PublishDate: now().Format(wire.TimeFormat), PublishAttemptCount: n.Attempts + 1,
			Data: wire.OrderConfirmation{OrderID: n.OrderID, LineItemID: strings.ReplaceAll(n.OrderID, "-", "")},
		},
	})
	return bytes.TrimSuffix(body.Bytes(), []byte("\n")), err
}

// signingKey is the key that signs notifications.
type signingKey struct {
	id  string
	key *ecdsa.PrivateKey
}

// sign returns the value of the signature header for a body.
func (k signingKey) sign(body []byte) (string, error) {
	sum := sha1.Sum(body) // the digest that eBay documents
	signature, err := ecdsa.SignASN1(rand.Reader, k.key, sum[:])
	if err != nil {
		return "", fmt.Errorf("sandboxmarket: sign: %w", err)
	}
	header, err := json.Marshal(wire.Signature{
		Algorithm: "ecdsa", KeyID: k.id, Signature: base64.StdEncoding.EncodeToString(signature), Digest: "SHA1",
	})
	return base64.StdEncoding.EncodeToString(header), err
}

// signingKey returns the newest key. It creates one if there is none.
func (s store) signingKey(ctx context.Context) (signingKey, error) {
	var row struct {
		ID  string `db:"key_id"`
		Key []byte `db:"private_key"`
	}
	const newest = "SELECT key_id, private_key FROM market.signing_keys ORDER BY created_at DESC LIMIT 1"
	err := s.db.Get(ctx, &row, newest)
	if errors.Is(err, sql.ErrNoRows) {
		if err = s.addSigningKey(ctx); err == nil {
			err = s.db.Get(ctx, &row, newest)
		}
	}
	if err != nil {
		return signingKey{}, fmt.Errorf("load signing key: %w", err)
	}
	privateKey, err := x509.ParsePKCS8PrivateKey(row.Key)
	key, ok := privateKey.(*ecdsa.PrivateKey)
	if err != nil || !ok {
		return signingKey{}, fmt.Errorf("load signing key: stored key: %w", err)
	}
	return signingKey{row.ID, key}, nil
}

func (s store) addSigningKey(ctx context.Context) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	_, err = s.db.Exec(ctx, "INSERT INTO market.signing_keys (key_id, private_key, created_at) VALUES ($1, $2, $3)",
		rand.Text(), der, now())
	return err
}

func (s *server) getPublicKey(w http.ResponseWriter, r *http.Request, _ caller) error {
	key, err := s.store.signingKey(r.Context())
	if err != nil {
		return err
	}
	if r.PathValue("public_key_id") != key.id {
		return notificationError(http.StatusNotFound, 195001, "The specified key id is invalid.")
	}
	der, err := x509.MarshalPKIXPublicKey(&key.key.PublicKey)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.PublicKey{
		Algorithm: "ECDSA", Digest: "SHA1",
		Key: "-----BEGIN PUBLIC KEY-----" + base64.StdEncoding.EncodeToString(der) + "-----END PUBLIC KEY-----",
	})
	return nil
}
