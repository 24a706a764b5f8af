package dashboard

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/photos"
)

// The limits of uploads.
const (
	// maxCSV is the size of the largest CSV file, in bytes. The command line takes larger ones.
	maxCSV = 64 << 20
	// maxPhotos is the number of photos of a request.
	maxPhotos = 20
	// maxFileForm and maxPhotosForm are the sizes of the largest forms with a CSV file and with photos, in bytes.
	maxFileForm   = maxCSV + web.MaxForm
	maxPhotosForm = maxPhotos*photos.MaxBytes + web.MaxForm
)

// bodyLimit returns the maximum size of the body of a request.
func bodyLimit(r *http.Request) int64 {
	switch path := r.URL.Path; {
	case path == csvPath:
		return maxFileForm
	case path == photosPath:
		return maxPhotosForm
	case uploadPath.MatchString(path):
		return maxUpload
	}
	return web.MaxForm
}
