package markettest

import (
	_ "embed"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// mediaFile is the contract of the Media API.
const mediaFile = "commerce_media_v1_beta_oas3.json"

// images has the operations for images, which eBay added to the Media API after version v1_beta.1.0 of its contract. It
// was written by eBay's reference of version v1_beta.4.0.
//
//go:embed images.yaml
var images []byte

// addImages adds the operations for images to the contract of the Media API.
func addImages(doc *openapi3.T) error {
	extension, err := openapi3.NewLoader().LoadFromData(images)
	if err != nil {
		return fmt.Errorf("load images.yaml: %w", err)
	}
	for path, item := range extension.Paths.Map() {
		if doc.Paths.Value(path) == nil {
			doc.Paths.Set(path, item)
		}
	}
	for name, schema := range extension.Components.Schemas {
		doc.Components.Schemas[name] = schema
	}
	return nil
}

func init() {
	for _, contentType := range []string{"image/jpeg", "image/png", "image/webp"} {
		openapi3filter.RegisterBodyDecoder(contentType, openapi3filter.FileBodyDecoder)
	}
}
