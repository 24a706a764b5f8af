package vision

import (
	"image"
	"math"
	"math/bits"
	"slices"
)

const (
	hashSide = 16           // bits a side of half a fingerprint
	dctSide  = 4 * hashSide // ImageHash's highfreq_factor of 4
)

// dctCosines[k][n] is the factor of sample n in coefficient k of a DCT-II.
var dctCosines = func() (table [hashSide][dctSide]float64) {
	for k := range table {
		for n := range table[k] {
			table[k][n] = math.Cos(math.Pi * float64(k) * (2*float64(n) + 1) / (2 * dctSide))
		}
	}
	return table
}()

// Fingerprint returns the 512-bit perceptual hash of a card's picture: 256 bits of a difference hash, then 256 bits of
// a DCT hash, most significant bit first. Both are computed like dhash and phash with hash_size 16 of the Python
// library ImageHash, so that published catalogues of hashes can be used.
func Fingerprint(card image.Image) [64]byte { return smallOf(Grey(card)).fingerprint() }

// Fingerprints returns the fingerprints of the card within an outline of the photo: upright, and turned by 180°.
func (p *Pyramid) Fingerprints(guess Hypothesis) (upright, upsideDown [64]byte) {
	small := smallOf(p.straighten(guess))
	return small.fingerprint(), small.turned().fingerprint()
}

// small is a card in the two sizes from which a fingerprint is computed.
type small struct{ difference, cosine *image.Gray }

func smallOf(grey *image.Gray) small {
	return small{resizeLanczos(grey, hashSide+1, hashSide), resizeLanczos(grey, dctSide, dctSide)}
}

func (s small) fingerprint() (hash [64]byte) {
	differenceHash(s.difference, hash[:32])
	cosineHash(s.cosine, hash[32:])
	return hash
}

// turned returns the card turned by 180°. That is exact, because the kernel is symmetric.
func (s small) turned() small {
	turn := func(src *image.Gray) *image.Gray {
		dst := image.NewGray(src.Rect)
		for i, v := range src.Pix {
			dst.Pix[len(src.Pix)-1-i] = v
		}
		return dst
	}
	return small{turn(s.difference), turn(s.cosine)}
}

// Distance returns the number of bits, 0 to 512, in which two fingerprints differ.
func Distance(a, b [64]byte) int {
	n := 0
	for i := range a {
		n += bits.OnesCount8(a[i] ^ b[i])
	}
	return n
}

// differenceHash sets the bits of pixels that are darker than their right neighbours.
func differenceHash(small *image.Gray, hash []byte) {
	for y := range hashSide {
		row := small.Pix[y*small.Stride:]
		for x := range hashSide {
			if row[x] < row[x+1] {
				setBit(hash, y*hashSide+x)
			}
		}
	}
}

// cosineHash sets the bits of the lowest frequencies, including the constant one, that are above their median.
func cosineHash(small *image.Gray, hash []byte) {
	var columns [hashSide][dctSide]float64 // [vertical frequency][x]
	for k := range hashSide {
		for x := range dctSide {
			for y := range dctSide {
				columns[k][x] += dctCosines[k][y] * float64(small.Pix[y*small.Stride+x])
			}
		}
	}
	var low [hashSide * hashSide]float64
	for k := range hashSide {
		for l := range hashSide {
			for x := range dctSide {
				low[k*hashSide+l] += dctCosines[l][x] * columns[k][x]
			}
		}
	}
	sequence := low
	slices.Sort(sequence[:])
	median := (sequence[len(sequence)/2-1] + sequence[len(sequence)/2]) / 2
	for i, v := range low {
		if v > median {
			setBit(hash, i)
		}
	}
}

func setBit(hash []byte, i int) { hash[i/8] |= 0x80 >> (i % 8) }
