package imagefolder

import (
	"io"
	"os"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/identify/vision"
	"github.com/cardvault/cardvault/internal/worker"
)

// maxFile is the maximum size of a file, in bytes.
const maxFile = 50 << 20

// The ratio of the width to the height of a picture that shows a card and nothing else. A card has a ratio of 0.716.
const minRatio, maxRatio = 0.64, 0.80

// fingerprint returns the fingerprint of the picture in a file. A picture that is wider than high is turned, because a
// card is upright when it is identified. Which way does not matter: both are tried then.
func fingerprint(path string) (hash [64]byte, err error) {
	defer worker.Recover(&err)
	data, err := read(path)
	if err != nil {
		return hash, err
	}
	picture, err := vision.Decode(data)
	if err != nil {
		return hash, err
	}
	if vision.Plain(picture) {
		return hash, fault.New(fault.PhotoInvalid, "the picture has one colour only")
	}
	w, h := picture.Rect.Dx(), picture.Rect.Dy()
	if w > h {
		picture, w, h = vision.QuarterTurn(picture), h, w
	}
	if ratio := float64(w) / float64(h); ratio < minRatio || ratio > maxRatio {
		return hash, fault.New(fault.PhotoInvalid, "the picture of %d × %d pixels does not have the shape of a card; "+
			"cut it along the edges of the card", picture.Rect.Dx(), picture.Rect.Dy())
	}
	return vision.Fingerprint(picture), nil
}

// read reads a file of at most maxFile bytes.
func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fault.New(fault.PhotoInvalid, "the file has more than %d MiB", maxFile>>20)
	}
	return data, err
}
