package accounts

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"
)

// The prefixes of secrets show the environment.
const (
	livePrefix = "cv_live_"
	testPrefix = "cv_test_"
)

// A secret consists of a prefix, 30 random base62 digits (178 bits), and the CRC-32 of both in 6 base62 digits. The
// checksum detects a mistyped secret without a lookup, and lets scanners find leaked secrets.
const (
	randomDigits   = 30
	checksumDigits = 6
	base62         = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// newSecret returns a secret from the system's random source.
func newSecret(sandbox bool) (string, error) {
	prefix := livePrefix
	if sandbox {
		prefix = testPrefix
	}
	var b strings.Builder
	b.WriteString(prefix)
	for range randomDigits {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(base62))))
		if err != nil {
			return "", err
		}
		b.WriteByte(base62[n.Int64()])
	}
	return b.String() + checksum(b.String()), nil
}

// wellFormed reports whether s has the form and the checksum of a secret, and whether it is one of a sandbox.
func wellFormed(s string) (sandbox, ok bool) {
	sandbox = strings.HasPrefix(s, testPrefix)
	if !sandbox && !strings.HasPrefix(s, livePrefix) || len(s) != len(livePrefix)+randomDigits+checksumDigits {
		return false, false
	}
	body := s[:len(s)-checksumDigits]
	return sandbox, checksum(body) == s[len(body):]
}

func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var digits [checksumDigits]byte
	for i := checksumDigits - 1; i >= 0; i-- {
		digits[i] = base62[sum%62]
		sum /= 62
	}
	return string(digits[:])
}

// hash returns the hash of a secret that is stored. A plain SHA-256 is enough because 178 random bits cannot be
// guessed.
func hash(secret string) [sha256.Size]byte { return sha256.Sum256([]byte(secret)) }
