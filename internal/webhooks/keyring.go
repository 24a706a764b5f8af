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

// Keyring encrypts endpoint secrets at rest by AES-256-GCM. The first key encrypts, all of them
// decrypt, so that a key can be replaced while secrets under the old one are still stored.
type Keyring struct {
	current string
	ciphers map[string]cipher.AEAD
}

// keyLen is the length of an AES-256 key in bytes.
const keyLen = 32

// NewKeyring returns a ring of 32-byte keys, the one to encrypt with first.
func NewKeyring(keys ...[]byte) (*Keyring, error) {
	if len(keys) == 0 {
		return nil, errors.New("webhooks.NewKeyring: no key")
	}
	ring := &Keyring{ciphers: make(map[string]cipher.AEAD, len(keys))}
	for i, key := range keys {
		if len(key) != keyLen {
			return nil, fmt.Errorf("webhooks.NewKeyring: a key has %d bytes, not %d", len(key), keyLen)
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

// keyID names a key without telling it, so that the environment need hold nothing but keys.
func keyID(key []byte) string {
	sum := sha256.Sum256(append([]byte("cardvault webhook secret key id\x00"), key...))
	return hex.EncodeToString(sum[:8])
}

// sealed is a secret as stored: nonce, then ciphertext, under the key with this id.
type encryptedSecret struct {
	keyID string
	data  []byte
}

// seal encrypts secret. It opens only for the same owner.
func (r *Keyring) encrypt(secret string, owner endpointKey) encryptedSecret {
	aead := r.ciphers[r.current]
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(secret)+aead.Overhead())
	rand.Read(nonce) // never fails: crypto/rand aborts the program instead
	return encryptedSecret{r.current, aead.Seal(nonce, nonce, []byte(secret), owner.additionalData())}
}

// open decrypts what seal made. An error means that the key is missing or the row was tampered with.
func (r *Keyring) decrypt(s encryptedSecret, owner endpointKey) ([]byte, error) {
	aead, ok := r.ciphers[s.keyID]
	if !ok {
		return nil, fmt.Errorf("webhooks: the secret of %s is encrypted with key %s, which is not configured", owner.endpoint, s.keyID)
	}
	if len(s.data) < aead.NonceSize() {
		return nil, fmt.Errorf("webhooks: the secret of %s is cut off", owner.endpoint)
	}
	secret, err := aead.Open(nil, s.data[:aead.NonceSize()], s.data[aead.NonceSize():], owner.additionalData())
	if err != nil {
		return nil, fmt.Errorf("webhooks: the secret of %s: %w", owner.endpoint, err)
	}
	return secret, nil
}

// additionalData binds a secret to its row. Identifiers never hold a NUL.
func (k endpointKey) additionalData() []byte { return []byte(k.account + "\x00" + k.endpoint) }

// newSecret returns whsec_ and 32 random bytes in base64url without padding.
func newSecret() string {
	raw := make([]byte, 32)
	rand.Read(raw)
	return "whsec_" + base64.RawURLEncoding.EncodeToString(raw)
}
