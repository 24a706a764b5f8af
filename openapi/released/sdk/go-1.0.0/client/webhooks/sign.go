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

// Request makes the payload a request to a receiver at url; url.Path is enough to call its handler directly.
func (p TestPayload) Request(url string) (*http.Request, error) {
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(p.Body))
	if err != nil {
		return nil, fmt.Errorf("webhooks: the test payload's request: %w", err)
	}
	r.Header = p.Header.Clone()
	return r, nil
}

// SignTestPayload makes a delivery of an event as the service would send it now, for the tests of a receiver. The event
// needs its Data alone: an ID, the time and the account are made up where they are missing.
func SignTestPayload(secret string, event cardvault.Event) (TestPayload, error) {
	if secret == "" {
		return TestPayload{}, ErrNoSecret
	}
	if event.Data == nil {
		return TestPayload{}, errors.New("webhooks: the test payload's event needs Data, such as cardvault.ListingSoldData{…}")
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

// complete makes up what an event lacks. Its kind is always the data's.
func complete(event *cardvault.Event) {
	event.Kind = event.Data.Kind()
	if event.ID == "" {
		event.ID = "evt_0" + strings.ToLower(rand.Text()[:25])
		// Identifiers are in Crockford's alphabet, which has no i, l, o and u.
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

// timestamps are the values of fields like created_at. Within a string their quotation marks would be escaped.
var timestamps = regexp.MustCompile(`"[a-z_]+_at":"[^"\\]+"`)

// encode writes an event in the service's form: one line, no escapes that JSON does not ask for, six decimals in times.
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
