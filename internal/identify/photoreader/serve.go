package photoreader

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
)

// Serve loads an engine and serves requests from in until it ends. It replies on out. A photo that cannot be read does
// not end it.
func Serve(in io.Reader, out io.Writer, load func() (Engine, error)) error {
	engine, err := load()
	if err != nil {
		return errors.Join(err, writeReply(out, reply{Error: err.Error()}))
	}
	if err := writeReply(out, reply{}); err != nil {
		return fmt.Errorf("photoreader.Serve: %w", err)
	}
	local := NewLocal(engine)
	buffered := bufio.NewReaderSize(in, 1<<20)
	var photo []byte
	for {
		asked, err := readRequest(buffered)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && asked.Length > 0 {
			photo, err = readPhoto(buffered, asked)
		}
		if err != nil {
			return fmt.Errorf("photoreader.Serve: %w", err)
		}
		if err := writeReply(out, answer(local, asked, photo)); err != nil {
			return fmt.Errorf("photoreader.Serve: %w", err)
		}
	}
}

// answer serves a request about a photo.
func answer(local *Local, asked request, photo []byte) (r reply) {
	ctx := context.Background() // Local does not use it: the service kills a child that takes too long
	var err error
	switch asked.Kind {
	case survey:
		r.Survey, err = local.Survey(ctx, photo)
	case find:
		r.Lines, err = local.Find(ctx, asked.area(photo))
	case read:
		r.Lines, err = local.Read(ctx, asked.area(photo), asked.Lines)
	default:
		err = fmt.Errorf("the request has the unknown kind %q", asked.Kind)
	}
	if err != nil {
		r = reply{Error: err.Error()}
	}
	return r
}
