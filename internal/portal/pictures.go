package portal

import (
	"bytes"
	"fmt"
	"image"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	_ "golang.org/x/image/webp" // the format of the pictures

	"github.com/cardvault/cardvault/internal/staticdoc"
	"github.com/cardvault/cardvault/openapi"
)

// picturesFolder is the folder of the pictures beside the guides, which name them "pictures/home.webp".
const picturesFolder = "pictures"

// picture is a picture that guides show.
type picture struct {
	address       string // with a hash of the content
	document      *staticdoc.Document
	width, height int
}

// readPictures returns the pictures by the names that guides use.
func readPictures() (map[string]picture, error) {
	entries, err := fs.ReadDir(openapi.Guides, "guides/"+picturesFolder)
	if err != nil {
		return nil, err
	}
	pictures := map[string]picture{}
	for _, entry := range entries {
		name := path.Join(picturesFolder, entry.Name())
		content, err := openapi.Guides.ReadFile("guides/" + name)
		if err != nil {
			return nil, err
		}
		size, format, err := image.DecodeConfig(bytes.NewReader(content))
		if err != nil || format != "webp" {
			return nil, fmt.Errorf("%s must be a WebP: got %q, %v", name, format, err)
		}
		document := staticdoc.New(typeOf(name), content)
		extension := path.Ext(name)
		address := root + "/" + strings.TrimSuffix(name, extension) + "-" + document.Tag() + extension
		pictures[name] = picture{address, document, size.Width, size.Height}
	}
	return pictures, nil
}

// show makes an image of a guide load its picture when it comes into view. The size keeps the text from moving.
func (c *contract) show(image *ast.Image) error {
	name := string(image.Destination)
	shown, ok := c.pictures[name]
	if !ok {
		return fmt.Errorf("there is no picture %q", name)
	}
	image.Destination = []byte(shown.address)
	image.SetAttributeString("width", []byte(strconv.Itoa(shown.width)))
	image.SetAttributeString("height", []byte(strconv.Itoa(shown.height)))
	image.SetAttributeString("loading", []byte("lazy"))
	return nil
}
