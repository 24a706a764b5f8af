package api

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

const (
	// uploadTime is how long a picture may take to arrive: 15 MiB at one megabit a second.
	uploadTime = 2 * time.Minute
	// maxIgnoredBody is how much is read of a body that an operation does not take, to see that it says nothing.
	maxIgnoredBody = 1 << 10
)

// readBody returns a JSON body whole, and leaves a picture for the handler to read, bounded. It
// refuses media types that the operation does not take and bodies that are too large.
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
	if mediaErr != nil && (r.ContentLength > 0 || op.binary) {
		return nil, mediaErr
	}
	if r.ContentLength > op.maxBody {
		return nil, tooLarge(op.maxBody)
	}
	r.Body = http.MaxBytesReader(w, r.Body, op.maxBody)
	if c.large != nil {
		c.large.source, r.Body = r.Body, c.large
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

// readAll reads the body into one allocation where its length is known.
func (c call) readAll(r *http.Request) ([]byte, error) {
	if c.large != nil && (r.ContentLength < 0 || r.ContentLength >= smallBody) {
		return c.large.readAll()
	}
	var buffer bytes.Buffer
	if r.ContentLength > 0 {
		buffer.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	_, err := buffer.ReadFrom(r.Body)
	return buffer.Bytes(), err
}

// clientBody is a body as it comes from the network: what goes wrong there is the client's fault,
// whoever reads.
type clientBody struct{ io.ReadCloser }

// Read implements io.Reader.
func (b clientBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fault.Invalid("body", "did not arrive whole; send it again").WithCause(err)
	}
	return n, err
}

// allowTime gives a picture, which the handler has yet to read, more time than the server gives other
// requests. Writers that know no deadlines, those of tests, need none.
func (c call) allowTime(w http.ResponseWriter) {
	if !c.operation.binary {
		return
	}
	controller, now := http.NewResponseController(w), time.Now()
	_ = controller.SetReadDeadline(now.Add(uploadTime))
	_ = controller.SetWriteDeadline(now.Add(uploadTime + handlingTime + writeSlack))
}

// isEmptyBody reports whether a body is empty, or the empty object that some clients send for it.
func isEmptyBody(body []byte) bool {
	said := bytes.TrimSpace(body)
	return len(body) <= maxIgnoredBody && (len(said) == 0 || string(said) == "{}")
}

// parsedBody is a body that has been read and decoded: binding takes the value as validated
// (runtime.BindJSONBody of oapi-codegen), whoever reads gets the bytes.
type parsedBody struct {
	io.Reader
	value any
}

// Close implements io.Closer.
func (parsedBody) Close() error { return nil }

// ValidatedValue returns the decoded body.
func (b parsedBody) ValidatedValue() any { return b.value }

func tooLarge(limit int64) error {
	return fault.New(fault.PayloadTooLarge, "The body may hold at most %d bytes.", limit)
}
