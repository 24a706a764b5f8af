package api

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/cardvault/cardvault/internal/fault"
)

// maxIgnoredBody is how many bytes of a body are read for an operation without a body, to check that it is empty.
const maxIgnoredBody = 1 << 10

// readBody returns a JSON body or the hash of a form, and leaves a picture for the handler to read, with a limit. It
// refuses media types that the operation does not accept, and bodies that are too large.
func (c call) readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	op := c.operation
	if r.ContentLength == 0 {
		return nil, nil
	}
	r.Body = clientBody{r.Body}
	if op.body == nil {
		return io.ReadAll(io.LimitReader(r.Body, maxIgnoredBody+1))
	}
	mediaErr := op.checkMediaType(r.Header)
	if mediaErr != nil && (r.ContentLength > 0 || op.binary || op.files != nil) {
		return nil, mediaErr
	}
	if r.ContentLength > op.maxBody {
		return nil, tooLarge(op.maxBody)
	}
	r.Body = http.MaxBytesReader(w, r.Body, op.maxBody)
	if c.form != nil {
		if err := c.form.receive(r); err != nil {
			return nil, err
		}
		return c.form.form.Hash[:], nil
	}
	if c.spool != nil {
		c.spool.source, r.Body = r.Body, c.spool
	}
	if op.binary {
		return nil, nil
	}
	body, err := c.readAll(r)
	if err == nil && len(body) > 0 {
		err = mediaErr
	}
	return body, err
}

// readAll reads the body, with a single allocation if its length is known.
func (c call) readAll(r *http.Request) ([]byte, error) {
	if c.spool != nil && (r.ContentLength < 0 || r.ContentLength >= smallBody) {
		return c.spool.readAll()
	}
	var buffer bytes.Buffer
	if r.ContentLength > 0 {
		buffer.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	_, err := buffer.ReadFrom(r.Body)
	return buffer.Bytes(), err
}

// clientBody is a body that is read from the network. Its errors are faults of the client, because they mean that the
// client did not send the whole body.
type clientBody struct{ io.ReadCloser }

// Read implements io.Reader.
func (b clientBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fault.Invalid("body", "did not arrive whole; send it again").WithCause(err)
	}
	return n, err
}

// isEmptyBody reports whether a body is empty or the empty object, which some clients send instead.
func isEmptyBody(body []byte) bool {
	text := bytes.TrimSpace(body)
	return len(body) <= maxIgnoredBody && (len(text) == 0 || string(text) == "{}")
}

// parsedBody is a body that has been read and decoded. The generated code uses the decoded value
// (runtime.BindJSONBody of oapi-codegen); other readers get the bytes.
type parsedBody struct {
	io.Reader
	value any
}

// Close implements io.Closer.
func (*parsedBody) Close() error { return nil }

// ValidatedValue returns the decoded body.
func (b *parsedBody) ValidatedValue() any { return b.value }

func tooLarge(limit int64) error {
	return fault.New(fault.PayloadTooLarge, "The body may hold at most %d bytes.", limit)
}
