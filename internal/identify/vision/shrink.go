package vision

import (
	"image"
	"image/draw"
	"math"
)

// Shrink shrinks a picture by area averaging, so that its longer side has at most side pixels. Smaller pictures keep
// their size. It reads the source row by row, so it needs no second copy in full size.
func Shrink(src image.Image, side int) *image.RGBA {
	b := src.Bounds()
	scale := min(1, float64(side)/float64(max(b.Dx(), b.Dy())))
	w := max(1, int(math.Round(float64(b.Dx())*scale)))
	h := max(1, int(math.Round(float64(b.Dy())*scale)))
	dst := image.NewRGBA(image.Rect(0, 0, w, h))
	if scale == 1 {
		draw.Draw(dst, dst.Rect, src, b.Min, draw.Src)
		return dst
	}
	columns := areaSpans(b.Dx(), w)
	row := image.NewRGBA(image.Rect(0, 0, b.Dx(), 1))
	thin, sum := make([]float32, 4*w), make([]float32, 4*w)
	current := -1
	for y, span := range areaSpans(b.Dy(), h) {
		clear(sum)
		for i, weight := range span.weights {
			if at := span.first + i; at != current {
				draw.Draw(row, row.Rect, src, image.Pt(b.Min.X, b.Min.Y+at), draw.Src)
				averageRow(thin, row.Pix, columns)
				current = at
			}
			for j, v := range thin {
				sum[j] += weight * v
			}
		}
		out := dst.Pix[y*dst.Stride:][:4*w]
		for j, v := range sum {
			out[j] = uint8(v + 0.5)
		}
	}
	return dst
}

// areaSpan is the sequence of source pixels of an output pixel. The sum of the weights is 1.
type areaSpan struct {
	first   int
	weights []float32
}

// areaSpans returns, for each of to output pixels, the source pixels that it covers, weighted by the covered length.
func areaSpans(from, to int) []areaSpan {
	spans := make([]areaSpan, to)
	step := float64(from) / float64(to)
	for i := range spans {
		low, high := float64(i)*step, float64(i+1)*step
		first, last := int(low), min(int(math.Ceil(high)), from)
		span := areaSpan{first: first, weights: make([]float32, last-first)}
		for j := range span.weights {
			at := float64(first + j)
			span.weights[j] = float32((min(high, at+1) - max(low, at)) / step)
		}
		spans[i] = span
	}
	return spans
}

// averageRow shrinks a row of RGBA bytes.
//
//go:norace
func averageRow(dst []float32, row []uint8, columns []areaSpan) {
	for x, span := range columns {
		var r, g, b, a float32
		at := 4 * span.first
		for _, w := range span.weights {
			r += w * float32(row[at])
			g += w * float32(row[at+1])
			b += w * float32(row[at+2])
			a += w * float32(row[at+3])
			at += 4
		}
		dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = r, g, b, a
	}
}
