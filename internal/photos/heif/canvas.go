package heif

import (
	"context"
	"fmt"
	"image"
	"time"
)

// Decode decodes the picture with its crop and rotation. It needs up to Memory bytes. The error is an error of this
// package, such as ErrTooSlow for a picture that takes more processor time than its pixels need, or the error of ctx.
func (f *File) Decode(ctx context.Context) (*image.YCbCr, error) {
	return f.decodeWithin(ctx, f.effort())
}

// decodeWithin is Decode with a limit of the processor time that the decoder may take.
func (f *File) decodeWithin(ctx context.Context, limit time.Duration) (*image.YCbCr, error) {
	ctx = withBudget(ctx, limit)
	d, err := openDecoder(ctx, f.colour.codec, f.decoderMemory())
	if err != nil {
		return nil, err
	}
	defer d.close()
	c := &canvas{
		placement: f.shown,
		picture:   image.NewYCbCr(image.Rect(0, 0, f.Width, f.Height), image.YCbCrSubsampleRatio420),
	}
	var colours converter
	err = f.colour.decode(ctx, d, func(left, top int, s *samples) {
		colours.use(s, f.tint)
		c.draw(left, top, s, colours.convert, c.paint)
	})
	if err != nil || f.alpha == nil {
		return c.picture, err
	}
	blend := c.blend
	if f.premultiplied {
		blend = c.add
	}
	err = f.alpha.decode(ctx, d, func(left, top int, s *samples) { c.draw(left, top, s, opacities, blend) })
	return c.picture, err
}

// decode decodes the tiles of a layer and passes each to visit with its position in the coded picture.
func (l *layer) decode(ctx context.Context, d *decoder, visit func(left, top int, s *samples)) error {
	for i, data := range l.tiles {
		s, err := d.tile(ctx, l.header, data)
		if err != nil {
			return err
		}
		if s.width < l.tileWidth || s.height < l.tileHeight {
			return fmt.Errorf("decode picture: a tile has %d × %d pixels: %w", s.width, s.height, ErrDamaged)
		}
		s.width, s.height = l.tileWidth, l.tileHeight
		visit(i%l.columns*l.tileWidth, i/l.columns*l.tileHeight, s)
	}
	return nil
}

// canvas is the picture as it is shown.
type canvas struct {
	placement
	picture *image.YCbCr
	band    band
}

// band is two rows of a tile in the samples of the canvas: two rows of luma and one row per chroma plane.
type band struct {
	luma   [2][]byte // the second is empty below the last row of an odd height
	cb, cr []byte
	// scratch has the rows that are not in the memory of the decoder.
	scratch [4][]byte
}

// space returns the scratch row i with n samples.
func (b *band) space(i, n int) []byte {
	b.scratch[i] = sized(b.scratch[i], n)
	return b.scratch[i]
}

// convert fills a band with the pixels of a tile from column from up to column to, in the given number of rows from y.
// from and y are even.
type convert func(s *samples, from, to, y, rows int, b *band)

// draw converts a tile in bands and passes the visible bands to put, with their position in the cropped picture.
func (c *canvas) draw(left, top int, s *samples, convert convert, put func(x, y int, b *band)) {
	left, top = left-c.left, top-c.top
	from, to := max(0, -left), min(s.width, c.width-left)
	for y := max(0, -top); y < min(s.height, c.height-top) && from < to; y += 2 {
		convert(s, from, to, y, min(2, s.height-y, c.height-top-y), &c.band)
		put(left+from, top+y, &c.band)
	}
}

// run is where a row of a band is on the canvas: the plane, the index of its first sample and the distance to the next.
type run struct {
	plane    []byte
	at, step int
	chroma   bool
}

// paint copies a band to the canvas.
func (c *canvas) paint(x, y int, b *band) {
	c.each(x, y, b, func(r run, row []byte) {
		if r.step == 1 {
			copy(r.plane[r.at:], row)
			return
		}
		at := r.at
		for _, sample := range row {
			r.plane[at] = sample
			at += r.step
		}
	})
}

// blend lays the canvas on white, with the opacities of a band.
func (c *canvas) blend(x, y int, b *band) {
	c.each(x, y, b, func(r run, row []byte) {
		white := 255
		if r.chroma {
			white = 128
		}
		at := r.at
		for _, opacity := range row {
			a := int(opacity)
			r.plane[at] = byte((int(r.plane[at])*a + white*(255-a) + 127) / 255)
			at += r.step
		}
	})
}

// add lays the canvas on white if its colours are already multiplied by their opacity. White adds nothing to chroma.
func (c *canvas) add(x, y int, b *band) {
	c.each(x, y, b, func(r run, row []byte) {
		if r.chroma {
			return
		}
		at := r.at
		for _, opacity := range row {
			r.plane[at] = byte(min(255, int(r.plane[at])+255-int(opacity)))
			at += r.step
		}
	})
}

// each calls visit for each row of a band.
func (c *canvas) each(x, y int, b *band, visit func(r run, row []byte)) {
	for i, row := range b.luma {
		if len(row) > 0 {
			at, step := c.line(x, y+i, c.picture.YStride, 0)
			visit(run{c.picture.Y, at, step, false}, row)
		}
	}
	at, step := c.line(x, y, c.picture.CStride, 1)
	visit(run{c.picture.Cb, at, step, true}, b.cb)
	visit(run{c.picture.Cr, at, step, true}, b.cr)
}

// line returns the index of the sample for pixel (x, y) of the cropped picture in a plane, and the distance to the next
// pixel's sample. In a plane with half as many samples a side (shift 1), it is the distance to the sample of the next
// pixel but one.
func (c *canvas) line(x, y, stride, shift int) (at, step int) {
	atX, atY := c.locate(x, y)
	step = 1
	flipped := c.flipX
	if c.exchanged {
		step, flipped = stride, c.flipY
	}
	if flipped {
		step = -step
	}
	return atY>>shift*stride + atX>>shift, step
}
