package modelfiles

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Source says where packages come from.
type Source struct {
	// Index is the address of a simple index of Python packages.
	Index string
	// Folder has the packages as files. If it is set, Index is not used.
	Folder string
}

// Install installs the files that are missing or damaged and returns them. Each file is complete or absent: it gets its
// name after it was verified.
func Install(ctx context.Context, dir string, from Source) ([]File, error) {
	return install(ctx, dir, from, Known())
}

func install(ctx context.Context, dir string, from Source, files []File) ([]File, error) {
	if len(files) == 0 {
		return nil, ErrUnsupported
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("install model files: %w", err)
	}
	var missing []File
	for _, f := range files {
		state, err := f.Check(dir)
		if err != nil {
			return nil, err
		}
		if state != Installed {
			missing = append(missing, f)
		}
	}
	for i, f := range missing {
		if i > 0 && missing[i-1].wheel == f.wheel {
			continue // extracted together
		}
		if err := from.extract(ctx, dir, f.wheel, missing); err != nil {
			return nil, fmt.Errorf("install model files: %w", err)
		}
	}
	return missing, nil
}

// extract writes the files that come from one wheel.
func (s Source) extract(ctx context.Context, dir string, w wheel, files []File) error {
	path, remove, err := s.open(ctx, dir, w)
	if err != nil {
		return err
	}
	defer remove()
	archive, err := zip.OpenReader(path)
	if err != nil {
		return fmt.Errorf("%s: %w", w.file, err)
	}
	defer archive.Close()
	for _, f := range files {
		if f.wheel != w {
			continue
		}
		if err := f.write(dir, &archive.Reader); err != nil {
			return fmt.Errorf("%s: %w", w.file, err)
		}
	}
	return nil
}

// open returns the path of a verified wheel, and a function to call after use.
func (s Source) open(ctx context.Context, dir string, w wheel) (path string, remove func(), err error) {
	if s.Folder != "" {
		path = filepath.Join(s.Folder, w.file)
		file, err := os.Open(path)
		if err != nil {
			return "", nil, fmt.Errorf("download the package %s first: %w", w.file, err)
		}
		defer file.Close()
		return path, func() {}, verify(file, io.Discard, w.file, w.sha256)
	}
	if s.Index == "" {
		return "", nil, fmt.Errorf("set CARDVAULT_MODELS_INDEX to a Python package index, "+
			"or download the package %s and install with --from", w.file)
	}
	body, err := fetch(ctx, s.Index, w)
	if err != nil {
		return "", nil, err
	}
	defer body.Close()
	file, err := os.CreateTemp(dir, "download-*")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.Remove(file.Name()) }
	err = verify(body, file, w.file, w.sha256)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		remove()
	}
	return file.Name(), remove, err
}

// write extracts the file from its wheel.
func (f File) write(dir string, archive *zip.Reader) error {
	member, err := archive.Open(f.member)
	if err != nil {
		return err
	}
	defer member.Close()
	file, err := os.CreateTemp(dir, "extract-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // fails after the file was renamed
	err = verify(io.LimitReader(member, f.Size+1), file, f.Name, f.SHA256)
	if err == nil {
		err = file.Chmod(0o644)
	}
	if err == nil {
		err = file.Sync()
	}
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), filepath.Join(dir, f.Name))
}

// verify copies from to to and returns an error if the contents do not have the digest.
func verify(from io.Reader, to io.Writer, name, want string) error {
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(to, sum), from); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("%s has the SHA-256 %s, expected %s", name, got, want)
	}
	return nil
}
