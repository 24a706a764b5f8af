package webhooks

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// TestPayload is a delivery as the service sends it.
type TestPayload struct {
	Header http.Header
	Body   []byte
}

// Request returns the payload as a request to a receiver at url. To call a handler directly, a path is enough.
func (p TestPayload) Request(url string) (*http.Request, error) {
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(p.Body))
	if err != nil {
		return nil, fmt.Errorf("webhooks: request of the test payload: %w", err)
	}
	r.Header = p.Header.Clone()
	return r, nil
}

// SignTestPayload returns a delivery of an event as the service would send it now, for the tests of a receiver. The
// event needs only Data; ID, CreatedAt and AccountID get values if they are zero.
func SignTestPayload(secret string, event cardvault.Event) (TestPayload, error) {
	if secret == "" {
		return TestPayload{}, ErrNoSecret
	}
	if event.Data == nil {
		return TestPayload{}, errors.New("webhooks: the event of a test payload needs Data, " +
			"such as cardvault.ListingSoldData{…}")
	}
	complete(&event)
	body, err := encode(event)
	if err != nil {
		return TestPayload{}, fmt.Errorf("webhooks: the test payload: %w", err)
	}
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("User-Agent", "CardVault-Webhooks/1")
	header.Set("X-Vault-Event", string(event.Kind))
	header.Set("X-Vault-Event-Id", event.ID)
	header.Set("X-Vault-Delivery-Attempt", "1")
	header.Set(SignatureHeader, sign(secret, time.Now(), body))
	return TestPayload{Header: header, Body: body}, nil
}

func sign(secret string, t time.Time, body []byte) string {
	stamp := strconv.FormatInt(t.Unix(), 10)
	return "t=" + stamp + ",v1=" + hex.EncodeToString(digest(secret, stamp, body))
}

// complete sets the fields of an event that are zero, and takes its kind from its data.
func complete(event *cardvault.Event) {
	event.Kind = event.Data.Kind()
	if event.ID == "" {
		event.ID = "evt_0" + strings.ToLower(rand.Text()[:25])
		// Crockford's alphabet has no i, l, o and u.
		event.ID = strings.NewReplacer("i", "1", "l", "8", "o", "0", "u", "9").Replace(event.ID)
	}
	if event.AccountID == "" {
		event.AccountID = "acc_" + strings.Repeat("0", 26)
	}
	if event.CreatedAt.IsZero() {
		event.CreatedAt = time.Now()
	}
	event.CreatedAt = event.CreatedAt.UTC().Truncate(time.Microsecond)
}

// timestamps matches fields like created_at. It matches nothing inside strings, where quotation marks are escaped.
var timestamps = regexp.MustCompile(`"[a-z_]+_at":"[^"\\]+"`)

// encode encodes an event as the service does: on one line, with the escapes that JSON requires only, and with six
// decimals in times.
func encode(event cardvault.Event) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(event); err != nil {
		return nil, err
	}
	return timestamps.ReplaceAllFunc(bytes.TrimSuffix(b.Bytes(), []byte("\n")), func(field []byte) []byte {
		name, value, _ := strings.Cut(string(field), `":"`)
		t, err := time.Parse(time.RFC3339, strings.TrimSuffix(value, `"`))
		if err != nil {
			return field
		}
		return []byte(name + `":"` + t.UTC().Format("2006-01-02T15:04:05.000000Z") + `"`)
	}), nil
}
