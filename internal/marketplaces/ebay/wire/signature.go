package wire

import (
	"crypto"
	"crypto/ecdsa"
	_ "crypto/sha1" // the digest that eBay uses
	_ "crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxSignature limits the length of the signature header.
const maxSignature = 2048

// ErrSignature means that a notification's signature is missing or wrong.
var ErrSignature = errors.New("ebay: the notification's signature is missing or wrong")

// ParseSignature parses the value of SignatureHeader.
func ParseSignature(header string) (s Signature, err error) {
	if header == "" || len(header) > maxSignature {
		return s, ErrSignature
	}
	text, err := base64.StdEncoding.DecodeString(header)
	if err != nil || json.Unmarshal(text, &s) != nil || s.KeyID == "" || s.Signature == "" {
		return Signature{}, ErrSignature
	}
	return s, nil
}

// ParseKey returns the key in PEM, which has no line breaks.
func (k PublicKey) ParseKey() (*ecdsa.PublicKey, error) {
	text := strings.TrimPrefix(strings.TrimSpace(k.Key), "-----BEGIN PUBLIC KEY-----")
	text = strings.TrimSuffix(text, "-----END PUBLIC KEY-----")
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, fmt.Errorf("ebay: public key: %w", err)
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return nil, fmt.Errorf("ebay: public key: %w", err)
	}
	key, ok := parsed.(*ecdsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("ebay: the public key is a %T, not one for ECDSA", parsed)
	}
	return key, nil
}

// Verify returns ErrSignature unless the owner of the key made the signature for the body.
func (s Signature) Verify(key *ecdsa.PublicKey, body []byte) error {
	digest := crypto.SHA1
	if strings.EqualFold(s.Digest, "SHA256") {
		digest = crypto.SHA256
	}
	signature, err := base64.StdEncoding.DecodeString(s.Signature)
	if err != nil {
		return ErrSignature
	}
	hash := digest.New()
	hash.Write(body)
	if !ecdsa.VerifyASN1(key, hash.Sum(nil), signature) {
		return ErrSignature
	}
	return nil
}
