package webhooks

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// longestBody is the maximum size of a body in bytes, much more than the size of any event.
const longestBody = 1 << 20

// Receive verifies the signature of a delivery and returns its event. Call it before anything else reads the body of
// the request, and respond with status 400 if it returns an error.
func Receive(r *http.Request, secret string) (*cardvault.Event, error) {
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, longestBody))
	if err != nil {
		return nil, fmt.Errorf("webhooks: the body: %w", err)
	}
	return Parse(secret, r.Header.Get(SignatureHeader), body)
}

// Parse verifies a delivery like [Verify] and returns its event. If this version of the package does not know the kind
// of the event, its data is a [cardvault.UnknownData].
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
