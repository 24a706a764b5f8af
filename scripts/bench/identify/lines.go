package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"slices"

	"github.com/cardvault/cardvault/internal/identify/ppocr"
)

// memory keeps the lines that were read on photos, so that a second calibration need not read them again. Without a
// file it keeps none.
type memory struct {
	file  string
	photo string // the name of the photo that is read now
	// whole is whether all lines are read at once.
	whole bool
	// Found has lines by look at a photo before reading, Read the same lines after all were read.
	Found, Read map[string][]ppocr.Line
}

// openMemory reads the lines of a file, if it exists.
func openMemory(file string) (*memory, error) {
	m := &memory{file: file}
	if file == "" {
		return m, nil
	}
	m.Found, m.Read = map[string][]ppocr.Line{}, map[string][]ppocr.Line{}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, err
	}
	return m, json.Unmarshal(data, m)
}

// remembering reads with networks in this process, so that their processor time is counted, or from memory.
type remembering struct {
	engine *ppocr.Engine
	*memory
}

// Find implements photoreader.Engine. It reads all lines if they are kept.
func (m remembering) Find(picture *image.RGBA) ([]ppocr.Line, error) {
	if m.Found == nil && !m.whole {
		return m.engine.Find(picture)
	}
	look := m.look(picture)
	if _, ok := m.memory.Read[look]; !ok {
		lines, err := m.engine.Find(picture)
		if err != nil {
			return nil, err
		}
		read, err := m.engine.Read(picture, lines)
		if err != nil || m.Found == nil {
			return read, err
		}
		m.Found[look], m.memory.Read[look] = lines, read
	}
	if m.whole {
		return slices.Clone(m.memory.Read[look]), nil
	}
	return slices.Clone(m.Found[look]), nil
}

// look names a picture of the photo: the whole or a part, by its size.
func (m *memory) look(picture *image.RGBA) string {
	return fmt.Sprintf("%s %v", m.photo, picture.Rect.Size())
}

// Read implements photoreader.Engine. It reads lines, or returns them as they were read.
func (m remembering) Read(picture *image.RGBA, lines []ppocr.Line) ([]ppocr.Line, error) {
	if m.Found == nil {
		return m.engine.Read(picture, lines)
	}
	byPlace := map[ppocr.Place]ppocr.Line{}
	for _, line := range m.memory.Read[m.look(picture)] {
		byPlace[line.Place] = line
	}
	read := make([]ppocr.Line, len(lines))
	for i, line := range lines {
		read[i] = byPlace[line.Place]
	}
	return read, nil
}

// save writes the file.
func (m *memory) save() error {
	if m.file == "" {
		return nil
	}
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return os.WriteFile(m.file, data, 0o644)
}
