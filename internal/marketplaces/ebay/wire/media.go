package wire

// MediaPath is the path of the Commerce Media API, which is on a host of its own.
const MediaPath = "/commerce/media/v1_beta"

// CreateImagePath is the path of createImageFromFile. Its body is a form (multipart/form-data) with the file as its
// part ImagePart. The Location header of the response is the address of getImage.
const (
	CreateImagePath = MediaPath + "/image/create_image_from_file"
	ImagePart       = "image"
)

// Image is the response of createImageFromFile and getImage.
type Image struct {
	ImageURL string `json:"imageUrl"`
	// ExpirationDate is when eBay deletes the image unless a listing uses it.
	ExpirationDate string `json:"expirationDate"`
}

// The limits of images.
const (
	MaxImageBytes = 12_000_000
	// MaxImageRate is the number of images that a seller may create within ImageRateSeconds.
	MaxImageRate     = 50
	ImageRateSeconds = 5
)
