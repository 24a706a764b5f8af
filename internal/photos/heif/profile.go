package heif

import "math"

// profile is an ICC profile of a display or camera: a curve for each channel and the colours of the primaries
// (ICC.1:2022 section F.3).
type profile struct {
	curves [3]curve
	toXYZ  matrix // under D50, the white of profiles
}

// sRGBtoXYZ is the conversion of sRGB under D50, from the ICC's sRGB profile.
var sRGBtoXYZ = matrix{
	{0.4360657, 0.3851471, 0.1430664},
	{0.2224884, 0.7168732, 0.0606079},
	{0.0139160, 0.0970764, 0.7140961},
}

// light returns the conversion of the profile's colours to the linear light of sRGB.
func (p *profile) light() ([3]curve, matrix) { return p.curves, sRGBtoXYZ.inverse().times(p.toXYZ) }

const (
	profileHeader = 128
	// maxTags is more than any profile of a camera has. They have about ten.
	maxTags = 100
	// maxCurve is the largest table of a curve. Profiles have up to 4,096 entries.
	maxCurve = 1 << 14
)

// parseProfile returns nil for a profile that has no curves and primaries, or is damaged. Such pictures are shown as
// if they had none.
func parseProfile(data []byte) *profile {
	if len(data) < profileHeader || string(data[16:20]) != "RGB " || string(data[20:24]) != "XYZ " {
		return nil
	}
	tags := map[string][]byte{}
	c := &cursor{b: data[profileHeader:]}
	for n := min(c.u32(), maxTags); n > 0 && !c.short; n-- {
		name, offset, size := string(c.take(4)), uint64(c.u32()), uint64(c.u32())
		if offset+size <= uint64(len(data)) {
			tags[name] = data[offset : offset+size]
		}
	}
	var p profile
	for i, channel := range []string{"r", "g", "b"} {
		c := &cursor{b: tags[channel+"XYZ"]}
		c.take(8)
		for row := range p.toXYZ {
			p.toXYZ[row][i] = c.fixed()
		}
		p.curves[i] = parseCurve(tags[channel+"TRC"])
		if c.short || p.curves[i] == nil {
			return nil
		}
	}
	return &p
}

// fixed reads a number with 16 bits after the point.
func (c *cursor) fixed() float64 { return float64(int32(c.u32())) / 65536 }

// parseCurve reads a curve (sections 10.6 and 10.18). It returns nil if it is damaged.
func parseCurve(tag []byte) curve {
	c := &cursor{b: tag}
	kind := string(c.take(4))
	c.take(4)
	switch kind {
	case "curv":
		return parseTable(c)
	case "para":
		return parseParameters(c)
	}
	return nil
}

// parseTable reads a curve of a number of entries: none is the identity, one a gamma, more are values.
func parseTable(c *cursor) curve {
	n := c.u32()
	if n > maxCurve {
		return nil
	}
	table := make([]float64, n)
	for i := range table {
		table[i] = float64(c.u16())
	}
	switch {
	case c.short:
		return nil
	case n == 0:
		return func(x float64) float64 { return x }
	case n == 1:
		return func(x float64) float64 { return math.Pow(x, table[0]/256) }
	}
	return func(x float64) float64 {
		at := x * float64(n-1)
		i := min(int(at), int(n)-2)
		part := at - float64(i)
		return (table[i]*(1-part) + table[i+1]*part) / 65535
	}
}

// parseParameters reads the parameters of a function with up to seven.
func parseParameters(c *cursor) curve {
	counts := []int{1, 3, 4, 5, 7} // by type of function
	kind := c.u16()
	c.u16()
	if kind >= len(counts) {
		return nil
	}
	var p [7]float64
	for i := range counts[kind] {
		p[i] = c.fixed()
	}
	if c.short {
		return nil
	}
	g, a, b, slope, limit, e, f := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	switch kind {
	case 0:
		a, limit = 1, 0
	case 1, 2: // the constant of type 2 is added on both sides of the limit
		e, f = slope, slope
		if a != 0 {
			limit = -b / a
		}
		slope = 0
	}
	return func(x float64) float64 {
		if x < limit {
			return slope*x + f
		}
		return math.Pow(max(a*x+b, 0), g) + e
	}
}
