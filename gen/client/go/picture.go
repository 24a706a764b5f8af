package cardvault

import (
	"encoding/binary"
	"net/http"
)

// brands are the media types of image files of the ISO base media format, by brand.
var brands = map[string]string{
	"avif": "image/avif", "avis": "image/avif",
	"heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic", "hevc": "image/heic",
	"hevx": "image/heic",
}

// pictureType returns the media type of a picture. Package http does not know HEIC and AVIF. Their files begin with a
// list of brands; mif1 is the general one.
func pictureType(picture []byte) string {
	if len(picture) < 12 || string(picture[4:8]) != "ftyp" {
		return http.DetectContentType(picture)
	}
	general := false
	end := min(uint64(binary.BigEndian.Uint32(picture)), uint64(len(picture)), 256)
	for at := uint64(8); at+4 <= end; at += 4 { // the second entry is a version, not a brand
		brand := string(picture[at : at+4])
		if found := brands[brand]; found != "" {
			return found
		}
		general = general || brand == "mif1" || brand == "msf1"
	}
	if general {
		return "image/heif"
	}
	return http.DetectContentType(picture)
}
