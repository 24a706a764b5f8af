package textreader

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/cardvault/cardvault/internal/identify/lowpriority"
	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// Engine finds and reads the lines of a picture. *ppocr.Engine implements it.
type Engine interface {
	Find(picture *image.RGBA) ([]ppocr.Line, error)
	Read(picture *image.RGBA, lines []ppocr.Line) ([]ppocr.Line, error)
}

// Serve loads an engine and serves requests from in until it ends. It replies on out. A picture that cannot be read
// does not end it. It runs with a lower priority than the service. It keeps the last picture, so that a request for
// more of its lines need not send it again.
func Serve(in io.Reader, out io.Writer, load func() (Engine, error)) error {
	engine, err := load()
	if err == nil {
		err = lowpriority.LowerSession()
	}
	if err != nil {
		return errors.Join(err, writeReply(out, reply{Error: err.Error()}))
	}
	if err := writeReply(out, reply{}); err != nil {
		return fmt.Errorf("textreader.Serve: %w", err)
	}
	buffered := bufio.NewReaderSize(in, 1<<20)
	var last *image.RGBA
	for {
		asked, err := readRequest(buffered)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && asked.Width > 0 {
			last, err = readPicture(buffered, asked, last)
		}
		if err != nil {
			return fmt.Errorf("textreader.Serve: %w", err)
		}
		if err := writeReply(out, answer(engine, asked, last)); err != nil {
			return fmt.Errorf("textreader.Serve: %w", err)
		}
	}
}

// answer finds the lines of a picture, or reads those of the request.
func answer(engine Engine, asked request, picture *image.RGBA) (r reply) {
	var err error
	switch {
	case picture == nil:
		err = errors.New("there is no picture yet")
	case asked.Lines == nil:
		r.Lines, err = engine.Find(picture)
	default:
		r.Lines, err = engine.Read(picture, asked.Lines)
	}
	if err != nil {
		r = reply{Error: err.Error()}
	}
	return r
}
