package imports

import (
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

// MaxBody returns the maximum size of a form with files, by its path, or 0 for other paths.
func MaxBody(path string) int64 {
	switch path {
	case csvPath:
		return maxFileForm
	case photosPath:
		return maxPhotosForm
	}
	return 0
}
