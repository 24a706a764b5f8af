package vision

import (
	"image"
	"math"
)

// lanczosRadius is the support of the kernel, as in Pillow's LANCZOS filter.
const lanczosRadius = 3.0

// resizeLanczos resizes a grey picture like Pillow (Resample.c), with which public catalogues of fingerprints are
// computed: in a horizontal and then a vertical pass, each rounded to 8 bits. When shrinking, the kernel is widened by
// the scale.
//
//go:norace
func resizeLanczos(src *image.Gray, w, h int) *image.Gray {
	sw, sh := src.Rect.Dx(), src.Rect.Dy()
	narrow := image.NewGray(image.Rect(0, 0, w, sh))
	for x, span := range lanczosSpans(sw, w) {
		for y := range sh {
			narrow.Pix[y*narrow.Stride+x] = weigh(src.Pix[y*src.Stride+span.first:], 1, span.weights)
		}
	}
	dst := image.NewGray(image.Rect(0, 0, w, h))
	for y, span := range lanczosSpans(sh, h) {
		for x := range w {
			dst.Pix[y*dst.Stride+x] = weigh(narrow.Pix[span.first*narrow.Stride+x:], narrow.Stride, span.weights)
		}
	}
	return dst
}

// lanczosSpans returns, for each output pixel, its source pixels and their weights.
func lanczosSpans(from, to int) []areaSpan {
	scale := float64(from) / float64(to)
	stretch := max(1, scale)
	reach := lanczosRadius * stretch
	spans := make([]areaSpan, to)
	for i := range spans {
		centre := (float64(i) + 0.5) * scale
		first, last := max(0, int(centre-reach+0.5)), min(from, int(centre+reach+0.5))
		span := areaSpan{first: first, weights: make([]float32, last-first)}
		var sum float64
		for j := range span.weights {
			v := lanczos((float64(first+j) - centre + 0.5) / stretch)
			span.weights[j] = float32(v)
			sum += v
		}
		for j := range span.weights {
			span.weights[j] /= float32(sum)
		}
		spans[i] = span
	}
	return spans
}

func lanczos(x float64) float64 {
	if x <= -lanczosRadius || x >= lanczosRadius {
		return 0
	}
	return sinc(x) * sinc(x/lanczosRadius)
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// weigh returns the weighted sum of every step-th sample, clamped to a byte.
//
//go:norace
func weigh(samples []uint8, step int, weights []float32) uint8 {
	var sum float32
	for i, w := range weights {
		sum += w * float32(samples[i*step])
	}
	return clampByte(sum + 0.5)
}

func clampByte(v float32) uint8 {
	return uint8(max(0, min(255, v)))
}
