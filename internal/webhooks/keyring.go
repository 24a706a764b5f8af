package webhooks

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
)

// Keyring encrypts endpoint secrets with AES-256-GCM. The first key encrypts, and all keys decrypt. So a key can be
// replaced while stored secrets still use the old one.
type Keyring struct {
	current string
	ciphers map[string]cipher.AEAD
}

// ErrUndecryptable means that an endpoint's secret cannot be decrypted.
var ErrUndecryptable = errors.New("webhooks: cannot decrypt secret")

// keyLen is the length of an AES-256 key in bytes.
const keyLen = 32

// NewKeyring returns a keyring of 32-byte keys. The first one encrypts.
func NewKeyring(keys ...[]byte) (*Keyring, error) {
	if len(keys) == 0 {
		return nil, errors.New("webhooks.NewKeyring: at least one key is required")
	}
	ring := &Keyring{ciphers: make(map[string]cipher.AEAD, len(keys))}
	for i, key := range keys {
		if len(key) != keyLen {
			return nil, fmt.Errorf("webhooks.NewKeyring: key of %d bytes, want %d", len(key), keyLen)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("webhooks.NewKeyring: %w", err)
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, fmt.Errorf("webhooks.NewKeyring: %w", err)
		}
		name := keyID(key)
		ring.ciphers[name] = aead
		if i == 0 {
			ring.current = name
		}
	}
	return ring, nil
}

// keyID derives an identifier from the key, so that the configuration needs no names for keys.
func keyID(key []byte) string {
	sum := sha256.Sum256(append([]byte("cardvault webhook secret key id\x00"), key...))
	return hex.EncodeToString(sum[:8])
}

// EncryptedSecret is a stored secret: the nonce followed by the ciphertext, and the id of its key.
type EncryptedSecret struct {
	KeyID string
	Data  []byte
}

// encrypt encrypts a secret. It can only be decrypted for the same owner.
func (r *Keyring) encrypt(secret string, owner EndpointKey) EncryptedSecret {
	aead := r.ciphers[r.current]
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(secret)+aead.Overhead())
	rand.Read(nonce) // never fails: crypto/rand aborts the program instead
	return EncryptedSecret{r.current, aead.Seal(nonce, nonce, []byte(secret), owner.additionalData())}
}

// Decrypt decrypts a stored secret. An error means that the key is missing or that the row was modified.
func (r *Keyring) Decrypt(s EncryptedSecret, owner EndpointKey) ([]byte, error) {
	aead, ok := r.ciphers[s.KeyID]
	if !ok {
		return nil, fmt.Errorf("webhooks: the secret of %s is encrypted with key %s, which is not configured",
			owner.Endpoint, s.KeyID)
	}
	if len(s.Data) < aead.NonceSize() {
		return nil, fmt.Errorf("webhooks: the secret of %s is too short", owner.Endpoint)
	}
	secret, err := aead.Open(nil, s.Data[:aead.NonceSize()], s.Data[aead.NonceSize():], owner.additionalData())
	if err != nil {
		return nil, fmt.Errorf("webhooks: decrypt the secret of %s: %w", owner.Endpoint, err)
	}
	return secret, nil
}

// additionalData binds a secret to its row. Identifiers never contain NUL.
func (k EndpointKey) additionalData() []byte { return []byte(k.Account + "\x00" + k.Endpoint) }

// newSecret returns "whsec_" followed by 32 random bytes in base64url without padding.
func newSecret() string {
	raw := make([]byte, 32)
	rand.Read(raw)
	return "whsec_" + base64.RawURLEncoding.EncodeToString(raw)
}
