// Package id makes and parses the service's identifiers: a prefix that names the kind of thing, an underscore, and a
// unique part that sorts by time.
//
// The unique part is a ULID in lower case: 26 digits of Crockford's base32 for 48 bits of Unix milliseconds and 80
// random bits. Package ulid encodes and decodes it. The package never looks anything up: whether an identifier exists
// is for the package that owns the thing.
package id

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

// The prefixes, one for each kind of thing.
const (
	Account  = "acc"
	Card     = "card"
	Batch    = "bat"
	Listing  = "lst"
	Event    = "evt"
	Endpoint = "whe"
	Secret   = "whs"
	Delivery = "dlv"
	Token    = "tok"
	Photo    = "pho"
	Import   = "imp"
	Sale     = "sale"
	Job      = "job"
	User     = "usr"
	Export   = "exp"
	View     = "view"
)

// New returns an identifier with this prefix and the time at. Callers inside a write pass the account clock's time, so
// that identifiers sort in the order of the commits.
func New(prefix string, at time.Time) string { return Run(prefix, at)() }

// Run returns a source of identifiers with this prefix and the time at, for several things made by one write. They sort
// in the order in which they are made: the first is random, and each next one is greater by one.
//
// Run does not use ulid.Monotonic, which allocates a buffer of 4 KiB for each source and can fail on overflow.
func Run(prefix string, at time.Time) func() string {
	var next ulid.ULID
	_ = next.SetTime(uint64(at.UnixMilli()) & ulid.MaxTime()) // fails only above MaxTime
	rand.Read(next[6:])
	next[6] &= 0x7f // leaves room to count up without a carry into the time
	return func() string {
		text := format(prefix, next)
		for i := len(next) - 1; i >= 6; i-- {
			if next[i]++; next[i] != 0 {
				break
			}
		}
		return text
	}
}

func format(prefix string, u ulid.ULID) string {
	var digits [ulid.EncodedSize]byte
	_ = u.MarshalTextTo(digits[:]) // fails only for another length
	for i := range digits {
		digits[i] |= 'a' - 'A' // lower case; the digits 0 to 9 have this bit already
	}
	return string(append(append(make([]byte, 0, 32), prefix+"_"...), digits[:]...))
}

// Parse returns s in lower case, as it is stored, and true if it is an identifier with this prefix. False means that
// nothing can have this identifier; callers respond as for an unknown one.
func Parse(prefix, s string) (string, bool) {
	s = strings.ToLower(s)
	unique, ok := strings.CutPrefix(s, prefix+"_")
	if !ok {
		return "", false
	}
	if _, err := ulid.ParseStrict(unique); err != nil {
		return "", false
	}
	return s, true
}

// Time returns the time of an identifier, in UTC milliseconds. The identifier must have passed Parse.
func Time(s string) time.Time {
	u, _ := ulid.Parse(s[len(s)-ulid.EncodedSize:])
	return u.Timestamp().UTC()
}
