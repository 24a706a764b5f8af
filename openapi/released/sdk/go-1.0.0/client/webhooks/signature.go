// Package webhooks is for receivers of CardVault's webhooks: it verifies deliveries, reads their events, and makes signed
// deliveries to test a receiver with.
//
//	event, err := webhooks.Receive(request, secret)
//	if err != nil {
//		http.Error(w, err.Error(), http.StatusBadRequest)
//		return
//	}
//
// Events may arrive more than once and overtake one another: skip an ID that you have seen, and where order matters
// compare CreatedAt. Answer at once, with an empty body, and do the work afterwards.
package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// SignatureHeader is the name of the header that carries the signature.
const SignatureHeader = "X-Vault-Signature"

// Tolerance is how far the time of a signature may be from now, so that nobody can send again what they once overheard.
const Tolerance = 5 * time.Minute

// What Verify refuses.
var (
	ErrNoSecret  = errors.New("webhooks: the secret is empty: give the endpoint's, whsec_…")
	ErrMalformed = errors.New("webhooks: the signature header is missing or has not the form t=…,v1=…")
	ErrMismatch  = errors.New("webhooks: no signature matches: is the secret this endpoint's, and the body the one that came, byte for byte?")
	ErrTooOld    = errors.New("webhooks: the signature is too old")
	ErrTooNew    = errors.New("webhooks: the signature is from the future: is this machine's clock right?")
)

// Verify checks that body came from CardVault within the last five minutes. secret is the endpoint's as it was shown,
// whsec_ included; header is the value of [SignatureHeader]; body is as it came, before anything parses it.
func Verify(secret, header string, body []byte) error {
	return VerifyAt(secret, header, body, time.Now(), Tolerance)
}

// VerifyAt is [Verify] at another time and with another tolerance.
func VerifyAt(secret, header string, body []byte, now time.Time, tolerance time.Duration) error {
	if secret == "" {
		return ErrNoSecret // anyone can sign with it
	}
	stamp, signatures := parse(header)
	seconds, err := strconv.ParseUint(stamp, 10, 62)
	if err != nil || len(signatures) == 0 {
		return ErrMalformed
	}
	age := now.Sub(time.Unix(int64(seconds), 0))
	switch {
	case !anyMatches(signatures, digest(secret, stamp, body)):
		return ErrMismatch
	case age > tolerance:
		return ErrTooOld
	case age < -tolerance:
		return ErrTooNew
	}
	return nil
}

// parse takes the header apart. While a secret is being rotated there is more than one v1.
func parse(header string) (stamp string, signatures []string) {
	for part := range strings.SplitSeq(header, ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(part), "="); name {
		case "t":
			stamp = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	return stamp, signatures
}

// anyMatches compares in constant time.
func anyMatches(signatures []string, want []byte) bool {
	matched := false
	for _, signature := range signatures {
		got, err := hex.DecodeString(signature)
		matched = err == nil && hmac.Equal(got, want) || matched
	}
	return matched
}

// digest is the HMAC-SHA256 of the time, a full stop and the body.
func digest(secret, stamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
