package heif

import "math"

// Code points of ITU-T H.273.
const (
	primariesBT709, primariesPAL, primariesNTSC = 1, 5, 6
	primariesSMPTE240, primariesBT2020          = 7, 9
	primariesP3                                 = 12
	transferGamma22, transferGamma28            = 4, 5
	transferLinear, transferPQ, transferHLG     = 8, 16, 18
	matrixIdentity, matrixBT709, unspecified    = 0, 1, 2
	matrixFCC, matrixPAL, matrixNTSC            = 4, 5, 6
	matrixSMPTE240, matrixBT2020, matrixBT2020C = 7, 9, 10
)

// tint describes the colours of a picture as its container does. It takes precedence over the codec's description.
type tint struct {
	named                       bool // the four fields below are set
	primaries, transfer, matrix int
	fullRange                   bool
	// profile is a colour profile, which takes precedence over primaries and transfer. It may be nil.
	profile *profile
}

// tint reads the colr properties of an item (ISO/IEC 23008-12 section 6.5.5). For a grid without any, it reads the
// properties of the first tile.
func (m *meta) tint(id uint32, it *item) tint {
	var t tint
	if tiles := m.related("dimg", id); len(tiles) > 0 && m.items[tiles[0]] != nil {
		if _, found := m.property(it, "colr"); !found {
			it = m.items[tiles[0]]
		}
	}
	profiled := false
	for _, index := range it.properties {
		if index < 0 || index >= len(m.properties) || m.properties[index].kind != "colr" {
			continue
		}
		c := &cursor{b: m.properties[index].body}
		switch string(c.take(4)) {
		case "nclx":
			t.primaries, t.transfer, t.matrix = c.u16(), c.u16(), c.u16()
			t.fullRange = c.u8()>>7 == 1
			t.named = !c.short
		case "prof", "rICC":
			if !profiled {
				t.profile, profiled = parseProfile(c.b), true
			}
		}
	}
	return t
}

// encoding is how samples represent colours.
type encoding struct {
	depth                       int
	fullRange                   bool
	primaries, transfer, matrix int
}

// encoding returns the encoding of a tile's samples. It replaces unspecified values by the defaults on which decoders
// agree.
func (t tint) encoding(s *samples) encoding {
	e := encoding{s.depth, s.fullRange, s.primaries, s.transfer, s.matrix}
	if t.named {
		e = encoding{s.depth, t.fullRange, t.primaries, t.transfer, t.matrix}
	}
	if e.matrix == matrixIdentity && s.layout != layout444 {
		e.matrix = matrixNTSC // there would be less red and blue than green
	}
	return e
}

// isJPEG reports whether the matrix is JPEG's.
func (e encoding) isJPEG() bool {
	return e.matrix == matrixNTSC || e.matrix == matrixPAL || e.matrix == unspecified
}

// weights returns the parts of red and blue in luma.
func (e encoding) weights() (red, blue float64) {
	switch e.matrix {
	case matrixBT709:
		return 0.2126, 0.0722
	case matrixFCC:
		return 0.30, 0.11
	case matrixSMPTE240:
		return 0.212, 0.087
	case matrixBT2020, matrixBT2020C:
		return 0.2627, 0.0593
	}
	return 0.299, 0.114
}

// levels makes the tables from samples to levels (ITU-T H.273 section 8.3).
func (v *converter) levels(e encoding) {
	count := 1 << e.depth
	scale := float64(int(1) << (e.depth - 8))
	black, lumaRange, chromaRange := 16*scale, 219*scale, 224*scale
	if e.fullRange {
		black, lumaRange, chromaRange = 0, float64(count-1), float64(count-1)
	}
	red, blue := e.weights()
	green := 1 - red - blue
	const unit = (levels - 1) * 65536
	tables := []*[]int32{&v.luma, &v.redCr, &v.greenCb, &v.greenCr, &v.blueCb}
	for _, table := range tables {
		*table = sized(*table, count)
	}
	for i := range count {
		luma, chroma := (float64(i)-black)/lumaRange, (float64(i)-128*scale)/chromaRange
		v.luma[i] = int32(luma*unit + 1<<15)
		v.redCr[i] = int32(2 * (1 - red) * chroma * unit)
		v.blueCb[i] = int32(2 * (1 - blue) * chroma * unit)
		v.greenCb[i] = int32(-2 * (1 - blue) * blue / green * chroma * unit)
		v.greenCr[i] = int32(-2 * (1 - red) * red / green * chroma * unit)
	}
}

// colours makes the tables from levels to sRGB.
func (v *converter) colours(e encoding, p *profile) {
	curves, mix := e.light()
	if p != nil {
		curves, mix = p.light()
	}
	v.linear = nil
	for i := range v.out {
		v.out[i] = byte((i*255 + levels/2) / (levels - 1))
	}
	if isSRGB(curves, mix) {
		return
	}
	v.linear = new([3][levels]float32)
	for channel, curve := range curves {
		for i := range v.linear[channel] {
			v.linear[channel][i] = float32(curve(float64(i) / (levels - 1)))
		}
	}
	for i := range v.mix {
		v.mix[i] = float32(mix[i/3][i%3])
	}
	for i := range v.out {
		v.out[i] = byte(255*fromLinear(float64(i)/(levels-1)) + 0.5)
	}
}

// isSRGB reports whether colours look the same as in sRGB.
func isSRGB(curves [3]curve, mix matrix) bool {
	for row := range mix {
		for column, value := range mix[row] {
			if math.Abs(value-identity[row][column]) > 0.01 {
				return false
			}
		}
	}
	for _, curve := range curves {
		for _, x := range []float64{0.1, 0.25, 0.5, 0.75} {
			if math.Abs(fromLinear(curve(x))-x) > 0.01 {
				return false
			}
		}
	}
	return true
}

// curve converts a colour value from 0 to 1 to linear light. 1 is white.
type curve func(value float64) float64

// light returns the conversion of the encoding to the linear light of sRGB. It treats the curves of video like sRGB's
// curve, as browsers do.
func (e encoding) light() ([3]curve, matrix) {
	c := curve(toLinear)
	switch e.transfer {
	case transferGamma22:
		c = func(x float64) float64 { return math.Pow(x, 2.2) }
	case transferGamma28:
		c = func(x float64) float64 { return math.Pow(x, 2.8) }
	case transferLinear:
		c = func(x float64) float64 { return x }
	case transferPQ:
		c = fromPQ
	case transferHLG:
		c = fromHLG
	}
	mix := identity
	if points, known := chromaticities[e.primaries]; known {
		mix = chromaticities[primariesBT709].toXYZ().inverse().times(points.toXYZ())
	}
	return [3]curve{c, c, c}, mix
}

// toLinear and fromLinear are the transfer function of sRGB (IEC 61966-2-1) and its inverse.
func toLinear(x float64) float64 {
	if x <= 0.04045 {
		return x / 12.92
	}
	return math.Pow((x+0.055)/1.055, 2.4)
}

func fromLinear(x float64) float64 {
	x = min(max(x, 0), 1)
	if x <= 0.0031308 {
		return x * 12.92
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}

// fromPQ returns the linear light of a value of the PQ curve (ITU-R BT.2100). The light of white paper, 203 cd/m²
// (ITU-R BT.2408), is 1. fromLinear cuts off brighter light.
func fromPQ(x float64) float64 {
	const m1, m2, c1, c2, c3 = 0.1593017578125, 78.84375, 0.8359375, 18.8515625, 18.6875
	p := math.Pow(x, 1/m2)
	return 10_000.0 / 203 * math.Pow(max(p-c1, 0)/(c2-c3*p), 1/m1)
}

// fromHLG returns the linear light of a value of the HLG curve (ITU-R BT.2100) on a display with a gamma of 1.2. The
// value of white paper is 0.75 (ITU-R BT.2408), and its light is 1.
func fromHLG(x float64) float64 {
	const a, b, c, white = 0.17883277, 0.28466892, 0.55991073, 0.2650
	light := x * x / 3
	if x > 0.5 {
		light = (math.Exp((x-c)/a) + b) / 12
	}
	return math.Pow(light/white, 1.2)
}
