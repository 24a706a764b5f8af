package vision

import (
	"context"
	"fmt"
	"image"
	"image/draw"
	"math"
)

const (
	// cropMargin is how much is added to an outline on each side, relative to its size, because an outline is not
	// exact.
	cropMargin = 0.015
	// leastCrop is the minimum width of a crop, in pixels, and mostCrop the maximum height.
	leastCrop, mostCrop = 300, 2000
)

// Split finds the cards on a photo with several cards and calls each with a picture per card, straightened, from top to
// bottom and from left to right. It cuts the pictures out of the full photo. orientation is the Exif orientation of the
// photo. Split calls nothing if it finds less than two cards. It stops when each returns an error or ctx ends.
func Split(ctx context.Context, photo []byte, orientation int, each func(card image.Image) error) error {
	picture, err := decode(photo)
	if err != nil {
		return fmt.Errorf("split photo: %w", err)
	}
	small := orient(Shrink(picture, manySide), orientation)
	size := picture.Bounds()
	factor := float64(max(size.Dx(), size.Dy())) / float64(max(small.Rect.Dx(), small.Rect.Dy()))
	for _, outline := range Outlines(small) {
		if err := ctx.Err(); err != nil {
			return err
		}
		shown := outline.corners.scaled(factor).widened(cropMargin)
		width, height := shown.cropSize()
		for i, p := range shown {
			shown[i] = storedPoint(p, float64(size.Dx()), float64(size.Dy()), orientation)
		}
		if err := each(cut(picture, shown, width, height)); err != nil {
			return err
		}
	}
	return nil
}

// widened returns the quad with a margin on each side.
func (q quad) widened(share float64) quad {
	middle := between(between(q[0], q[2], 0.5), between(q[1], q[3], 0.5), 0.5)
	for i, p := range q {
		q[i] = middle.plus(p.minus(middle).times(1 + 2*share))
	}
	return q
}

// cropSize returns the size of the picture of a card, about that on the photo. A quad with nearly the ratio of a card
// is one that perspective has changed; others, such as slabs, keep their ratio.
func (q quad) cropSize() (width, height int) {
	_, long := q.sides()
	ratio := q.ratio()
	if math.Abs(ratio-cardRatio) < 0.08 {
		ratio = cardRatio
	}
	long = max(leastCrop/ratio+1, min(long, mostCrop))
	return int(long * ratio), int(long)
}

// storedPoint returns the point of the stored picture of w × h that is shown at p.
func storedPoint(p point, w, h float64, orientation int) point {
	switch orientation {
	case 2:
		return point{w - p.x, p.y}
	case 3:
		return point{w - p.x, h - p.y}
	case 4:
		return point{p.x, h - p.y}
	case 5:
		return point{p.y, p.x}
	case 6:
		return point{p.y, h - p.x}
	case 7:
		return point{w - p.y, h - p.x}
	case 8:
		return point{w - p.y, p.x}
	}
	return p
}

// cut returns the part of a picture within a quad as a rectangle. It copies only that part of the picture.
func cut(picture image.Image, q quad, width, height int) *image.RGBA {
	box := q.box().Inset(-1).Intersect(image.Rectangle{Max: picture.Bounds().Size()})
	part := image.NewRGBA(image.Rectangle{Max: box.Size()})
	draw.Draw(part, part.Rect, picture, picture.Bounds().Min.Add(box.Min), draw.Src)
	for i := range q {
		q[i] = q[i].minus(point{float64(box.Min.X), float64(box.Min.Y)})
	}
	return warp(part, q, width, height)
}
