package heif

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"
)

func TestCurves_MapWhiteToWhite(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		curve       curve
		value, want float64
	}{
		"sRGB":                  {toLinear, 1, 1},
		"sRGB, mid-grey":        {toLinear, 0.5, 0.21404},
		"PQ, white paper":       {fromPQ, 0.5807, 1},
		"PQ, black":             {fromPQ, 0, 0},
		"HLG, white paper":      {fromHLG, 0.75, 1},
		"HLG, black":            {fromHLG, 0, 0},
		"HLG, where it changes": {fromHLG, 0.5, math.Pow(1.0/12/0.2650, 1.2)},
	} {
		if got := tc.curve(tc.value); math.Abs(got-tc.want) > 0.002 {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
	for _, x := range []float64{0, 0.02, 0.3, 0.9, 1} {
		if got := fromLinear(toLinear(x)); math.Abs(got-x) > 1e-9 {
			t.Errorf("sRGB of the light of %v is %v", x, got)
		}
	}
}

func TestMatrix_Inverse(t *testing.T) {
	t.Parallel()
	for code, points := range chromaticities {
		m := points.toXYZ()
		product := m.times(m.inverse())
		for row := range product {
			for column, value := range product[row] {
				if math.Abs(value-identity[row][column]) > 1e-9 {
					t.Errorf("primaries %d: %v, want the identity", code, product)
				}
			}
		}
	}
	if (matrix{}).inverse() != identity {
		t.Error("the inverse of zero is not the identity")
	}
}

// Samples of all kinds of grey are the same grey, without a tint.
func TestConverter_Grey(t *testing.T) {
	t.Parallel()
	matrices := []int{matrixIdentity, matrixBT709, unspecified, matrixFCC, matrixNTSC, matrixSMPTE240, matrixBT2020}
	for _, matrix := range matrices {
		for _, depth := range []int{8, 10, 12} {
			for _, primaries := range []int{primariesBT709, primariesP3, primariesBT2020} {
				checkGrey(t, flat(depth, true, matrix), primaries)
				checkGrey(t, flat(depth, false, matrix), primaries)
			}
		}
	}
}

func checkGrey(t *testing.T, s *samples, primaries int) {
	t.Helper()
	s.primaries = primaries
	var v converter
	v.use(s, tint{})
	var b band
	v.convert(s, 0, 2, 0, 2, &b)
	for _, sample := range []byte{b.luma[0][0], b.luma[1][1], b.cb[0], b.cr[0]} {
		if sample < 126 || sample > 130 {
			t.Errorf("matrix %d, %d bits, full range %t, primaries %d: %d %v %v, want about 128",
				s.matrix, s.depth, s.fullRange, primaries, b.luma, b.cb, b.cr)
			return
		}
	}
}

// flat returns four pixels of the middle grey.
func flat(depth int, full bool, matrix int) *samples {
	grey, middle := uint16(0.502*float64(int(1)<<depth-1)), uint16(1)<<(depth-1)
	if !full {
		grey = uint16((16 + 0.502*219) * float64(int(1)<<(depth-8)))
	}
	if matrix == matrixIdentity {
		middle = grey
	}
	s := &samples{width: 2, height: 2, layout: layout444, depth: depth, fullRange: full, matrix: matrix, transfer: 13}
	for i := range s.planes {
		value := middle
		if i == 0 {
			value = grey
		}
		for range 4 {
			if depth == 8 {
				s.planes[i] = append(s.planes[i], byte(value))
			} else {
				s.planes[i] = binary.LittleEndian.AppendUint16(s.planes[i], value)
			}
		}
		s.strides[i] = 2 * s.bytes()
	}
	return s
}

// A profile of sRGB, however its curve is written, needs no conversion. A damaged one counts as none.
func TestParseProfile(t *testing.T) {
	t.Parallel()
	parameters := slices.Concat([]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"),
		fixed(2.4), fixed(1/1.055), fixed(0.055/1.055), fixed(1/12.92), fixed(0.04045))
	table := []byte("curv\x00\x00\x00\x00\x00\x00\x01\x00")
	for i := range 256 {
		table = binary.BigEndian.AppendUint16(table, uint16(65535*toLinear(float64(i)/255)+0.5))
	}
	for name, tc := range map[string]struct {
		curve     []byte
		valid     bool
		different bool // from sRGB
	}{
		"parameters":       {parameters, true, false},
		"table":            {table, true, false},
		"gamma of a table": {[]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01\x02\x33"), true, true}, // 2.2
		"linear":           {[]byte("curv\x00\x00\x00\x00\x00\x00\x00\x00"), true, true},
		"gamma":            {slices.Concat([]byte("para\x00\x00\x00\x00\x00\x00\x00\x00"), fixed(1.2)), true, true},
		"cut":              {parameters[:20], false, false},
		"huge table":       {[]byte("curv\x00\x00\x00\x00\xFF\xFF\xFF\xFF"), false, false},
		"unknown function": {[]byte("para\x00\x00\x00\x00\x00\x05\x00\x00"), false, false},
		"no curve":         {nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := parseProfile(profileOf(tc.curve))
			if (p != nil) != tc.valid {
				t.Fatalf("parseProfile = %v, want valid %t", p, tc.valid)
			}
			if p != nil && isSRGB(p.light()) == tc.different {
				t.Errorf("isSRGB = %t, want %t", !tc.different, tc.different)
			}
		})
	}
}

// profileOf returns a profile with the primaries of sRGB and this curve for each channel.
func profileOf(curve []byte) []byte {
	type tag struct {
		name string
		data []byte
	}
	var tags []tag
	for i, channel := range []string{"r", "g", "b"} {
		colour := []byte("XYZ \x00\x00\x00\x00")
		for row := range sRGBtoXYZ {
			colour = append(colour, fixed(sRGBtoXYZ[row][i])...)
		}
		tags = append(tags, tag{channel + "XYZ", colour}, tag{channel + "TRC", curve})
	}
	head := make([]byte, profileHeader)
	copy(head[16:], "RGB XYZ ")
	head = append(head, be32(uint32(len(tags)))...)
	at := len(head) + 12*len(tags)
	var body []byte
	for _, tag := range tags {
		head = slices.Concat(head, []byte(tag.name), be32(uint32(at+len(body))), be32(uint32(len(tag.data))))
		body = append(body, tag.data...)
	}
	return append(head, body...)
}

// fixed returns a number with 16 bits after the point.
func fixed(x float64) []byte { return be32(uint32(int32(math.Round(x * 65536)))) }
