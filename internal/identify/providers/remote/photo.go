package remote

import (
	"bytes"
	"fmt"
	"image/jpeg"

	"github.com/cardvault/cardvault/internal/identify/vision"
)

const (
	// photoSide is the maximum length of the longer side of a photo that is sent, in pixels. Small print is legible at
	// this size, and models bill larger photos by their area or shrink them.
	photoSide = 1600
	// photoQuality is the quality of the JPEG, 1 to 100. A photo has about 300 kB.
	photoQuality = 85
)

// encodePhoto returns a photo as it is sent: upright, at most photoSide pixels a side, as a JPEG without metadata. ok
// is false if the photo is plain, so that no card can be on it.
func encodePhoto(photo []byte) (data []byte, ok bool, err error) {
	picture, err := vision.Decode(photo)
	if err != nil {
		return nil, false, err
	}
	if vision.Plain(picture) {
		return nil, false, nil
	}
	var out bytes.Buffer
	err = jpeg.Encode(&out, vision.Shrink(picture, photoSide), &jpeg.Options{Quality: photoQuality})
	if err != nil {
		return nil, false, fmt.Errorf("encode photo: %w", err)
	}
	return out.Bytes(), true, nil
}
