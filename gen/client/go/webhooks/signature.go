// Package webhooks is for receivers of CardVault's webhooks. It verifies deliveries, parses their events, and signs
// test deliveries.
//
//	event, err := webhooks.Receive(request, secret)
//	if err != nil {
//		http.Error(w, err.Error(), http.StatusBadRequest)
//		return
//	}
//
// Events may arrive more than once and out of order: skip an ID that you have already processed, and compare CreatedAt
// if the order matters. No two events of an account have the same CreatedAt. Respond at once with an empty body, and do
// the work afterwards.
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

// SignatureHeader is the name of the header with the signature.
const SignatureHeader = "X-Vault-Signature"

// Tolerance is the maximum difference between the time of a signature and now. It limits how long an attacker can
// replay an intercepted delivery.
const Tolerance = 5 * time.Minute

// The errors of Verify.
var (
	ErrNoSecret  = errors.New("webhooks: the secret is empty: pass the secret of the endpoint, whsec_…")
	ErrMalformed = errors.New("webhooks: the signature header is missing or not of the form t=…,v1=…")
	ErrMismatch  = errors.New("webhooks: no signature matches: " +
		"check that the secret is that of the endpoint and that the body is unchanged")
	ErrTooOld = errors.New("webhooks: the signature is too old")
	ErrTooNew = errors.New("webhooks: the signature is from the future: check the clock of this machine")
)

// Verify checks that CardVault signed body within the last five minutes. secret is the secret of the endpoint including
// whsec_, header the value of [SignatureHeader], and body the unchanged bytes of the request.
func Verify(secret, header string, body []byte) error {
	return VerifyAt(secret, header, body, time.Now(), Tolerance)
}

// VerifyAt is [Verify] with another time and another tolerance.
func VerifyAt(secret, header string, body []byte, now time.Time, tolerance time.Duration) error {
	if secret == "" {
		return ErrNoSecret // anyone could sign with an empty secret
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

// parse splits the header. During the rotation of a secret, there are up to five v1.
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

// anyMatches reports whether a signature equals want. It compares in constant time.
func anyMatches(signatures []string, want []byte) bool {
	matched := false
	for _, signature := range signatures {
		got, err := hex.DecodeString(signature)
		matched = err == nil && hmac.Equal(got, want) || matched
	}
	return matched
}

// digest returns the HMAC-SHA256 of the time, a period and the body.
func digest(secret, stamp string, body []byte) []byte {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "."))
	mac.Write(body)
	return mac.Sum(nil)
}
