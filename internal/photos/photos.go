// Package photos fetches, checks, stores and serves photos of cards.
//
// A stored photo is a complete, valid image without the metadata that cameras add, because the position of
// the owner's home must not be served. The package does not store which card a photo belongs to, and it never scales
// an image. It re-encodes three kinds as JPEG: HEIC and AVIF, which package heif decodes, because neither
// marketplaces nor most browsers show HEIC; a copy for a marketplace that takes fewer bytes than the photo has; and
// the cards that are cut out of a photo of many. It walks the JPEG, PNG and WebP structures itself, because the
// standard decoders neither report metadata nor keep an image unchanged without it. The libraries that remove
// metadata, such as go-exif-remove, remove only Exif, from JPEG and PNG only, and do not report the memory that
// decoding needs.
package photos

// The limits of a photo (openapi/v1.yaml, putCardPhoto).
const (
	// MaxBytes is the largest photo, 15 MiB.
	MaxBytes = 15 << 20
	// MinSide and MaxSide are the limits of width and height, in pixels.
	MinSide, MaxSide = 300, 12_000
)

// The content types of stored photos.
const (
	JPEG = "image/jpeg"
	PNG  = "image/png"
	WebP = "image/webp"
)

// Info describes a checked photo.
type Info struct {
	// ContentType is the type of the stored bytes: JPEG, PNG or WebP.
	ContentType string
	// Width and Height are in pixels, after rotation by Orientation.
	Width, Height int
	// Size is the length of the stored bytes.
	Size int64
	// Orientation is the Exif orientation, 1 (upright) to 8, which is part of the stored bytes. The
	// decoders of the standard library do not apply it.
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
