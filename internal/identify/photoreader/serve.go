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
		return fmt.Errorf("serve photos: %w", err)
	}
	local := NewLocal(engine)
	input := bufio.NewReaderSize(in, 1<<20)
	var photo []byte
	for {
		req, err := readRequest(input)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && req.Length > 0 {
			photo, err = readPhoto(input, req)
		}
		if err != nil {
			return fmt.Errorf("serve photos: %w", err)
		}
		if err := writeReply(out, answer(local, req, photo)); err != nil {
			return fmt.Errorf("serve photos: %w", err)
		}
	}
}

// answer serves a request about a photo.
func answer(local *Local, req request, photo []byte) (r reply) {
	ctx := context.Background() // Local does not use it: the service kills a child that takes too long
	var err error
	switch req.Kind {
	case survey:
		r.Survey, err = local.Survey(ctx, photo)
	case find:
		r.Lines, err = local.Find(ctx, req.area(photo))
	case read:
		r.Lines, err = local.Read(ctx, req.area(photo), req.Lines)
	default:
		err = fmt.Errorf("the request has the unknown kind %q", req.Kind)
	}
	if err != nil {
		r = reply{Error: err.Error()}
	}
	return r
}
