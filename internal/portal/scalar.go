package portal

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/cardvault/cardvault/internal/staticdoc"
)

// scalar holds the component of the reference: Scalar as it is published, compressed. scripts/vendor-scalar.sh updates
// it.
//
// Redoc was considered. It is somewhat smaller (650 kB compressed; Scalar has 1.3 MB, of which a page loads 0.8 MB),
// but its free edition cannot send requests, it loads a logo from its maker, and its menu is outside of every landmark.
// Without fonts, telemetry and proxy, Scalar loads nothing from other hosts. It needs neither inline scripts nor eval.
// Both add inline styles to the page.
//
//go:embed scalar
var scalar embed.FS

//go:embed scalar/VERSION
var scalarVersion string

// scalarPath is the path of Scalar's modules, which refer to one another by relative paths. It contains the version.
var scalarPath = root + "/assets/scalar-" + strings.TrimSpace(scalarVersion)

// readScalar adds Scalar's files to the assets.
func readScalar(assets map[string]*staticdoc.Document) error {
	return fs.WalkDir(scalar, "scalar", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := scalar.ReadFile(name)
		if err != nil {
			return err
		}
		path := scalarPath + strings.TrimPrefix(name, "scalar")
		if plain, packed := strings.CutSuffix(path, ".gz"); packed {
			assets[plain] = staticdoc.Compressed(typeOf(plain), content)
			return nil
		}
		assets[path] = staticdoc.New(typeText, content)
		return nil
	})
}
