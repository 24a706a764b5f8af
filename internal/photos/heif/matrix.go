package heif

// matrix converts between the coordinates of colours.
type matrix [3][3]float64

var identity = matrix{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

// times returns the matrix that applies n first, then m.
func (m matrix) times(n matrix) (product matrix) {
	for row := range m {
		for column := range m {
			for i := range m {
				product[row][column] += m[row][i] * n[i][column]
			}
		}
	}
	return product
}

// inverse returns the inverse, or the identity if there is none.
func (m matrix) inverse() (inverse matrix) {
	var determinant float64
	for i := range m {
		determinant += m[0][i] * m.cofactor(0, i)
	}
	if determinant == 0 {
		return identity
	}
	for row := range m {
		for column := range m {
			inverse[row][column] = m.cofactor(column, row) / determinant
		}
	}
	return inverse
}

func (m matrix) cofactor(row, column int) float64 {
	r1, r2, c1, c2 := (row+1)%3, (row+2)%3, (column+1)%3, (column+2)%3
	return m[r1][c1]*m[r2][c2] - m[r1][c2]*m[r2][c1]
}

// point is a chromaticity of CIE 1931.
type point struct{ x, y float64 }

// xyz returns the colour of luminance 1.
func (p point) xyz() [3]float64 { return [3]float64{p.x / p.y, 1, (1 - p.x - p.y) / p.y} }

// primaries are the chromaticities of red, green and blue. White is D65.
type primaries [3]point

var d65 = point{0.3127, 0.3290}

// chromaticities are the primaries of ITU-T H.273 table 2 whose white is D65.
var chromaticities = map[int]primaries{
	primariesBT709:    {{0.640, 0.330}, {0.300, 0.600}, {0.150, 0.060}},
	primariesPAL:      {{0.640, 0.330}, {0.290, 0.600}, {0.150, 0.060}},
	primariesNTSC:     {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}},
	primariesSMPTE240: {{0.630, 0.340}, {0.310, 0.595}, {0.155, 0.070}},
	primariesBT2020:   {{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}},
	primariesP3:       {{0.680, 0.320}, {0.265, 0.690}, {0.150, 0.060}},
}

// toXYZ returns the conversion from linear light to CIE XYZ.
func (p primaries) toXYZ() (m matrix) {
	for column, primary := range p {
		for row, value := range primary.xyz() {
			m[row][column] = value
		}
	}
	inverse, white := m.inverse(), d65.xyz()
	for column := range m {
		var luminance float64
		for i, value := range white {
			luminance += inverse[column][i] * value
		}
		for row := range m {
			m[row][column] *= luminance
		}
	}
	return m
}
