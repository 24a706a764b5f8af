package photos

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
)

// secret is metadata that must never be served.
const secret = "SECRET-GPS-48.2082N-16.3738E"

// picture returns an image that does not compress well.
func picture(width, height int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), uint8(x * y), 255})
		}
	}
	return img
}

func jpegOf(t testing.TB, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, picture(width, height), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// plainWebP returns a lossless WebP of one colour. Its five Huffman codes have one symbol each, so that the
// pixels take no bits (RFC 9649 section 3).
func plainWebP(width, height int) []byte {
	return riff(appendRIFF(nil, "VP8L", vp8l(width, height)))
}

// vp8l returns the body of the VP8L chunk of plainWebP.
func vp8l(width, height int) []byte {
	var bits uint64
	var used int
	out := []byte{0x2F}
	put := func(value uint64, n int) {
		bits |= value << used
		for used += n; used >= 8; used -= 8 {
			out = append(out, byte(bits))
			bits >>= 8
		}
	}
	put(uint64(width-1), 14)
	put(uint64(height-1), 14)
	put(0, 1+3+1+1+1) // no alpha, version 0, no transform, no colour cache, one group of codes
	for range 5 {
		put(1, 1) // a simple code
		put(0, 1) // of one symbol
		put(1, 1) // of eight bits
		put(0, 8)
	}
	put(0, 7) // pads the last byte
	return out
}

// riff returns a WebP file with these chunks.
func riff(chunks []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(chunks)+4))
	return append(append(b, "WEBP"...), chunks...)
}

// extendedWebP wraps an image chunk in a VP8X container with metadata.
func extendedWebP(width, height, orientation int, flags byte) []byte {
	header := []byte{
		flags, 0, 0, 0, byte(width - 1), byte((width - 1) >> 8), 0, byte(height - 1), byte((height - 1) >> 8), 0,
	}
	b := appendRIFF(nil, "VP8X", header)
	b = appendRIFF(b, "ICCP", []byte("profile"))
	b = appendRIFF(b, "VP8L", vp8l(width, height))
	b = appendRIFF(b, "EXIF", cameraExif(orientation))
	b = appendRIFF(b, "XMP ", []byte(secret))
	return riff(appendRIFF(b, "JUNK", []byte(secret)))
}

// cameraExif returns little-endian Exif data with a maker, the orientation and a secret.
func cameraExif(orientation int) []byte {
	b := []byte("II*\x00\x08\x00\x00\x00\x02\x00")
	b = append(b, 0x0F, 0x01, 2, 0, byte(len(secret)), 0, 0, 0, 38, 0, 0, 0) // Make, at offset 38
	b = append(b, 0x12, 0x01, 3, 0, 1, 0, 0, 0, byte(orientation), 0, 0, 0)
	b = append(b, 0, 0, 0, 0)
	return append(b, secret...)
}

// jpegSegment returns a marker segment.
func jpegSegment(marker byte, payload string) []byte {
	b := binary.BigEndian.AppendUint16([]byte{0xFF, marker}, uint16(len(payload)+2))
	return append(b, payload...)
}

// cameraJPEG adds all kinds of metadata and a colour profile to a JPEG, and a video after its end.
func cameraJPEG(plain []byte, orientation int) []byte {
	segments := slices.Concat(
		jpegSegment(mAPP1, exifHeader+string(cameraExif(orientation))),
		jpegSegment(mAPP1, "http://ns.adobe.com/xap/1.0/\x00"+secret),
		jpegSegment(mAPP2, "ICC_PROFILE\x00\x01\x01profile"),
		jpegSegment(mAPP2, "MPF\x00"+secret),
		jpegSegment(0xED, "Photoshop 3.0\x00"+secret),
		jpegSegment(mAPP0, "JFXX\x00"+secret),
		jpegSegment(mCOM, secret),
	)
	return slices.Concat(plain[:2], segments, plain[2:], []byte("MotionPhoto "+secret))
}

// cameraPNG adds metadata chunks after the header of a PNG, and a secret after its end.
func cameraPNG(plain []byte, orientation int) []byte {
	const headerEnd = 8 + 25
	chunks := appendChunk(nil, "tEXt", []byte("Comment\x00"+secret))
	chunks = appendChunk(chunks, "gAMA", []byte{0, 0, 0xB1, 0x8F})
	chunks = appendChunk(chunks, "eXIf", cameraExif(orientation))
	chunks = appendChunk(chunks, "zTXt", []byte("x\x00\x00"+secret))
	return slices.Concat(plain[:headerEnd], chunks, plain[headerEnd:], []byte(secret))
}

// withFrames adds frames to an animated WebP.
func withFrames(webp []byte, frames int) []byte {
	for range frames {
		webp = appendRIFF(webp, "ANMF", make([]byte, 16))
	}
	binary.LittleEndian.PutUint32(webp[4:], uint32(len(webp)-8))
	return webp
}

// animatedPNG returns a PNG whose animation has so many frames.
func animatedPNG(t testing.TB, frames int) []byte {
	t.Helper()
	const header = len(pngSignature) + 12 + 13 // with IHDR
	still := pngOf(t, picture(400, 300))
	control := appendChunk(nil, "acTL", binary.BigEndian.AppendUint64(nil, uint64(frames)<<32))
	return slices.Concat(still[:header], control, still[header:])
}

// repeatedAVIF returns an AVIF whose data has a frame several times.
func repeatedAVIF(t testing.TB, times int) []byte {
	t.Helper()
	still := heifFile(t, "plain.avif")
	begin := bytes.Index(still, []byte("mdat")) + 4
	data := still[begin:]
	repeated := slices.Concat(still[:begin], bytes.Repeat(data, times))
	binary.BigEndian.PutUint32(repeated[begin-8:], uint32(8+times*len(data)))
	size := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	location := bytes.Index(repeated, []byte("iloc"))
	extent := location + bytes.Index(repeated[location:], size)
	binary.BigEndian.PutUint32(repeated[extent:], uint32(times*len(data)))
	return repeated
}
