// Package collation orders texts as people expect: by Unicode's root collation, with numbers by their values. Á is
// beside A, lower case before upper case, and Box 2 before Box 10.
//
// Key returns a text's sort key. Keys are stored, so that a database orders rows by bytes and needs no collation of its
// own. PathKey is Key for locations, whose parts are compared one by one.
package collation

import (
	"bytes"
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// Version is the version of the keys. Keys of different versions must not be compared. It increases with every change
// of this package, or of its tables in golang.org/x/text, that changes a key; TestKey_IsStable detects such a change.
const Version = 1

// MaxKey is the maximum size of a key in bytes. Texts with the same first MaxKey bytes are equal. These are more than
// 100 letters of most scripts.
const MaxKey = 240

// The bytes between the parts of a key. Whatever continues a part begins with a larger byte.
const (
	endOfPart  = 0x00
	endOfLevel = 0x01
	offset     = 0x02 // is added to the first byte of a letter, which can be 0
)

// Key returns the key of a text. The keys of two texts compare as the texts do.
func Key(text string) []byte {
	c := collators.Get().(*collator)
	defer collators.Put(c)
	return limit(c.appendKey(nil, text))
}

// PathKey returns the key of a path, whose parts are separated by slashes: everything below a path follows it, before
// any other path.
func PathKey(path string) []byte {
	c := collators.Get().(*collator)
	defer collators.Put(c)
	key := make([]byte, 0, 64)
	for part := range strings.SplitSeq(path, "/") {
		if key = append(c.appendKey(key, part), endOfPart); len(key) >= MaxKey {
			break
		}
	}
	return limit(key)
}

// Compare compares two texts by their keys.
func Compare(a, b string) int { return bytes.Compare(Key(a), Key(b)) }

// limit shortens a key to MaxKey, in memory of its own.
func limit(key []byte) []byte { return bytes.Clone(key[:min(len(key), MaxKey)]) }

// collator computes keys. It is used by one goroutine at a time.
type collator struct {
	*collate.Collator
	buffer collate.Buffer
	text   []byte
}

var collators = sync.Pool{New: func() any { return &collator{Collator: collate.New(language.Und)} }}

// appendKey appends the key of a text. It has three levels: the letters, their accents, and their case and width. The
// second and third levels hold only unusual accents, cases and widths.
func (c *collator) appendKey(key []byte, text string) []byte {
	c.text = appendNumbered(c.text[:0], text)
	c.buffer.Reset()
	letters, accents, cases := split(c.Key(&c.buffer, c.text))
	key = appendLetters(key, letters)
	accents, cases = packed(accents, 2, usualAccent), packed(cases, 1, usualCase)
	if len(accents)+len(cases) > 0 {
		key = append(append(key, endOfLevel), accents...)
	}
	if len(cases) > 0 {
		key = append(append(key, endOfLevel), cases...)
	}
	return key
}

// The weights of characters without an accent, and of lower case.
const (
	usualAccent = 0x20
	usualCase   = 0x02
)

// split returns the three levels of a key of package collate, which two zero bytes separate.
func split(key []byte) (letters, accents, cases []byte) {
	end := 0
	for key[end] != 0 || key[end+1] != 0 {
		end += sizeOf(key[end])
	}
	letters, key = key[:end], key[end+2:]
	for end = 0; key[end] != 0 || key[end+1] != 0; end += 2 {
	}
	return letters, key[:end], key[end+2:]
}

// sizeOf returns the number of bytes of a letter that begins with first, which is at most 0x9F.
func sizeOf(first byte) int { return 2 + int(first>>7) }

// appendLetters appends letters with the offset.
func appendLetters(key, letters []byte) []byte {
	for len(letters) > 0 {
		size := sizeOf(letters[0])
		key = append(append(key, letters[0]+offset), letters[1:size]...)
		letters = letters[size:]
	}
	return key
}

// packed returns the weights other than the usual one, which is the least. Before each, a byte tells how many usual
// ones precede it: the fewer, the larger the byte, because the other weight then comes earlier.
func packed(weights []byte, size int, usual byte) (list []byte) {
	const most = 0xFF - endOfLevel - 1
	gap := 0
	for ; len(weights) >= size; weights = weights[size:] {
		weight := weights[:size]
		if weight[size-1] == usual && (size == 1 || weight[0] == 0) && gap < most {
			gap++
			continue
		}
		list = append(append(list, byte(0xFF-gap)), weight...)
		gap = 0
	}
	return list
}
