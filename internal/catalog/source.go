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
	// maxUnpacked is the maximum uncompressed size of a file, in bytes. The largest known file, Scryfall's "all cards",
	// has 2.5 GB.
	maxUnpacked = 8 << 30
	// maxElement is the maximum size of one card in a file, in bytes, because a whole card is in memory. Usual cards
	// have 5 kB.
	maxElement = 1 << 20
)

var (
	errTooLarge       = errors.New("unpacks to more than the largest catalogue")
	errElementTooLong = errors.New("has a single record of more than 1 MiB")
)

// file is an open catalogue file, plain or compressed with gzip.
type file struct {
	source
	path    string    // as the user entered it, for messages
	asOf    time.Time // when the content was created, as far as known; it is the time of the prices
	raw     *os.File
	size    int      // of the file, in bytes
	packed  *counter // counts the bytes that were read of the file
	inflate *gzip.Reader
}

// openFile opens a file. It decompresses a file that begins like gzip, regardless of its name.
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
	reader := bufio.NewReaderSize(f.packed, 64<<10)
	var content io.Reader = reader
	if magic, _ := reader.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		if f.inflate, err = gzip.NewReader(reader); err != nil {
			raw.Close()
			return nil, fault.New(fault.InvalidRequest, "%s is damaged: it begins like gzip but is not", path).
				WithCause(err)
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

// done returns the number of bytes of the file that were read.
func (f *file) done() int { return f.packed.n }

// unreadable returns the fault of a path that cannot be opened.
func unreadable(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fault.New(fault.InvalidRequest, "%s does not exist", path).WithCause(err)
	}
	return fault.New(fault.InvalidRequest, "%s cannot be read", path).WithCause(err)
}

// source reads the content of a file. It limits the size of the file and of an element, and counts lines.
type source struct {
	r        io.Reader
	left     int64   // number of bytes that may still be read
	element  int64   // number of bytes that were read since nextElement
	at       int64   // number of bytes that were read
	newlines []int64 // offsets of the newlines that were read and that line has not passed
	passed   int     // number of newlines that line has passed
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
	case s.element > 2*maxElement: // decoders read ahead, at most as much as they need
		return n, errElementTooLong
	}
	return n, err
}

// nextElement marks the beginning of an element, to which the limit of its size applies.
func (s *source) nextElement() { s.element = 0 }

// line returns the line of the byte at offset, from 1. Calls must pass ascending offsets.
func (s *source) line(offset int64) int {
	before, _ := slices.BinarySearch(s.newlines, offset)
	s.newlines = s.newlines[before:]
	s.passed += before
	return s.passed + 1
}

// counter counts the bytes that are read from r.
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

// notOfFormat returns the fault of a file that is not of the format. It describes the format, because the usual cause
// is a wrong file or a wrong --format.
func notOfFormat(path string, format Format, err error) error {
	return fault.New(fault.InvalidRequest, "%s is not of the format %s: expected %s",
		path, format, expectations[format]).WithCause(err)
}

// expectations describes each format.
var expectations = map[Format]string{
	PokemonTCGData: "a directory or .zip of the pokemon-tcg-data set with sets/en.json and cards/en/<set>.json",
	Scryfall:       "Scryfall bulk data: a JSON array of card objects, plain or .gz",
	TCGdex: "cards in TCGdex's JSON: a file with one card per line, an array of cards or a set with its cards, " +
		"plain or .gz, or a folder or .zip with them, such as server/generated of its repository after a build",
	YGOPRODeck: "the answer of YGOPRODeck's cardinfo.php for all cards: " +
		`{"data": [{"id", "name", "card_sets"}]}, plain or .gz`,
	LorcanaJSON: `allCards.json or a set's file of LorcanaJSON: {"metadata", "cards": […]}, plain or .gz`,
	OnePiece: "a JSON array of cards of optcgapi.com, plain or .gz, or a file, folder or .zip of punk-records, " +
		"such as its folder english",
	CSV: "a CSV file, plain or .gz, whose first line names columns, among them name or player, and id or number " +
		"(also: " + fmt.Sprint(csvColumnNames()) + ")",
	Fingerprints: `a JSON object of card id to {"name", "hash"} with 128 hexadecimal digits, plain or .gz`,
}
