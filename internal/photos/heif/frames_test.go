package heif

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"
)

// bits is a string of bits, first bit first.
type bits []byte

// bitsOf returns the bits of bytes.
func bitsOf(data []byte) (all bits) {
	for _, b := range data {
		for i := 7; i >= 0; i-- {
			all = append(all, b>>i&1)
		}
	}
	return all
}

// take removes and returns the first n bits.
func (b *bits) take(n int) bits {
	taken := (*b)[:n]
	*b = (*b)[n:]
	return taken
}

func (b bits) number() (n int) {
	for _, bit := range b {
		n = n<<1 | int(bit)
	}
	return n
}

// bytes returns the bits, with zeros up to the end of the last byte.
func (b bits) bytes() []byte {
	all := make([]byte, (len(b)+7)/8)
	for i, bit := range b {
		all[i/8] |= bit << (7 - i%8)
	}
	return all
}

// joined returns the bits of all parts, and those of strings of zeros and ones.
func joined(parts ...any) (all bits) {
	for _, part := range parts {
		switch part := part.(type) {
		case bits:
			all = append(all, part...)
		case string:
			for _, digit := range part {
				all = append(all, byte(digit-'0'))
			}
		}
	}
	return all
}

// obu returns an OBU with its size.
func obu(kind int, payload []byte) []byte {
	head := []byte{byte(kind<<3 | 2)}
	for size := len(payload); ; size >>= 7 {
		if size < 0x80 {
			head = append(head, byte(size))
			break
		}
		head = append(head, byte(size)|0x80)
	}
	return append(head, payload...)
}

// obus returns the payloads of the OBUs of a kind.
func obus(data []byte, kind int) (payloads [][]byte) {
	for c := (&cursor{b: data}); len(c.b) > 0; {
		header := c.u8()
		if payload := c.take(c.leb128()); header>>3&15 == kind {
			payloads = append(payloads, payload)
		}
	}
	return payloads
}

const obuSequence = 1

// hide returns the sequence header and the frame of a still picture as those of a video, in which the frame is not
// shown. Both are rewritten as AV1 specification sections 5.5.1 and 5.9.2 say. The frame grows by 16 bits, so that its
// pixels stay aligned.
func hide(t *testing.T, still []byte) (sequence, frame []byte) {
	t.Helper()
	old := bitsOf(obus(still, obuSequence)[0])
	profile, flags, level := old.take(3), old.take(2), old.take(5)
	if flags.number() != 3 {
		t.Fatal("the picture has no reduced header")
	}
	tier := ""
	if level.number() > 7 {
		tier = "0"
	}
	sizes := old.take(8)
	sides := old.take(sizes[:4].number() + sizes[4:].number() + 2)
	tools := old.take(3)
	superres := old[0] == 1
	sequence = joined(profile, "00", "0", "0", "00000", "000000000000", level, tier, sizes, sides, "0", tools,
		"00000", "1", "1", old).bytes()

	old = bitsOf(obus(still, obuFrame)[0])
	noUpdate, screen := old.take(1), old.take(1)
	before, after := bits{}, bits{}
	if screen[0] == 1 {
		before = old.take(1) // force_integer_mv
	}
	if superres {
		after = append(after, old.take(1)...)
	}
	if after = append(after, old.take(1)...); screen[0] == 1 {
		after = append(after, old.take(1)...) // allow_intrabc
	}
	frame = joined("0", "00", "0", "1", "0", noUpdate, screen, before, "0", "11111111", after, "1", old).bytes()
	return sequence, frame
}

// hidden returns the data of a picture with so many frames that are not shown. The last one is shown afterwards.
func hidden(t *testing.T, still []byte, frames int) []byte {
	t.Helper()
	sequence, frame := hide(t, still)
	show := joined("1", "000", "1").bytes() // show_existing_frame
	return slices.Concat(obu(obuSequence, sequence), bytes.Repeat(obu(obuFrame, frame), frames),
		obu(obuFrameHeader, show))
}

// withData returns a file with the picture of another one, whose data is replaced.
func withData(t *testing.T, file string, change func(data []byte) []byte) []byte {
	t.Helper()
	picture := codedIn(t, fixture(t, file))
	picture.data = change(picture.data)
	b := &builder{}
	b.primary = picture.add(b)
	return b.bytes()
}

func TestParse_CountsFramesOfAV1(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(still []byte) []byte
		frames int
	}{
		"one":           {func(still []byte) []byte { return still }, 1},
		"hidden":        {func(still []byte) []byte { return hidden(t, still, 20) }, 21},
		"shown":         {func(still []byte) []byte { return slices.Concat(still, still) }, 2},
		"without sizes": {func(still []byte) []byte { return append(hidden(t, still, 2), obuFrame<<3, 0) }, 4},
		"header and tiles": {func(still []byte) []byte {
			header, tiles := obu(obuFrameHeader, []byte{0}), obu(4, []byte{0})
			return slices.Concat(still, header, tiles, header)
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(withData(t, "flat.avif", tc.change))
			checkFrameCount(t, err, tc.frames)
		})
	}
}

func TestParse_CountsFramesOfFile(t *testing.T) {
	t.Parallel()
	_, err := Parse(fixture(t, "hidden.avif"))
	checkFrameCount(t, err, 13)
}

// checkFrameCount checks that err states the number of frames, if they are more than one.
func checkFrameCount(t *testing.T, err error, want int) {
	t.Helper()
	counted, several := errors.AsType[*FramesError](err)
	switch {
	case want == 1 && err != nil:
		t.Errorf("Parse = %v, want one frame", err)
	case want > 1 && (!several || counted.Frames != want):
		t.Errorf("Parse = %v, want %d frames", err, want)
	}
}

// The layers of a progressive picture are frames, the first of which is shown.
func TestParse_AcceptsLayersOfAV1(t *testing.T) {
	t.Parallel()
	layered := withData(t, "flat.avif", func(still []byte) []byte {
		frame := obu(obuFrame, obus(still, obuFrame)[0])
		layer := func(n byte) []byte { return slices.Concat([]byte{frame[0] | 4, n << 3}, frame[1:]) }
		return slices.Concat(obu(obuSequence, obus(still, obuSequence)[0]), layer(0), layer(1))
	})
	checkQuarters(t, decoded(t, layered), quarters)
}

func TestParse_CountsPicturesOfHEVC(t *testing.T) {
	t.Parallel()
	sei := func(n int) []byte { return bytes.Repeat(appendUnit(nil, []byte{39 << 1, 1, 0}), n) }
	for name, tc := range map[string]struct {
		change func(still []byte) []byte
		frames int
		err    error
	}{
		"one":      {func(still []byte) []byte { return still }, 1, nil},
		"repeated": {func(still []byte) []byte { return bytes.Repeat(still, 30) }, 30, nil},
		"of another layer": {func(still []byte) []byte {
			return append(slices.Clone(still), appendUnit(nil, []byte{19 << 1, 1<<3 | 1, 0x80})...)
		}, 1, nil},
		"messages":          {func(still []byte) []byte { return append(sei(4), still...) }, 1, nil},
		"too many messages": {func(still []byte) []byte { return append(sei(maxOthers), still...) }, 0, ErrTooBusy},
		"too many slices": {func(still []byte) []byte {
			return append(slices.Clone(still), bytes.Repeat(appendUnit(nil, []byte{19 << 1, 1, 0}), maxSlices)...)
		}, 0, ErrTooBusy},
		"a temporal layer that does not exist": {func(still []byte) []byte {
			return append(slices.Clone(still), appendUnit(nil, []byte{0, 0, 3, 0x80})...)
		}, 0, ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(withData(t, "flat.heic", tc.change))
			checkFrameCount(t, err, tc.frames)
			if tc.err != nil && !errors.Is(err, tc.err) {
				t.Errorf("Parse = %v, want %v", err, tc.err)
			}
		})
	}
}

// Pictures among the parameter sets would be decoded before each tile.
func TestParse_CountsPicturesOfHeader(t *testing.T) {
	t.Parallel()
	picture := codedIn(t, fixture(t, "plain.heic"))
	unit := picture.data[4:]
	picture.config = slices.Concat(picture.config[:22], []byte{picture.config[22] + 1}, picture.config[23:],
		[]byte{19, 0, 1}, be16(uint16(len(unit))), unit)
	b := &builder{}
	b.primary = picture.grid(b, 1, 1, uint32(picture.width), uint32(picture.height))
	_, err := Parse(b.bytes())
	checkFrameCount(t, err, 2)
}

// A decoder that takes longer than the pixels need is stopped, by whichever trick it takes so long.
func TestDecode_BoundsTime(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"flat.heic", "flat.avif"} {
		f := parsed(t, fixture(t, file))
		if _, err := f.decodeWithin(t.Context(), time.Millisecond); !errors.Is(err, ErrTooSlow) {
			t.Errorf("%s: Decode = %v, want ErrTooSlow", file, err)
		}
	}
	f := parsed(t, fixture(t, "plain.avif"))
	still := f.colour.tiles[0]
	f.colour.tiles[0] = hidden(t, still, 20) // which Parse would refuse
	checkQuarters(t, mustDecode(t, f), quarters)
	f.colour.tiles[0] = hidden(t, still, 10_000)
	if _, err := f.Decode(t.Context()); !errors.Is(err, ErrTooSlow) {
		t.Errorf("10,000 hidden frames: Decode = %v, want ErrTooSlow", err)
	}
}

// Data that no pixels need buys no time.
func TestFile_Effort(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		width, height, size int
		want                time.Duration
	}{
		{300, 300, 27_000, baseEffort + 50*time.Millisecond},
		{300, 300, 15 << 20, baseEffort + 383*time.Millisecond},
		{4000, 3000, 3 << 20, baseEffort + 6146*time.Millisecond},
	} {
		l := &layer{tileWidth: tc.width, tileHeight: tc.height, size: tc.size, tiles: make([][]byte, 1)}
		got := (&File{colour: l}).effort()
		if diff := got - tc.want; diff.Abs() > 10*time.Millisecond {
			t.Errorf("%d × %d pixels, %d bytes: got %v, want about %v", tc.width, tc.height, tc.size, got, tc.want)
		}
	}
}
