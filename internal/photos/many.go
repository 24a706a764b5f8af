package photos

import (
	"context"
	"image"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// The limits of a scan of photos with several cards. Finding and cutting the cards of a photo takes one to three
// seconds of a processor, so that a scan of MaxManyPhotos ends within the time of a request, which lists the new cards.
const (
	MaxManyPhotos = 5
	MaxCutCards   = 30 // of a photo
)

// Split finds the cards on a photo and calls each with a straightened picture per card. It calls nothing if there are
// less than two. orientation is the Exif orientation of the photo. It returns errors that each or ctx returns, or
// fault.PhotoInvalid.
type Split func(ctx context.Context, photo []byte, orientation int, each func(card image.Image) error) error

// UseSplit sets the function that finds several cards on a photo. Call it before using the service.
func (s *Service) UseSplit(split Split) { s.split = split }

// checkMany returns the error of a scan of photos with several cards that is not possible.
func (s Scan) checkMany() error {
	switch {
	case !s.Many:
		return nil
	case s.Pairing != "" && s.Pairing != PairNone:
		return fault.Invalid("pairing", "must be none for photos of many cards")
	case len(s.Photos) > MaxManyPhotos:
		return fault.Invalid("photos", "must be at most %d for photos of many cards; they are %d",
			MaxManyPhotos, len(s.Photos))
	}
	return nil
}

// keepMany stores a picture per card on a photo, or the whole photo if it shows less than two cards. The error of a
// photo that is not valid is a *cards.ItemError.
func (s *Service) keepMany(
	ctx context.Context, accountID string, photos []ScanPhoto, index int,
) (stored [][]cards.Photo, err error) {
	defer func() {
		if err == nil {
			return
		}
		for _, one := range stored {
			s.RemoveImages(ctx, accountID, one)
		}
		if stored = nil; fault.Is(err, fault.PhotoInvalid) {
			err = &cards.ItemError{Index: index, Err: err}
		}
	}()
	data, info, err := Read(ctx, accountID, photos[index].Content)
	if err != nil {
		return nil, err
	}
	crops, err := s.cutCards(ctx, accountID, data, info)
	if err != nil {
		return nil, err
	}
	if len(crops) == 0 {
		crops = []crop{{data, info}}
	}
	for _, c := range crops {
		photo, err := s.keep(ctx, accountID, cards.RoleFront, c.data, c.info)
		if err != nil {
			return stored, err
		}
		stored = append(stored, []cards.Photo{photo})
	}
	return stored, nil
}

// crop is the picture of a card that was cut out of a photo.
type crop struct {
	data []byte
	info Info
}

// cutCards cuts the cards out of a checked photo and encodes them as JPEG. The memory of the decoded photo counts
// towards the limits of decoding.
func (s *Service) cutCards(
	ctx context.Context, accountID string, data []byte, info Info,
) (crops []crop, err error) {
	cost := min(int64(info.Width)*int64(info.Height)*4, maxDecode)
	err = decoder.do(ctx, accountID, cost, func(ctx context.Context) error {
		crops, err = s.cut(ctx, data, info)
		return err
	})
	return crops, err
}

// cut cuts the cards out of a photo.
func (s *Service) cut(ctx context.Context, data []byte, info Info) (crops []crop, err error) {
	err = s.split(ctx, data, info.Orientation, func(card image.Image) error {
		if len(crops) == MaxCutCards {
			return fault.New(fault.PhotoInvalid,
				"the photo shows more than %d cards: take several photos with fewer cards", MaxCutCards)
		}
		jpg, err := encodeJPEG(card, MaxBytes)
		size := card.Bounds().Size()
		crops = append(crops, crop{jpg, Info{
			ContentType: JPEG, Width: size.X, Height: size.Y, Size: int64(len(jpg)), Orientation: upright,
		}})
		return err
	})
	return crops, err
}
