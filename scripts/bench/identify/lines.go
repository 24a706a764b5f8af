package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// memory keeps the lines that were read on photos, so that a second calibration need not read them again. Without a
// file it keeps none.
type memory struct {
	file  string
	photo string // the name of the photo that is read now
	Lines map[string][]ppocr.Line
}

// openMemory reads the lines of a file, if it exists.
func openMemory(file string) (*memory, error) {
	m := &memory{file: file}
	if file == "" {
		return m, nil
	}
	m.Lines = map[string][]ppocr.Line{}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	return m, json.Unmarshal(data, &m.Lines)
}

// save writes the file.
func (m *memory) save() error {
	if m.file == "" {
		return nil
	}
	data, err := json.Marshal(m.Lines)
	if err != nil {
		return err
	}
	return os.WriteFile(m.file, data, 0o644)
}
