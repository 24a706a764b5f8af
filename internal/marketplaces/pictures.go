package marketplaces

import (
	"context"
	"time"
)

// PictureHost is a Marketplace that stores the pictures of its listings itself. Callers upload the photos of a card
// before they publish it, and publish it with the addresses that UploadPicture returns. A listing keeps its pictures
// for as long as it exists, whatever happens to the photos.
type PictureHost interface {
	Marketplace

	// CheckOffer returns the Refusal or the ConnectionError that Publish would return without a call, so that no
	// pictures are uploaded for an offer that cannot be published.
	CheckOffer(ctx context.Context, offer Offer) error

	// UploadPicture stores a picture. It returns the same kinds of errors as Publish. It is not idempotent: every call
	// stores another picture, so callers store the result. The marketplace deletes a picture that no listing uses.
	UploadPicture(ctx context.Context, picture Picture) (HostedPicture, error)
}

// Picture is a picture to upload.
type Picture struct {
	ContentType string // "image/jpeg", "image/png" or "image/webp"
	Data        []byte // at most MaxPictureBytes
}

// HostedPicture is a picture at the marketplace.
type HostedPicture struct {
	URL string `json:"url"`
	// Expires is when the marketplace deletes the picture unless a listing uses it.
	Expires time.Time `json:"expires"`
}

// The limits of the pictures of a listing. They are eBay's.
const (
	MaxPictures     = 24
	MaxPictureBytes = 12_000_000
	// MinPictureSide is the smallest number of pixels of the longer side of a picture.
	MinPictureSide = 500
)
