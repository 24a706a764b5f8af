package modelfiles

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// State is how a file is installed.
type State string

// The states of a file.
const (
	Installed State = "installed"
	Missing   State = "missing"
	Damaged   State = "damaged" // cut, or with other contents
)

// ErrMissing means that the files are not installed.
var ErrMissing = errors.New("the models that read text are not installed: run cardvault models install")

// ErrUnsupported means that the library is not available for this platform.
var ErrUnsupported = errors.New("the models that read text cannot run on this platform")

// Check reads a file of the folder and returns its state.
func (f File) Check(dir string) (State, error) {
	file, err := os.Open(filepath.Join(dir, f.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return Missing, nil
	}
	if err != nil {
		return "", fmt.Errorf("check model file: %w", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() != f.Size {
		return Damaged, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", fmt.Errorf("check model file: %w", err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
		return Damaged, nil
	}
	return Installed, nil
}

// Find checks that all files are installed in a folder. It returns ErrMissing if a file is missing. If a file is
// damaged, it returns another error, which names the file.
func Find(dir string) error { return find(dir, Known()) }

func find(dir string, files []File) error {
	if len(files) == 0 {
		return ErrUnsupported
	}
	missing := false
	for _, f := range files {
		state, err := f.Check(dir)
		switch {
		case err != nil:
			return err
		case state == Damaged:
			return fmt.Errorf("the file %s is cut or is not that of %s: run cardvault models install again",
				filepath.Join(dir, f.Name), f.Version)
		case state == Missing:
			missing = true
		}
	}
	if missing {
		return ErrMissing
	}
	return nil
}
