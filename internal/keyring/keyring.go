// Package keyring encrypts secrets that the database stores, such as signing secrets of webhook endpoints and tokens of
// marketplaces, with the secret keys of the service.
//
// A Keyring has one key or more. The first key encrypts, and all keys decrypt, so a key can be replaced while stored
// secrets still use the old one. A secret is bound to an owner, such as its row, and cannot be decrypted for another
// owner.
package keyring

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// Keyring encrypts secrets with AES-256-GCM.
type Keyring struct {
	current string
	ciphers map[string]cipher.AEAD
}

// KeySize is the length of a key in bytes.
const KeySize = 32

// New returns a keyring of keys of KeySize bytes. The first one encrypts.
func New(keys ...[]byte) (*Keyring, error) {
	if len(keys) == 0 {
		return nil, errors.New("open keyring: at least one key is required")
	}
	ring := &Keyring{ciphers: make(map[string]cipher.AEAD, len(keys))}
	for i, key := range keys {
		if len(key) != KeySize {
			return nil, fmt.Errorf("open keyring: key of %d bytes, want %d", len(key), KeySize)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, fmt.Errorf("open keyring: %w", err)
		}
		aead, err := cipher.NewGCM(block)
		if err != nil {
			return nil, fmt.Errorf("open keyring: %w", err)
		}
		name := keyID(key)
		ring.ciphers[name] = aead
		if i == 0 {
			ring.current = name
		}
	}
	return ring, nil
}

// keyID derives an identifier from the key, so that the configuration needs no names for keys. Stored secrets have it,
// so the text before the key never changes.
func keyID(key []byte) string {
	sum := sha256.Sum256(append([]byte("cardvault webhook secret key id\x00"), key...))
	return hex.EncodeToString(sum[:8])
}

// Sealed is an encrypted secret: the nonce followed by the ciphertext, and the id of its key.
type Sealed struct {
	KeyID string
	Data  []byte
}

// Owner names the owner of a secret, such as an account and a row. No part may contain NUL.
type Owner []string

// additionalData returns the parts separated by NUL.
func (o Owner) additionalData() []byte {
	var data []byte
	for i, part := range o {
		if i > 0 {
			data = append(data, 0)
		}
		data = append(data, part...)
	}
	return data
}

// Encrypt encrypts a secret with the current key. It can be decrypted for the same owner only.
func (r *Keyring) Encrypt(secret string, owner Owner) Sealed {
	aead := r.ciphers[r.current]
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(secret)+aead.Overhead())
	rand.Read(nonce) // never fails: crypto/rand aborts the program instead
	return Sealed{r.current, aead.Seal(nonce, nonce, []byte(secret), owner.additionalData())}
}

// Decrypt decrypts a secret. An error means that the key is missing or that the secret was modified or moved. It does
// not contain the secret.
func (r *Keyring) Decrypt(s Sealed, owner Owner) ([]byte, error) {
	aead, ok := r.ciphers[s.KeyID]
	if !ok {
		return nil, fmt.Errorf("keyring: the secret of %s is encrypted with key %s, which is not configured",
			owner.name(), s.KeyID)
	}
	if len(s.Data) < aead.NonceSize() {
		return nil, fmt.Errorf("keyring: the secret of %s is too short", owner.name())
	}
	secret, err := aead.Open(nil, s.Data[:aead.NonceSize()], s.Data[aead.NonceSize():], owner.additionalData())
	if err != nil {
		return nil, fmt.Errorf("keyring: decrypt the secret of %s: %w", owner.name(), err)
	}
	return secret, nil
}

// Current reports whether a secret is encrypted with the current key.
func (r *Keyring) Current(s Sealed) bool { return s.KeyID == r.current }

// Reencrypt returns the secret encrypted with the current key. It returns a secret that already uses this key
// unchanged.
func (r *Keyring) Reencrypt(s Sealed, owner Owner) (Sealed, error) {
	if r.Current(s) {
		return s, nil
	}
	secret, err := r.Decrypt(s, owner)
	if err != nil {
		return Sealed{}, err
	}
	return r.Encrypt(string(secret), owner), nil
}

// name returns the last part, for messages.
func (o Owner) name() string {
	if len(o) == 0 {
		return "nothing"
	}
	return o[len(o)-1]
}
