package webhooks

import (
	"crypto/rand"
	"encoding/base64"
	"errors"

	"github.com/cardvault/cardvault/internal/keyring"
)

// ErrUndecryptable means that an endpoint's secret cannot be decrypted.
var ErrUndecryptable = errors.New("webhooks: cannot decrypt secret")

// Owner returns what the secrets of the endpoint are encrypted for.
func (k EndpointKey) Owner() keyring.Owner { return keyring.Owner{k.Account, k.Endpoint} }

// newSecret returns "whsec_" followed by 32 random bytes in base64url without padding.
func newSecret() string {
	raw := make([]byte, 32)
	rand.Read(raw)
	return "whsec_" + base64.RawURLEncoding.EncodeToString(raw)
}
