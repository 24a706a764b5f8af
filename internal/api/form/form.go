// Package form receives forms with files (multipart/form-data, RFC 7578) in bounded memory: the files are stored in one
// temporary file without a name, in which each is a section.
//
//  1. Receive reads the body and returns the Form.
//  2. The middleware validates the values and the number of files, and passes the form on with With.
//  3. The handler gets it with From and reads one file after the other.
//
// The package knows no contract and checks no content. Close frees the storage.
package form

import (
	"context"
	"io"
	"os"
)

// MediaType is the media type of forms.
const MediaType = "multipart/form-data"

// Form is a form that was received completely.
type Form struct {
	// Values are the parts that are not files: one or several texts by field.
	Values map[string][]string
	// Files are in the order of the form.
	Files []File
	// Hash identifies the fields, file names and contents in their order. It does not depend on the boundary, which is
	// different in each request of most clients.
	Hash [32]byte

	stored *os.File
}

// File is a file of a form.
type File struct {
	Field string
	Name  string // as the client sent it, without folders; "" if the part has no file name
	*io.SectionReader
}

// Largest returns the size of the largest file in bytes.
func (f *Form) Largest() (size int64) {
	for _, file := range f.Files {
		size = max(size, file.Size())
	}
	return size
}

// Close frees the storage of the files. They cannot be read afterwards.
func (f *Form) Close() error { return f.stored.Close() }

type formKey struct{}

// With returns a context that carries a form to the handler.
func With(ctx context.Context, f *Form) context.Context { return context.WithValue(ctx, formKey{}, f) }

// From returns the form of the request. It is empty for a request without a form.
func From(ctx context.Context) *Form {
	if f, ok := ctx.Value(formKey{}).(*Form); ok {
		return f
	}
	return &Form{}
}
