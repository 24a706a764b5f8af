package photos

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// AddressLife is the minimum time that a photo URL is valid for.
const AddressLife = 24 * time.Hour

// expiryStep is the granularity of expiry times: a URL is valid for one to two steps. All URLs of a photo
// that are created in one step are equal, so that clients and caches can keep them.
const expiryStep = AddressLife

const (
	// minSecret is the length of the service's secret, in bytes.
	minSecret = 32
	// signatureSize is the length of the truncated HMAC, in bytes. 128 bits cannot be guessed while a URL
	// is valid.
	signatureSize = 16
)

// URLs creates and verifies the signed URLs of photos: {base}/photos/{account}/{photo}.jpg with an expiry
// time and a signature. A URL grants access to its photo and cannot be forged.
type URLs struct {
	base    string
	signers []*sync.Pool // of *signer, one for each secret: the first signs, all verify
}

// signer is a keyed hash with the buffers of one signature.
type signer struct {
	mac     hash.Hash
	message []byte
	sum     []byte
}

// NewURLs returns URLs below base, "https://host". The signing keys are derived from the service's secrets, of at least
// 32 bytes each. The first secret signs; signatures of every secret are valid.
func NewURLs(base string, secrets ...[]byte) (*URLs, error) {
	u := &URLs{base: strings.TrimSuffix(base, "/")}
	for _, secret := range secrets {
		if len(secret) < minSecret {
			return nil, errors.New("sign photo URLs: the secret key must have at least 32 bytes")
		}
		key, err := hkdf.Key(sha256.New, secret, nil, "cardvault photo addresses v1", sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("sign photo URLs: %w", err)
		}
		u.signers = append(u.signers, &sync.Pool{New: func() any { return &signer{mac: hmac.New(sha256.New, key)} }})
	}
	return u, nil
}

// For returns the URL of a photo, valid for 24 to 48 hours from at.
func (u *URLs) For(accountID, photoID, contentType string, at time.Time) string {
	const step = int64(expiryStep / time.Second)
	expires := (at.Unix()/step + 2) * step
	var number [20]byte
	digits := strconv.AppendInt(number[:0], expires, 10)
	extension := Extension(contentType)
	signature := sign(u.signers[0], accountID, photoID, extension, expires)

	var b strings.Builder
	b.Grow(len(u.base) + len(accountID) + len(photoID) + len(extension) + len(digits) + len(signature) +
		len("/photos//?expires=&signature="))
	b.WriteString(u.base)
	b.WriteString("/photos/")
	b.WriteString(accountID)
	b.WriteByte('/')
	b.WriteString(photoID)
	b.WriteString(extension)
	b.WriteString("?expires=")
	b.Write(digits)
	b.WriteString("&signature=")
	b.Write(signature[:])
	return b.String()
}

// verify reports whether signature belongs to this photo and expiry time.
func (u *URLs) verify(accountID, photoID, extension string, expires int64, signature string) bool {
	return slices.ContainsFunc(u.signers, func(signers *sync.Pool) bool {
		want := sign(signers, accountID, photoID, extension, expires)
		return hmac.Equal(want[:], []byte(signature))
	})
}

// sign returns the signature in base64url without padding.
func sign(signers *sync.Pool, accountID, photoID, extension string, expires int64) (signature [22]byte) {
	s := signers.Get().(*signer)
	defer signers.Put(s)
	m := append(s.message[:0], accountID...)
	m = append(m, '/')
	m = append(m, photoID...)
	m = append(m, extension...)
	m = append(m, '\n')
	s.message = strconv.AppendInt(m, expires, 10)
	s.mac.Reset()
	s.mac.Write(s.message)
	s.sum = s.mac.Sum(s.sum[:0])
	base64.RawURLEncoding.Encode(signature[:], s.sum[:signatureSize])
	return signature
}
