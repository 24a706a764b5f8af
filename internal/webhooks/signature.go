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

// Header is the name of the signature header.
const Header = "X-Vault-Signature"

// ReplayWindow is the maximum age of a signature. Receivers reject older ones as replays.
const ReplayWindow = 5 * time.Minute

// The errors of Verify.
var (
	ErrSignatureMalformed = errors.New("webhooks: the signature header does not have the form t=…,v1=…")
	ErrSignatureExpired   = errors.New("webhooks: the signature is older than five minutes")
	ErrSignatureWrong     = errors.New("webhooks: the signature does not match")
)

// Sign returns the value of Header for body at time t: t=<Unix seconds>,v1=<hex>, where v1 is the HMAC-SHA256 of
// "<t>.<body>". The HMAC key is the complete secret, including its prefix.
func Sign(secret string, t time.Time, body []byte) string {
	return string(AppendSignatures(nil, t.Unix(), body, []byte(secret)))
}

// AppendSignatures appends the header's value with one v1 for each key, in the given order.
func AppendSignatures(dst []byte, t int64, body []byte, keys ...[]byte) []byte {
	dst = strconv.AppendInt(append(dst, "t="...), t, 10)
	for _, key := range keys {
		dst = hex.AppendEncode(append(dst, ",v1="...), digest(key, t, body))
	}
	return dst
}

func digest(key []byte, t int64, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(append(strconv.AppendInt(nil, t, 10), '.'))
	mac.Write(body)
	return mac.Sum(nil)
}

// Verify checks the value of Header against the raw body as a receiver must: one v1 matches, compared in constant
// time, and t is at most ReplayWindow before now.
func Verify(secret, header string, body []byte, now time.Time) error {
	t, signatures, err := parseSignature(header)
	if err != nil {
		return err
	}
	want := digest([]byte(secret), t, body)
	matched := false
	for _, signature := range signatures {
		got, err := hex.DecodeString(signature)
		matched = matched || err == nil && hmac.Equal(got, want)
	}
	switch {
	case !matched:
		return ErrSignatureWrong
	case now.Sub(time.Unix(t, 0)) > ReplayWindow:
		return ErrSignatureExpired
	}
	return nil
}

func parseSignature(header string) (t int64, signatures []string, err error) {
	stamp := ""
	for part := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			stamp = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	t, err = strconv.ParseInt(stamp, 10, 64)
	if err != nil || len(signatures) == 0 {
		return 0, nil, ErrSignatureMalformed
	}
	return t, signatures, nil
}
