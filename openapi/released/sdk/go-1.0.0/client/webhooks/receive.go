package webhooks

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// longestBody is far more than any event has, in bytes.
const longestBody = 1 << 20

// Receive reads a delivery: it verifies the signature and returns the event. Call it before anything else reads the
// request's body, and answer 400 to an error.
func Receive(r *http.Request, secret string) (*cardvault.Event, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, longestBody))
	if err != nil {
		return nil, fmt.Errorf("webhooks: the body: %w", err)
	}
	return Parse(secret, r.Header.Get(SignatureHeader), body)
}

// Parse verifies a delivery as [Verify] does and returns its event. The data of an event of a kind that this version of
// the package does not know is [cardvault.UnknownData].
func Parse(secret, header string, body []byte) (*cardvault.Event, error) {
	if err := Verify(secret, header, body); err != nil {
		return nil, err
	}
	event := new(cardvault.Event)
	if err := json.Unmarshal(body, event); err != nil {
		return nil, fmt.Errorf("webhooks: the event: %w", err)
	}
	return event, nil
}
