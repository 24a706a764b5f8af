package catalog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

const (
	// maxUnpacked bounds what one file may unpack to. The largest real one, Scryfall's "all cards", has
	// 2.5 GB.
	maxUnpacked = 8 << 30
	// maxElement bounds one card in a file: it is what is held in memory at once. Real ones have 5 kB.
	maxElement = 1 << 20
)

var (
	errTooLarge       = errors.New("unpacks to more than the largest catalogue")
	errElementTooLong = errors.New("has a single record of more than 1 MiB")
)

// file is an open catalogue file, plain or gzip, of which it is known how far it has been read.
type file struct {
	source
	// path is the file as the user named it, for messages.
	path string
	// asOf is when the file's content was made, as far as the file says: what it says of prices held then.
	asOf    time.Time
	raw     *os.File
	size    int
	packed  *counter
	inflate *gzip.Reader
}

// openFile opens a file, which is unpacked where it is gzip, whatever its name.
func openFile(path string) (*file, error) {
	raw, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	info, err := raw.Stat()
	if err != nil || !info.Mode().IsRegular() {
		raw.Close()
		return nil, fault.New(fault.InvalidRequest, "%s is not a file", path).WithCause(err)
	}
	f := &file{path: path, raw: raw, size: int(info.Size()), asOf: info.ModTime(), packed: &counter{r: raw}}
	buffered := bufio.NewReaderSize(f.packed, 64<<10)
	var content io.Reader = buffered
	if magic, _ := buffered.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		if f.inflate, err = gzip.NewReader(buffered); err != nil {
			raw.Close()
			return nil, fault.New(fault.InvalidRequest, "%s is damaged: it begins like gzip but is none", path).WithCause(err)
		}
		if !f.inflate.ModTime.IsZero() {
			f.asOf = f.inflate.ModTime
		}
		content = f.inflate
	}
	f.source = source{r: content, left: maxUnpacked}
	return f, nil
}

// Close closes the file.
func (f *file) Close() error { return f.raw.Close() }

// done returns how many of the file's size bytes have been read.
func (f *file) done() int { return f.packed.n }

// unreadable is the fault of a path that cannot be opened.
func unreadable(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fault.New(fault.InvalidRequest, "%s does not exist", path).WithCause(err)
	}
	return fault.New(fault.InvalidRequest, "%s cannot be read", path).WithCause(err)
}

// source reads a file's content within bounds and knows on which line each byte stands.
type source struct {
	r io.Reader
	// left is how many bytes may still be read in all, element how many since the last nextElement.
	left, element int64
	at            int64
	newlines      []int64 // offsets of line ends read but not yet passed by line
	passed        int
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			s.newlines = append(s.newlines, s.at+int64(i))
		}
	}
	s.at += int64(n)
	s.left -= int64(n)
	s.element += int64(n)
	switch {
	case s.left < 0:
		return n, errTooLarge
	case s.element > 2*maxElement: // readers read ahead, at most as much again as they need
		return n, errElementTooLong
	}
	return n, err
}

// nextElement says that another record begins: the bound on a record's size counts from here.
func (s *source) nextElement() { s.element = 0 }

// line returns the line, from 1, of the byte at offset; offsets must not go back.
func (s *source) line(offset int64) int {
	before, _ := slices.BinarySearch(s.newlines, offset)
	s.newlines = s.newlines[before:]
	s.passed += before
	return s.passed + 1
}

// counter counts the bytes read through it.
type counter struct {
	r io.Reader
	n int
}

// Read implements io.Reader.
func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// notOfFormat is the fault of a file that is not what its format says. What was expected is said in
// full, because the usual cause is a wrong file or a wrong --format.
func notOfFormat(path string, format Format, err error) error {
	return fault.New(fault.InvalidRequest, "%s is not of the format %s: expected %s", path, format, expectations[format]).
		WithCause(err)
}

// expectations says in words what each format is.
var expectations = map[Format]string{
	PokemonTCGData: "a directory or .zip of the pokemon-tcg-data set with sets/en.json and cards/en/<set>.json",
	Scryfall:       "Scryfall bulk data: a JSON array of card objects, plain or .gz",
	CSV: "a CSV file, plain or .gz, whose first line names columns, among them name and id or number " +
		"(also: " + fmt.Sprint(csvColumnNames()) + ")",
	Fingerprints: `a JSON object of card id to {"name", "hash"} with 128 hexadecimal digits, plain or .gz`,
}
