// Package id makes and reads the service's identifiers: a prefix that names the kind of thing
// and a unique part that sorts by time.
//
// The unique part is a ULID (48 bits of Unix milliseconds, 80 bits, 79 of them random) in lower-case
// Crockford base32. The package never looks anything up: whether an identifier exists is for
// the package that owns the thing.
package id

import (
	"crypto/rand"
	"strings"
	"time"
)

// The prefixes, one for each kind of thing.
const (
	Account  = "acc"
	Card     = "card"
	Batch    = "bat"
	Listing  = "lst"
	Event    = "evt"
	Endpoint = "whe"
	Delivery = "dlv"
	Token    = "tok"
	Photo    = "pho"
	Import   = "imp"
)

// uniqueLen is the length of 128 bits in base32 without padding.
const uniqueLen = 26

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// New returns prefix, an underscore and a unique part whose time is at. Callers inside a write
// pass the account clock's time, so that identifiers sort as the changes were committed.
func New(prefix string, at time.Time) string { return Run(prefix, at)() }

// Run returns a source of identifiers that sort in the order they were drawn, all of the time at:
// for several things made by one write. The first is random, each next one greater by one.
func Run(prefix string, at time.Time) func() string {
	var raw [16]byte
	ms := uint64(at.UnixMilli())
	for i := 5; i >= 0; i-- {
		raw[i] = byte(ms)
		ms >>= 8
	}
	rand.Read(raw[6:]) // never fails: crypto/rand aborts the program instead
	raw[6] &= 0x7f     // leaves room to count up without touching the time
	return func() string {
		made := string(appendBase32(append(make([]byte, 0, 32), prefix+"_"...), raw))
		for i := 15; i >= 6; i-- {
			if raw[i]++; raw[i] != 0 {
				break
			}
		}
		return made
	}
}

// appendBase32 writes 128 bits as 26 digits of five bits, the first of which holds three.
func appendBase32(dst []byte, raw [16]byte) []byte {
	hi := uint64(raw[0])<<56 | uint64(raw[1])<<48 | uint64(raw[2])<<40 | uint64(raw[3])<<32 |
		uint64(raw[4])<<24 | uint64(raw[5])<<16 | uint64(raw[6])<<8 | uint64(raw[7])
	lo := uint64(raw[8])<<56 | uint64(raw[9])<<48 | uint64(raw[10])<<40 | uint64(raw[11])<<32 |
		uint64(raw[12])<<24 | uint64(raw[13])<<16 | uint64(raw[14])<<8 | uint64(raw[15])
	var digits [uniqueLen]byte
	for i := uniqueLen - 1; i >= 0; i-- {
		digits[i] = alphabet[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return append(dst, digits[:]...)
}

// Parse returns s in its stored (lower-case) form and true if it is an identifier with this
// prefix. False means that nothing can have this identifier; callers answer as for an unknown one.
func Parse(prefix, s string) (string, bool) {
	s = strings.ToLower(s)
	unique, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(unique) != uniqueLen || unique[0] > '7' {
		return "", false
	}
	for i := range len(unique) {
		if strings.IndexByte(alphabet, unique[i]) < 0 {
			return "", false
		}
	}
	return s, true
}

// Time returns the time an identifier was made at, in UTC milliseconds. It must have passed Parse.
func Time(s string) time.Time {
	unique := s[len(s)-uniqueLen:]
	var ms int64
	for i := range 10 {
		ms = ms<<5 | int64(strings.IndexByte(alphabet, unique[i]))
	}
	return time.UnixMilli(ms).UTC()
}
