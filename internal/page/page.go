// Package page is how lists are cut into pages: keyset positions and the opaque cursors that carry
// them. It never counts and never skips rows: page 10 000 costs what page 1 costs.
package page

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// The bounds of a page (openapi/v1.yaml, Limit).
const (
	DefaultLimit = 50
	MaxLimit     = 200
)

// Request asks for a page. Limit 0 means DefaultLimit; Cursor "" means the first page.
type Request struct {
	Limit  int
	Cursor string
}

// Size returns how many rows the page may hold.
func (r Request) Size() int {
	switch {
	case r.Limit <= 0:
		return DefaultLimit
	case r.Limit > MaxLimit:
		return MaxLimit
	}
	return r.Limit
}

// Position is where a page ends: the sort time of its last row and that row's identifier.
type Position struct {
	At time.Time
	ID string
}

// Page is some rows and where the next page starts; NextCursor is nil on the last page. Another may hold fewer rows
// than were asked for, or none.
type Page[T any] struct {
	Data       []T
	NextCursor *string
}

// macSize is enough to make a forged cursor hopeless and keeps cursors short.
const macSize = 16

// Cursors seals positions, so that a cursor is opaque, cannot be tampered with, and holds only for
// the list it was issued for.
type Cursors struct{ keys [][]byte }

// NewCursors derives its keys from the service's secrets: it seals by the first, and opens what any has sealed.
func NewCursors(secrets ...[]byte) (c Cursors, err error) {
	c.keys = make([][]byte, len(secrets))
	for i, secret := range secrets {
		if c.keys[i], err = hkdf.Key(sha256.New, secret, nil, "cardvault page cursors", sha256.Size); err != nil {
			return Cursors{}, err
		}
	}
	return c, nil
}

// Seal returns the cursor for position in the list that scope names: its kind, account and filters.
func (c Cursors) Seal(scope string, p Position) string {
	payload := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(p.ID)+macSize), uint64(p.At.UnixMicro()))
	payload = append(payload, p.ID...)
	return base64.RawURLEncoding.EncodeToString(append(payload, mac(c.keys[0], scope, payload)...))
}

// Open returns the position in a cursor; invalid_cursor if it was not issued for this scope.
func (c Cursors) Open(scope, cursor string) (Position, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < 8+macSize {
		return Position{}, invalid()
	}
	payload, sealed := raw[:len(raw)-macSize], raw[len(raw)-macSize:]
	if !slices.ContainsFunc(c.keys, func(key []byte) bool { return hmac.Equal(sealed, mac(key, scope, payload)) }) {
		return Position{}, invalid()
	}
	at := time.UnixMicro(int64(binary.BigEndian.Uint64(payload))).UTC()
	return Position{At: at, ID: string(payload[8:])}, nil
}

// Start returns where the page that p asks for starts; nil is the beginning of the list.
func (c Cursors) Start(scope string, p Request) (*Position, error) {
	if p.Cursor == "" {
		return nil, nil
	}
	position, err := c.Open(scope, p.Cursor)
	return &position, err
}

func mac(key []byte, scope string, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(scope))
	h.Write([]byte{0})
	h.Write(payload)
	return h.Sum(nil)[:macSize]
}

func invalid() error {
	return fault.Invalid("cursor", "is not one that this list issued for these filters; start again without a cursor").
		WithCode(fault.InvalidCursor)
}
