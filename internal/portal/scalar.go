package portal

import (
	"embed"
	"io/fs"
	"strings"

	"github.com/cardvault/cardvault/internal/static"
)

// The reference's component: Scalar, as it is published, compressed. scripts/vendor-scalar.sh renews it.
//
// Redoc was tried too. It is somewhat smaller (650 kB compressed; of Scalar's 1.3 MB a page loads 0.8), but its free edition
// cannot try a request, it loads a logo from its maker, and its menu lies outside of every landmark. Scalar loads nothing
// from elsewhere once fonts, telemetry and proxy are off, and runs without inline scripts and eval; both write styles into
// the page.
//
//go:embed scalar
var scalar embed.FS

//go:embed scalar/VERSION
var scalarVersion string

// scalarPath is where its modules are served. They name one another by relative paths, and the version is part of it.
var scalarPath = root + "/assets/scalar-" + strings.TrimSpace(scalarVersion)

// readScalar adds its files to the assets.
func readScalar(assets map[string]*static.Document) error {
	return fs.WalkDir(scalar, "scalar", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := scalar.ReadFile(name)
		if err != nil {
			return err
		}
		served := scalarPath + strings.TrimPrefix(name, "scalar")
		if plain, packed := strings.CutSuffix(served, ".gz"); packed {
			assets[plain] = static.Compressed(typeOf(plain), content)
			return nil
		}
		assets[served] = static.New("text/plain; charset=utf-8", content)
		return nil
	})
}
