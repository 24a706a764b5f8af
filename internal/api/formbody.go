package api

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cardvault/cardvault/internal/api/form"
	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/upload"
)

const (
	// bodyStorage is the size, in bytes, of all bodies that are stored in temporary files at the same time.
	// accountBodyStorage is the share of one account.
	bodyStorage, accountBodyStorage = 4 << 30, 1 << 30
	// maxFileName is the length of the longest name of a file, in characters (contract: ScanResult).
	maxFileName = 255
)

// formBody is the body of a request whose operation takes a form. It is received into a temporary file before the
// handler runs, so that slow clients occupy no memory and an Idempotency-Key is compared with all of it. Then it waits
// until the largest of its files may be loaded into memory: handlers load one file at a time.
type formBody struct {
	operation *operation
	account   string
	storage   *upload.Storage
	memory    *concurrency.Semaphore
	client    http.ResponseWriter

	stored *upload.Body // nil until the form is received
	form   *form.Form   // nil until it was received
	held   *concurrency.Held
}

// newFormBody returns the body of a request whose operation takes a form, otherwise nil.
func (v validator) newFormBody(w http.ResponseWriter, op *operation, account string) *formBody {
	if op.files == nil {
		return nil
	}
	return &formBody{operation: op, account: account, storage: v.storage, memory: v.memory, client: w}
}

// receive stores the form and reserves the memory for its files.
func (b *formBody) receive(r *http.Request) error {
	_, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil { // impossible: checkMediaType has parsed it
		return err
	}
	b.stored = b.storage.Receive(r.Context(), b.client, r.Body, b.account, formTimeout)
	result, err := form.Receive(b.stored, parameters["boundary"], b.operation.files)
	if err != nil {
		return err
	}
	b.form = result
	b.held, err = reserveMemory(r.Context(), b.memory, b.account, result.Largest()*pictureWeight)
	return err
}

// release frees the storage and the memory of the form.
func (b *formBody) release() {
	if b.form != nil {
		b.form.Close()
	}
	if b.stored != nil {
		b.stored.Release()
	}
	if b.held != nil {
		b.held.Release()
	}
}

// check validates the form as an object in which each file is a string, and returns the fields that are not files.
func (b *formBody) check(schema *openapi3.Schema, errs *fieldErrors) (fields map[string]any) {
	fields = b.checkTexts(errs)
	whole := maps.Clone(fields)
	b.checkFiles(whole, errs)
	if err := schema.VisitJSON(whole, firstError...); err != nil {
		errs.addBody(schema, whole, err)
	}
	return fields
}

// checkTexts returns the fields that are not files.
func (b *formBody) checkTexts(errs *fieldErrors) map[string]any {
	fields := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(b.form.Values)) {
		values := b.form.Values[name]
		fields[name] = values[0]
		switch {
		case len(values) > 1:
			errs.add(name, "must be given once")
		case !storable(values):
			errs.add(name, "must be UTF-8 without NUL characters")
		}
	}
	return fields
}

// checkFiles adds a list to the fields for each field with files.
func (b *formBody) checkFiles(fields map[string]any, errs *fieldErrors) {
	for _, file := range b.form.Files {
		list, _ := fields[file.Field].([]any)
		if message := fileNameMessage(file.Name); message != "" && len(list) < b.operation.files[file.Field] {
			errs.add(join(file.Field, strconv.Itoa(len(list))), message)
		}
		fields[file.Field] = append(list, "")
	}
}

// fileNameMessage returns the message for the name of a file that cannot be returned, or "".
func fileNameMessage(name string) string {
	switch {
	case name == "":
		return "must be a file with a name"
	case !storable([]string{name}):
		return "must have a file name in UTF-8 without NUL characters"
	case utf8.RuneCountInString(name) > maxFileName:
		return fmt.Sprintf("must have a file name of at most %d characters", maxFileName)
	}
	return ""
}

// formFiles returns the fields of a form that are lists of files, each with its maximum number of files.
func formFiles(schema *openapi3.Schema) map[string]int {
	files := map[string]int{}
	for name, property := range schema.Properties {
		if s := property.Value; s.Type.Is(openapi3.TypeArray) && s.Items.Value.Format == "binary" {
			files[name] = int(*s.MaxItems)
		}
	}
	return files
}

// formLimit returns the maximum size of a form, in bytes: the limits of its files and texts, with their headers.
func formLimit(schema *openapi3.Schema) (limit int64) {
	files := formFiles(schema)
	for name, property := range schema.Properties {
		if number, isFile := files[name]; isFile {
			limit += int64(number) * (int64(*property.Value.Items.Value.MaxLength) + form.MaxHeader)
			continue
		}
		limit += longestJSON(property.Value) + form.MaxHeader
	}
	return limit
}
