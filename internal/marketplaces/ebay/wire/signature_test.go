package wire

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// signer returns a new key, and its public half as eBay sends it.
func signer(t *testing.T) (*ecdsa.PrivateKey, PublicKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return key, PublicKey{Algorithm: "ECDSA", Digest: "SHA1",
		Key: "-----BEGIN PUBLIC KEY-----" + base64.StdEncoding.EncodeToString(der) + "-----END PUBLIC KEY-----"}
}

// header returns the signature header of a body with a hash.
func header(t *testing.T, key *ecdsa.PrivateKey, digest string, hash []byte) string {
	t.Helper()
	signed, err := ecdsa.SignASN1(rand.Reader, key, hash)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(Signature{
		Algorithm: "ecdsa", KeyID: "k", Digest: digest, Signature: base64.StdEncoding.EncodeToString(signed),
	})
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(text)
}

func TestSignature_Verify(t *testing.T) {
	t.Parallel()
	body := []byte(`{"metadata":{}}`)
	key, public := signer(t)
	other, _ := signer(t)
	old, sha2 := sha1.Sum(body), sha256.Sum256(body)
	for name, tc := range map[string]struct {
		header string
		valid  bool
	}{
		"SHA-1":       {header(t, key, "SHA1", old[:]), true},
		"SHA-256":     {header(t, key, "SHA256", sha2[:]), true},
		"other key":   {header(t, other, "SHA1", old[:]), false},
		"other body":  {header(t, key, "SHA1", sha2[:20]), false},
		"none":        {"", false},
		"not base64":  {"{}", false},
		"not JSON":    {base64.StdEncoding.EncodeToString([]byte("x")), false},
		"without key": {base64.StdEncoding.EncodeToString([]byte(`{"signature":"x"}`)), false},
		"long":        {strings.Repeat("A", 4096), false},
		"no base64 inside": {
			base64.StdEncoding.EncodeToString([]byte(`{"kid":"k","signature":"!"}`)), false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parsed, err := public.ParseKey()
			if err != nil {
				t.Fatal(err)
			}
			s, err := ParseSignature(tc.header)
			if err == nil {
				err = s.Verify(parsed, body)
			}
			if tc.valid && err != nil || !tc.valid && !errors.Is(err, ErrSignature) {
				t.Errorf("got %v, want it valid: %v", err, tc.valid)
			}
		})
	}
}

func TestPublicKey_ParseKey(t *testing.T) {
	t.Parallel()
	_, public := signer(t)
	broken := strings.ReplaceAll(public.Key, "-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\n") + "\n"
	if _, err := (PublicKey{Key: broken}).ParseKey(); err != nil {
		t.Errorf("a key with line breaks: %v", err)
	}
	for _, wrong := range []string{"", "x", "-----BEGIN PUBLIC KEY-----AAAA-----END PUBLIC KEY-----"} {
		if _, err := (PublicKey{Key: wrong}).ParseKey(); err == nil {
			t.Errorf("key %q: got no error", wrong)
		}
	}
}
