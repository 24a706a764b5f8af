package form

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"os"

	"github.com/cardvault/cardvault/internal/fault"
)

const (
	// MaxHeader is the largest header of a part that Receive reads, in bytes. mime/multipart alone would read 10 MiB.
	MaxHeader = 16 << 10
	// maxText is the longest text that is kept, in bytes: more than any field of the contract can have.
	maxText = 64 << 10
	// maxParts is the largest number of parts.
	maxParts = 100
)

// Receive reads a form and stores its files. files has the fields that are files, each with its maximum number. Receive
// stops at the first file above the maximum, because the form cannot be valid any more; the form then has one file too
// many. The caller closes the form.
//
// The error is a fault if the form is malformed, or wraps the error of body.
func Receive(body io.Reader, boundary string, files map[string]int) (*Form, error) {
	if boundary == "" {
		return nil, fault.Invalid("Content-Type", "must have the boundary of the form")
	}
	file, err := createStorage()
	if err != nil {
		return nil, err
	}
	r := receiver{
		source: &limitedSource{Reader: body}, limits: files, counts: map[string]int{}, storage: storage{file: file},
		hash: sha256.New(), form: &Form{Values: map[string][]string{}, stored: file},
	}
	if err := r.receive(boundary); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	r.hash.Sum(r.form.Hash[:0])
	return r.form, nil
}

// createStorage creates a temporary file without a name, which the system removes when it is closed.
func createStorage() (*os.File, error) {
	file, err := os.CreateTemp("", "cardvault-form-")
	if err != nil {
		return nil, fmt.Errorf("store form: set TMPDIR to a directory that can be written: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(fmt.Errorf("store form: %w", err), file.Close())
	}
	return file, nil
}

// receiver is a form that is being received.
type receiver struct {
	source  *limitedSource
	limits  map[string]int // of files, by field
	counts  map[string]int // files so far, by field
	storage storage
	hash    hash.Hash
	form    *Form
}

func (r *receiver) receive(boundary string) error {
	parts := multipart.NewReader(r.source, boundary)
	for range maxParts {
		r.source.left = MaxHeader
		part, err := parts.NextPart()
		r.source.left = math.MaxInt64
		if err == io.EOF && r.source.ends(boundary) {
			return nil
		}
		if err != nil {
			return malformed(err)
		}
		if more, err := r.add(part); err != nil || !more {
			return err
		}
	}
	return fault.Invalid("body", "must have at most %d parts", maxParts)
}

// add adds a part to the form and reports whether to continue.
func (r *receiver) add(part *multipart.Part) (more bool, err error) {
	name := part.FormName()
	limit, isFile := r.limits[name]
	r.write(name)
	switch {
	case name == "":
		return false, fault.Invalid("body", "must give every part of the form a name")
	case !isFile:
		return true, r.addText(name, part)
	}
	if r.counts[name]++; r.counts[name] > limit {
		r.form.Files = append(r.form.Files, File{Field: name, SectionReader: r.storage.section(0)})
		return false, nil
	}
	return true, r.addFile(name, part)
}

func (r *receiver) addText(name string, part *multipart.Part) error {
	text, err := io.ReadAll(io.LimitReader(part, maxText+1))
	switch {
	case err != nil:
		return malformed(err)
	case len(text) > maxText:
		return fault.Invalid(name, "must have at most %d bytes", maxText)
	}
	r.form.Values[name] = append(r.form.Values[name], string(text))
	r.write(string(text))
	return nil
}

func (r *receiver) addFile(name string, part *multipart.Part) error {
	content := sha256.New()
	size, err := io.Copy(io.MultiWriter(&r.storage, content), part)
	switch {
	case r.storage.err != nil:
		return fmt.Errorf("store form: %w", r.storage.err)
	case err != nil:
		return malformed(err)
	}
	r.form.Files = append(r.form.Files, File{
		Field: name, Name: part.FileName(), SectionReader: r.storage.section(size),
	})
	r.write(part.FileName())
	r.write(string(content.Sum(nil)))
	return nil
}

// write adds a text to the hash, with its length, so that no two lists of texts have the same hash.
func (r *receiver) write(text string) {
	_ = binary.Write(r.hash, binary.BigEndian, int64(len(text)))
	_, _ = io.WriteString(r.hash, text)
}

// storage is the file that the contents are appended to. It keeps its error, which is not one of the client.
type storage struct {
	file *os.File
	size int64
	err  error
}

// Write implements io.Writer.
func (s *storage) Write(p []byte) (n int, err error) {
	n, s.err = s.file.Write(p)
	s.size += int64(n)
	return n, s.err
}

// section returns the last size bytes.
func (s *storage) section(size int64) *io.SectionReader {
	return io.NewSectionReader(s.file, s.size-size, size)
}

// tailSize is the number of bytes at the end of a body that are kept: more than mime/multipart reads ahead.
const tailSize = 8 << 10

// limitedSource is a body that may be read up to left bytes, so that the header of a part cannot use much memory.
type limitedSource struct {
	io.Reader
	left int64
	tail []byte // that was read last
}

// Read implements io.Reader.
func (s *limitedSource) Read(p []byte) (int, error) {
	if s.left <= 0 {
		return 0, fault.Invalid("body", "must be a form whose parts have headers of at most %d bytes", MaxHeader)
	}
	n, err := s.Reader.Read(p[:min(int64(len(p)), s.left)])
	s.left -= int64(n)
	s.tail = append(s.tail, p[:n]...)
	if extra := len(s.tail) - tailSize; extra > 0 {
		s.tail = s.tail[:copy(s.tail, s.tail[extra:])]
	}
	return n, err
}

// ends reports whether the form ended with its last boundary. NextPart returns io.EOF for a form that is cut off in the
// header of a part too.
func (s *limitedSource) ends(boundary string) bool {
	return bytes.Contains(s.tail, []byte("--"+boundary+"--"))
}

// malformed returns the errors of the body as they are, and others as the client's.
func malformed(err error) error {
	var large *http.MaxBytesError
	if _, isFault := fault.As(err); isFault || errors.As(err, &large) {
		return err
	}
	return fault.Invalid("body", "is not a complete form; send it again").WithCause(err)
}
