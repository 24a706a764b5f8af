package catalog

import (
	"archive/zip"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Limits of a folder of JSON files, uncompressed. TCGdex has 20,000 cards in a language. A copy has one file per card,
// or one file of 60 MB with all cards.
const (
	maxFolderFiles = 500_000
	maxFolderFile  = 512 << 20
)

// folder is a directory or a .zip file with the files of a catalogue.
type folder struct {
	fs.FS
	name  string // as the user entered it
	close func()
}

// openFolder opens a directory or a .zip file of a format.
func openFolder(name string, format Format) (folder, error) {
	info, err := os.Stat(name)
	if err != nil {
		return folder{}, unreadable(name, err)
	}
	if info.IsDir() {
		return folder{os.DirFS(name), name, func() {}}, nil
	}
	archive, err := zip.OpenReader(name)
	if err != nil {
		return folder{}, notOfFormat(name, format, err)
	}
	return folder{archive, name, func() { archive.Close() }}, nil
}

// isFolder reports whether a path is a directory or a .zip file.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && (info.IsDir() || strings.EqualFold(path.Ext(name), ".zip"))
}

// folderFile is a file of a folder.
type folderFile struct {
	path string
	size int
}

// jsonFiles returns the .json and .jsonl files at any depth, sorted by path.
func (f folder) jsonFiles() (files []folderFile, err error) {
	err = fs.WalkDir(f, ".", func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if ext := strings.ToLower(path.Ext(p)); ext != ".json" && ext != ".jsonl" {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if files = append(files, folderFile{p, int(info.Size())}); len(files) > maxFolderFiles {
			return errTooLarge
		}
		return nil
	})
	slices.SortFunc(files, func(a, b folderFile) int { return strings.Compare(a.path, b.path) })
	return files, err
}

// read opens a file and calls read, which gets at most as many bytes as the file's stated size, and at most limit.
func (f folder) read(name string, limit int64, read func(*source) error) error {
	file, err := f.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return read(&source{r: file, left: min(info.Size(), limit)})
}

// readNamed calls read for each of the files that has a name, and names the file of an error.
func (f folder) readNamed(
	j importJob, name string, files []folderFile, read func(file string, content *source) error,
) error {
	for _, file := range files {
		if path.Base(file.path) != name {
			continue
		}
		err := f.read(file.path, maxFolderFile, func(content *source) error { return read(file.path, content) })
		if err != nil {
			return j.at(path.Join(f.name, file.path)).fileFault(err)
		}
	}
	return nil
}

// readCards calls read for each of the files, and reports progress and names the file of an error.
func (f folder) readCards(
	j importJob, files []folderFile, read func(file string, content *source) error,
) error {
	if len(files) == 0 {
		return notOfFormat(f.name, j.format, errors.New("it has no JSON file with cards"))
	}
	done, total := 0, 0
	for _, file := range files {
		total += file.size
	}
	for _, file := range files {
		err := f.read(file.path, maxFolderFile, func(content *source) error { return read(file.path, content) })
		if err != nil {
			return j.at(path.Join(f.name, file.path)).fileFault(err)
		}
		done += file.size
		j.progress(done, total)
	}
	return nil
}
