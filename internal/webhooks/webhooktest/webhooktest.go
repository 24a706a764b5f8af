// Package webhooktest checks the webhooks that receivers in tests get. Only tests import it.
package webhooktest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/cardvault/cardvault/internal/webhooks"
)

// Delivery is a webhook: the envelope in its body, and the number of the attempt, from 1.
type Delivery struct {
	ID        string          `json:"id"`
	Event     string          `json:"event"`
	CreatedAt time.Time       `json:"created_at"`
	AccountID string          `json:"account_id"`
	Data      json.RawMessage `json:"data"`
	Attempt   int             `json:"-"`
}

// Parse reads a webhook. It fails unless the signature is valid, the headers name the event that the body holds, and
// the number of the attempt is at least 1.
func Parse(secret string, header http.Header, body []byte) (Delivery, error) {
	if err := webhooks.Verify(secret, header.Get(webhooks.Header), body, time.Now()); err != nil {
		return Delivery{}, fmt.Errorf("parse request: %w", err)
	}
	var d Delivery
	if err := json.Unmarshal(body, &d); err != nil {
		return Delivery{}, fmt.Errorf("parse request: %w", err)
	}
	if id, event := header.Get("X-Vault-Event-Id"), header.Get("X-Vault-Event"); id != d.ID || event != d.Event {
		return Delivery{}, fmt.Errorf("parse request: the headers name %s %s, the body %s %s",
			event, id, d.Event, d.ID)
	}
	var err error
	if d.Attempt, err = strconv.Atoi(header.Get("X-Vault-Delivery-Attempt")); err != nil || d.Attempt < 1 {
		return Delivery{}, fmt.Errorf("parse request: attempt %q", header.Get("X-Vault-Delivery-Attempt"))
	}
	return d, nil
}
