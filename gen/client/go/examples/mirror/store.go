package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// The feeds in the file. The position of passes is the start of the last complete pass.
const (
	cards     = "cards"
	deletions = "deletions"
	listings  = "listings"
	sales     = "sales"
	passes    = "passes"
)

// maxAbsence is the time after which everything is copied again, because the service reports deletions for 90 days.
const maxAbsence = 80 * 24 * time.Hour

// record is a line of the file: an item as it is now, a deletion, or only the position of a feed.
type record struct {
	Feed string          `json:"feed"`
	ID   string          `json:"id,omitempty"`
	At   time.Time       `json:"at"` // the time of the change, which is also the position of the feed
	Item json.RawMessage `json:"item,omitempty"`
}

// store is the copy in memory and its file, to which each change is appended. A line has both the change and the
// position of its feed, so the file never has one without the other.
type store struct {
	file  *os.File
	items map[string]map[string]record // by feed and identifier
	since map[string]time.Time         // by feed
}

// open reads the file, if it exists, and writes it again without outdated lines.
func open(path string, now time.Time) (*store, error) {
	s := &store{}
	s.clear()
	if err := s.read(path); err != nil {
		return nil, err
	}
	if now.Sub(s.since[passes]) > maxAbsence { // also if there is no file
		s.clear()
		s.since[passes] = now
	}
	if err := s.write(path + ".new"); err != nil {
		return nil, err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	s.file = file
	return s, err
}

func (s *store) clear() {
	s.items = map[string]map[string]record{cards: {}, listings: {}, sales: {}}
	s.since = map[string]time.Time{}
}

// read applies the lines of the file. The last line is incomplete, and left out, if it has no line break.
func (s *store) read(path string) error {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	for reader := bufio.NewReader(file); ; {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%s is damaged; delete it to copy everything again: %w", path, err)
		}
		s.apply(r)
	}
}

// write writes the items and then the positions. The new positions replace the items' old ones.
func (s *store) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	lines := json.NewEncoder(w) // w keeps its first error, which Flush returns
	for _, items := range s.items {
		for _, r := range items {
			_ = lines.Encode(r)
		}
	}
	for feed, since := range s.since {
		_ = lines.Encode(record{Feed: feed, At: since})
	}
	return errors.Join(w.Flush(), file.Sync(), file.Close())
}

// add appends a record to the file and applies it.
func (s *store) add(r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(line, '\n')); err != nil {
		return err
	}
	s.apply(r)
	return nil
}

func (s *store) apply(r record) {
	s.since[r.Feed] = r.At
	if r.Feed == deletions {
		delete(s.items[cards], r.ID)
	} else if r.Item != nil {
		s.items[r.Feed][r.ID] = r
	}
}
