package textreader

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// Engine reads the lines of a picture. *ppocr.Engine implements it.
type Engine interface {
	Read(picture *image.RGBA) ([]ppocr.Line, error)
}

// Serve loads an engine and reads pictures from in until it ends. It replies on out. A picture that cannot be read does
// not end it.
func Serve(in io.Reader, out io.Writer, load func() (Engine, error)) error {
	engine, err := load()
	if err != nil {
		return errors.Join(err, writeReply(out, reply{Error: err.Error()}))
	}
	if err := writeReply(out, reply{}); err != nil {
		return fmt.Errorf("textreader.Serve: %w", err)
	}
	buffered := bufio.NewReaderSize(in, 1<<20)
	for {
		picture, err := readPicture(buffered)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("textreader.Serve: %w", err)
		}
		var answer reply
		if answer.Lines, err = engine.Read(picture); err != nil {
			answer.Error = err.Error()
		}
		if err := writeReply(out, answer); err != nil {
			return fmt.Errorf("textreader.Serve: %w", err)
		}
	}
}
