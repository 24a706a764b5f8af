package art

import (
	"image"
	"math"
	"math/rand/v2"
)

// table is a surface with a grain, like wood.
type table struct {
	base          rgb
	grain, bend   float64
	phase, waver  float64
	contrastGrain float64
}

// newTable returns a light, brown or dark surface. Each contrasts with the card.
func newTable(random *rand.Rand) table {
	bases := []rgb{{186, 150, 112}, {122, 86, 58}, {205, 203, 198}, {70, 72, 78}}
	return table{ // the order of the fields determines which random number each gets
		base:          bases[random.IntN(len(bases))],
		grain:         0.02 + 0.02*random.Float64(),
		bend:          0.002 + 0.003*random.Float64(),
		phase:         2 * math.Pi * random.Float64(),
		waver:         3 + 4*random.Float64(),
		contrastGrain: 0.04 + 0.04*random.Float64(),
	}
}

func (t table) at(x, y int) rgb {
	across := float64(y) + 12*math.Sin(float64(x)*t.bend*2+t.phase)
	wave := math.Sin(across*t.grain*t.waver+t.phase) + 0.5*math.Sin(across*t.grain*2.7+float64(x)*t.bend)
	k := 1 + t.contrastGrain*wave
	return rgb{t.base.r * k, t.base.g * k, t.base.b * k}
}

// light is a brightness that decreases from one side of the photo to the other.
type light struct{ dx, dy, middle float64 }

func newLight(random *rand.Rand) light {
	sin, cos := math.Sincos(2 * math.Pi * random.Float64())
	fall := 0.10 + 0.10*random.Float64()
	return light{dx: fall * cos / photoWidth, dy: fall * sin / photoHeight, middle: 0.88 + 0.1*random.Float64()}
}

func (l light) at(x, y int) float64 {
	return l.middle + l.dx*float64(x-photoWidth/2) + l.dy*float64(y-photoHeight/2)
}

// projection is a projective transformation of the plane:
// u = (m0·x + m1·y + m2) / (m6·x + m7·y + 1), and v likewise with m3 to m5.
type projection [8]float64

func (m projection) at(x, y float64) (u, v float64) {
	w := m[6]*x + m[7]*y + 1
	return (m[0]*x + m[1]*y + m[2]) / w, (m[3]*x + m[4]*y + m[5]) / w
}

// homography returns the projection that maps four points, clockwise from the top left, to the corners of a box.
func homography(from [4][2]float64, to image.Rectangle) projection {
	target := [4][2]float64{{float64(to.Min.X), float64(to.Min.Y)}, {float64(to.Max.X), float64(to.Min.Y)},
		{float64(to.Max.X), float64(to.Max.Y)}, {float64(to.Min.X), float64(to.Max.Y)}}
	var system [8][9]float64 // two equations for each point; the last column is the right side
	for i, p := range from {
		x, y, u, v := p[0], p[1], target[i][0], target[i][1]
		system[2*i] = [9]float64{x, y, 1, 0, 0, 0, -u * x, -u * y, u}
		system[2*i+1] = [9]float64{0, 0, 0, x, y, 1, -v * x, -v * y, v}
	}
	return solve(system)
}

// solve solves eight linear equations by Gauss-Jordan elimination with pivoting. The equations of the corners of a
// convex quadrilateral always have a solution.
func solve(system [8][9]float64) (solution [8]float64) {
	for column := range 8 {
		pivot := column
		for row := column + 1; row < 8; row++ {
			if math.Abs(system[row][column]) > math.Abs(system[pivot][column]) {
				pivot = row
			}
		}
		system[column], system[pivot] = system[pivot], system[column]
		for row := range 8 {
			if row == column {
				continue
			}
			factor := system[row][column] / system[column][column]
			for k := column; k < 9; k++ {
				system[row][k] -= factor * system[column][k]
			}
		}
	}
	for i := range solution {
		solution[i] = system[i][8] / system[i][i]
	}
	return solution
}
