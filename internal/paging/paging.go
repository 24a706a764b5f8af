// Package paging implements keyset pagination. A List describes the statement of a list, Select reads a
// page, Cut makes a Page of its rows, and Cursors encodes the position after it as an opaque cursor. It
// never counts or skips rows, so page 10,000 costs as much as page 1.
package paging

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// The bounds of a page (openapi/v1.yaml, Limit).
const (
	DefaultLimit = 50
	MaxLimit     = 200
)

// Request selects a page. The default Limit is DefaultLimit. An empty Cursor selects the first page.
type Request struct {
	Limit  int
	Cursor string
}

// Size returns the largest number of rows of the page.
func (r Request) Size() int {
	switch {
	case r.Limit <= 0:
		return DefaultLimit
	case r.Limit > MaxLimit:
		return MaxLimit
	}
	return r.Limit
}

// Position is the end of a page: the identifier of its last row, and the time or the key that orders that row.
type Position struct {
	At  time.Time
	ID  string
	Key string
}

// Page is the rows of a page and the cursor of the next one. NextCursor is nil on the last page. Other pages may have
// fewer rows than requested, or none.
type Page[T any] struct {
	Data       []T
	NextCursor *string
}

// macSize is long enough to prevent forgery and keeps cursors short.
const macSize = 16

// Cursors encodes positions as cursors. A cursor is opaque, authenticated, and valid only for the list
// that it was issued for.
type Cursors struct{ keys [][]byte }

// NewCursors derives its keys from the service's secrets. It seals with the first one and opens cursors of all.
func NewCursors(secrets ...[]byte) (c Cursors, err error) {
	c.keys = make([][]byte, len(secrets))
	for i, secret := range secrets {
		if c.keys[i], err = hkdf.Key(sha256.New, secret, nil, "cardvault page cursors", sha256.Size); err != nil {
			return Cursors{}, err
		}
	}
	return c, nil
}

// Seal returns the cursor of a position. scope identifies the list: its kind, account and filters.
func (c Cursors) Seal(scope string, p Position) string {
	payload := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(p.ID)+macSize), uint64(p.At.UnixMicro()))
	payload = append(payload, p.ID...)
	if p.Key != "" { // identifiers have no NUL
		payload = append(append(payload, 0), p.Key...)
	}
	return base64.RawURLEncoding.EncodeToString(append(payload, mac(c.keys[0], scope, payload)...))
}

// Open returns the position of a cursor. It returns invalid_cursor if the cursor was not issued for this scope.
func (c Cursors) Open(scope, cursor string) (Position, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) < 8+macSize {
		return Position{}, invalid()
	}
	payload, tag := raw[:len(raw)-macSize], raw[len(raw)-macSize:]
	if !slices.ContainsFunc(c.keys, func(key []byte) bool { return hmac.Equal(tag, mac(key, scope, payload)) }) {
		return Position{}, invalid()
	}
	at := time.UnixMicro(int64(binary.BigEndian.Uint64(payload))).UTC()
	id, key, _ := strings.Cut(string(payload[8:]), "\x00")
	return Position{At: at, ID: id, Key: key}, nil
}

// Start returns the position before the page that p selects, or nil for the first page.
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
