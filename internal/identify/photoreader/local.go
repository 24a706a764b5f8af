package photoreader

import (
	"context"
	"image"
	"unsafe"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
	"github.com/cardvault/cardvault/internal/identify/vision"
)

// Engine finds and reads the lines of a picture. *ppocr.Engine implements it.
type Engine interface {
	Find(picture *image.RGBA) ([]ppocr.Line, error)
	Read(picture *image.RGBA, lines []ppocr.Line) ([]ppocr.Line, error)
}

// Local computes in this process. It keeps the last photo, so that it decodes it once. It is not safe for concurrent
// use.
type Local struct {
	engine  Engine
	photo   []byte
	picture *image.RGBA
	area    image.Rectangle
	part    *image.RGBA
}

// NewLocal returns a Local.
func NewLocal(engine Engine) *Local { return &Local{engine: engine} }

// Survey is Pool.Survey.
func (l *Local) Survey(_ context.Context, photo []byte) (vision.Survey, error) {
	if err := l.decode(photo); err != nil {
		return vision.Survey{}, err
	}
	return vision.Examine(l.picture), nil
}

// Find is Pool.Find.
func (l *Local) Find(_ context.Context, area vision.Area) ([]ppocr.Line, error) {
	if err := l.cut(area); err != nil {
		return nil, err
	}
	return l.engine.Find(l.part)
}

// Read is Pool.Read.
func (l *Local) Read(_ context.Context, area vision.Area, lines []ppocr.Line) ([]ppocr.Line, error) {
	if err := l.cut(area); err != nil {
		return nil, err
	}
	return l.engine.Read(l.part, lines)
}

// decode decodes a photo, unless it is the last one.
func (l *Local) decode(photo []byte) error {
	if l.picture != nil && unsafe.SliceData(photo) == unsafe.SliceData(l.photo) && len(photo) == len(l.photo) {
		return nil
	}
	*l = Local{engine: l.engine} // the memory is free for the next photo
	picture, err := vision.Decode(photo)
	if err != nil {
		return err
	}
	l.photo, l.picture, l.part = photo, picture, picture
	return nil
}

// cut cuts an area out of its photo, unless it is the last one.
func (l *Local) cut(area vision.Area) error {
	if err := l.decode(area.Photo); err != nil {
		return err
	}
	switch {
	case area.Part == l.area:
	case area.Part.Empty():
		l.part = l.picture
	default:
		l.part = vision.Part(l.picture, area.Part)
	}
	l.area = area.Part
	return nil
}
