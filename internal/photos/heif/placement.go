package heif

// placement says where the pixels of a coded picture are shown: it is cropped, then its axes are exchanged, then it is
// mirrored. This describes all eight orientations.
type placement struct {
	left, top, width, height int // the part of the coded picture that is shown
	exchanged                bool
	flipX, flipY             bool
}

// size returns the width and the height as shown.
func (p *placement) size() (width, height int) {
	if p.exchanged {
		return p.height, p.width
	}
	return p.width, p.height
}

// turned reports whether the picture is rotated or mirrored.
func (p *placement) turned() bool { return p.exchanged || p.flipX || p.flipY }

// rotate adds a rotation by a quarter anticlockwise.
func (p *placement) rotate() {
	p.exchanged = !p.exchanged
	p.flipX, p.flipY = p.flipY, !p.flipX
}

// mirror exchanges left and right, or top and bottom (ISO/IEC 23008-12:2022 section 6.5.12).
func (p *placement) mirror(sideways bool) {
	if sideways {
		p.flipX = !p.flipX
	} else {
		p.flipY = !p.flipY
	}
}

// locate returns where pixel (x, y) of the cropped picture is shown.
func (p *placement) locate(x, y int) (atX, atY int) {
	if p.exchanged {
		x, y = y, x
	}
	width, height := p.size()
	if p.flipX {
		x = width - 1 - x
	}
	if p.flipY {
		y = height - 1 - y
	}
	return x, y
}
