package photos

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"net/http"
	"slices"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
)

// turned are the Exif orientations (TIFF 6.0, tag 274) after a turn by 90° clockwise. 2, 4, 5 and 7 are mirrored.
var turned = [...]int{1: 6, 6: 3, 3: 8, 8: 1, 2: 7, 7: 4, 4: 5, 5: 2}

// Turn turns a photo of the card by 90° clockwise and stores it in place of the old one, as Put does. It is lossless:
// it changes the orientation in the photo's metadata, which browsers and marketplaces apply.
func (s *Service) Turn(ctx context.Context, accountID, cardID, photoID string) (cards.Card, error) {
	card, err := s.cards.Get(ctx, accountID, cardID)
	if err != nil {
		return cards.Card{}, err
	}
	fullID, _ := id.Parse(id.Photo, photoID)
	at := slices.IndexFunc(card.Photos, func(p cards.Photo) bool {
		return p.ID == fullID && p.Status == cards.PhotoReady
	})
	if at < 0 {
		return cards.Card{}, fault.NotFound(fault.PhotoNotFound)
	}
	data, err := s.Load(ctx, accountID, card.Photos[at])
	if err != nil {
		return cards.Card{}, err
	}
	data, info, err := turn(ctx, accountID, data)
	if err != nil {
		return cards.Card{}, err
	}
	photo, err := s.keep(ctx, accountID, card.Photos[at].Role, data, info)
	if err != nil {
		return cards.Card{}, err
	}
	result, old, err := s.cards.ReplacePhoto(ctx, accountID, card.ID, fullID, photo)
	return result, s.replace(ctx, accountID, photo, old, err)
}

// turn returns a stored photo turned by 90° clockwise.
func turn(ctx context.Context, accountID string, data []byte) ([]byte, Info, error) {
	contentType := http.DetectContentType(data)
	walk := walkers[contentType]
	if walk == nil {
		return nil, Info{}, errNotImage(data, contentType)
	}
	l, err := walk(data)
	if err != nil {
		return nil, Info{}, errBroken(contentType, err)
	}
	exif := exifOf(turned[l.orientation])
	switch contentType {
	case JPEG:
		data = exifJPEG(l.clean, exif)
	case PNG:
		data = exifPNG(l, exif)
	case WebP:
		if data, err = exifWebP(l.clean, exif); err != nil {
			return nil, Info{}, errBroken(contentType, err)
		}
	}
	return Check(ctx, accountID, data)
}

// exifJPEG puts Exif data before all other metadata, so that it takes precedence over existing Exif data.
func exifJPEG(clean, exif []byte) []byte {
	size := binary.BigEndian.AppendUint16(nil, uint16(2+len(exifHeader)+len(exif)))
	return slices.Concat(clean[:2], []byte{0xFF, mAPP1}, size, []byte(exifHeader), exif, clean[2:])
}

// exifPNG puts Exif data after the header, without that which is there.
func exifPNG(l layout, exif []byte) []byte {
	clean := l.clean
	if l.orientation != upright {
		clean = bytes.Replace(clean, appendChunk(nil, "eXIf", exifOf(l.orientation)), nil, 1)
	}
	const header = len(pngSignature) + 12 + 13 // with IHDR
	return slices.Concat(clean[:header], appendChunk(nil, "eXIf", exif), clean[header:])
}

// exifWebP puts Exif data at the end, where it replaces existing Exif data. A simple file becomes an extended one.
func exifWebP(clean, exif []byte) ([]byte, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(clean))
	if err != nil {
		return nil, fmt.Errorf("add Exif data: %w", err)
	}
	const riffHeader = 12
	head, chunks := slices.Clone(clean[:riffHeader]), clean[riffHeader:]
	if !bytes.HasPrefix(chunks, []byte("VP8X")) {
		body := make([]byte, 10) // flags and three reserved bytes, then 24 bits for each side, less one
		for i := range 3 {
			body[4+i], body[7+i] = byte((config.Width-1)>>(8*i)), byte((config.Height-1)>>(8*i))
		}
		head = appendRIFF(head, "VP8X", body)
	}
	data := appendRIFF(append(head, chunks...), "EXIF", exif)
	binary.LittleEndian.PutUint32(data[4:], uint32(len(data)-8))
	return data, nil
}
