package vision

import "image"

// Survey is the analysis of a photo, apart from its text.
type Survey struct {
	// Size is the size of the decoded photo, in pixels.
	Size image.Point
	// IsPlain is whether the photo has only one colour, as Plain reports. It has no outlines then.
	IsPlain bool
	// Outlines are the outlines that Locate returns.
	Outlines []Surveyed
}

// Surveyed is a possible outline of the card with the fingerprints of the picture within: upright, and turned by 180°.
type Surveyed struct {
	Hypothesis
	Upright, Turned [64]byte
}

// Examine surveys a decoded photo.
func Examine(photo *image.RGBA) Survey {
	survey := Survey{Size: photo.Rect.Size(), IsPlain: Plain(photo)}
	if survey.IsPlain {
		return survey
	}
	pyramid := NewPyramid(photo)
	for _, guess := range Locate(photo) {
		upright, upsideDown := pyramid.Fingerprints(guess)
		survey.Outlines = append(survey.Outlines, Surveyed{guess, upright, upsideDown})
	}
	return survey
}

// Area is a part of an encoded photo.
type Area struct {
	Photo []byte
	// Part is the part of the decoded photo, in pixels, or empty for the whole.
	Part image.Rectangle
}
