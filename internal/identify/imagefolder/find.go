package imagefolder

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/catalog"
)

// file is an image of the folder.
type file struct {
	path    string
	name    string // its path in the folder
	ids     []string
	version catalog.ImageVersion
	card    string // the catalogue's card among ids
}

// find returns the images of a folder and its subfolders, in the order of their paths. It leaves out hidden files, and
// folders named back, in which Scryfall has the other sides of cards.
func find(folder string) ([]file, error) {
	folder, err := filepath.EvalSymlinks(folder)
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return nil, err
	}
	var files []file
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case path != folder && strings.HasPrefix(name, "."):
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case entry.IsDir() && path != folder && (name == "back" || name == "__MACOSX"):
			return filepath.SkipDir
		case entry.IsDir() || !slices.Contains(extensions, strings.ToLower(filepath.Ext(name))):
			return nil
		}
		info, err := os.Stat(path) // follows a symbolic link
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		within, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		files = append(files, file{
			path: path, name: within, ids: identifiers(path),
			version: catalog.ImageVersion{Size: info.Size(), Modified: info.ModTime().UTC().Truncate(time.Microsecond)},
		})
		return nil
	})
	return files, err
}

// extensions are the file extensions of the formats that vision.Decode decodes.
var extensions = []string{".jpg", ".jpeg", ".png", ".webp"}

// identifiers returns the identifiers of the card that a file can show, the likeliest first. A file is named by its
// card, as in swsh4-25.png and in Scryfall's normal/front/6/d/6da045f8.jpg. In the layout of the images of
// pokemon-tcg-data, the folder is named by the set and the file by the number, as in swsh4/25.png. The file of the
// larger size ends in _hires.
func identifiers(path string) []string {
	name := filepath.Base(path)
	name = strings.TrimSuffix(strings.TrimSuffix(name, filepath.Ext(name)), "_hires")
	return []string{name, filepath.Base(filepath.Dir(path)) + "-" + name}
}
