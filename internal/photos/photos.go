// Package photos fetches, checks, stores and serves the photographs of cards.
//
// What it stores is a real image that was proven whole, without the data that cameras add: a
// photo taken at home holds the home's position, and a served photo must not give it away. The
// package never keeps which card a photo belongs to, and never scales or re-encodes an image.
package photos

// The bounds of a photo (openapi/v1.yaml, putCardPhoto).
const (
	// MaxBytes is the largest photo, 15 MiB.
	MaxBytes = 15 << 20
	// MinSide and MaxSide bound width and height, in pixels.
	MinSide, MaxSide = 300, 12_000
)

// The content types of photos.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
	WebP = "image/webp"
)

// Info describes a checked photo.
type Info struct {
	// ContentType is JPEG, PNG or WebP, found from the content.
	ContentType string
	// Width and Height are in pixels, as the photo is shown: turned by Orientation.
	Width, Height int
	// Size is the length of the stored bytes.
	Size int64
	// Orientation is the Exif orientation, 1 (upright) to 8, that is kept in the stored bytes.
	// Decoders of the standard library do not apply it.
	Orientation int
}

// Key returns the key under which a photo is stored: "acc_…/pho_….jpg".
func Key(accountID, photoID, contentType string) string {
	return accountID + "/" + photoID + Extension(contentType)
}

// Extension returns ".jpg", ".png" or ".webp", and "" for any other content type.
func Extension(contentType string) string {
	switch contentType {
	case JPEG:
		return ".jpg"
	case PNG:
		return ".png"
	case WebP:
		return ".webp"
	}
	return ""
}

// contentTypeOf is the inverse of Extension.
func contentTypeOf(extension string) string {
	switch extension {
	case ".jpg":
		return JPEG
	case ".png":
		return PNG
	case ".webp":
		return WebP
	}
	return ""
}
