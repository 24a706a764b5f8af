package csvfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// remote reports whether the photo is a URL instead of a file.
func (p Photo) remote() bool {
	return strings.HasPrefix(p.Name, "https://") || strings.HasPrefix(p.Name, "http://")
}

// pictureDir is the directory of the photos that rows refer to.
type pictureDir struct {
	root     *os.Root // nil if there is none
	reported bool     // that there is none
}

func openPictures(dir string) (*pictureDir, error) {
	if dir == "" {
		return &pictureDir{}, nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.New(fault.InvalidRequest, "the photo directory %s cannot be opened", dir).WithCause(err)
	}
	return &pictureDir{root: root}, nil
}

func (d *pictureDir) close() {
	if d.root != nil {
		d.root.Close()
	}
}

// check returns why a photo file cannot be read, or "". A missing directory is reported once.
func (d *pictureDir) check(name string) string {
	if d.root == nil {
		if d.reported {
			return ""
		}
		d.reported = true
		return fmt.Sprintf("refers to the photo %q: "+
			"name the directory of the photos (--photos) or remove the column", name)
	}
	info, err := d.root.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("there is no file %q in the photo directory", name)
	case err != nil || !info.Mode().IsRegular():
		return fmt.Sprintf("%q is not a readable file in the photo directory", name)
	}
	return ""
}

// storePictures stores the photo files that the staged rows refer to, chunk by chunk. Each copy gets its own
// photos. All files that are not valid photos are reported.
func (s *Service) storePictures(ctx context.Context, staged *staging, dir *pictureDir, progress func(done int)) error {
	storing := storing{service: s, accountID: staged.accountID, dir: dir, progress: progress}
	for c, err := range chunks(ctx, s.db, staged.accountID, staged.importID) {
		if err != nil {
			return err
		}
		err = storing.store(ctx, c)
		if err == nil && storing.problems.Total == 0 {
			err = staged.savePictures(ctx, c)
		}
		if err != nil || storing.problems.Total > 0 {
			s.discard(ctx, staged.accountID, c)
		}
		if err != nil {
			return err
		}
	}
	return storing.problems.err()
}

// storing stores the photos of an import concurrently.
type storing struct {
	service   *Service
	accountID string
	dir       *pictureDir
	progress  func(done int)

	mu       sync.Mutex // guards the following fields and the rows' pictures
	problems Problems
	done     int
}

// store stores the photos of a chunk and adds them to its rows. A file that is not a valid photo is a problem. Any
// other error stops the import.
func (s *storing) store(ctx context.Context, c *chunk) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0)) // checking the photos takes most of the time
	for i := range c.rows {
		row := &c.rows[i]
		files := row.Row.files()
		if len(files) == 0 {
			continue
		}
		row.Pictures = make([][]cards.Photo, row.Copies)
		for copied := range row.Copies {
			for _, file := range files {
				group.Go(func() error { return s.storeOne(ctx, row, copied, file) })
			}
		}
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("store pictures: %w", err)
	}
	return nil
}

// storeOne stores a photo file for one copy of a row.
func (s *storing) storeOne(ctx context.Context, row *stagedRow, copied int, file Photo) error {
	photo, err := s.read(ctx, file)
	s.mu.Lock()
	defer s.mu.Unlock()
	if f, ok := fault.As(err); ok && (f.Code == fault.PhotoInvalid || f.Code == fault.PayloadTooLarge) {
		if copied == 0 {
			s.problems.add(row.Row.Line, string(photoColumnOf(file.Role)), "%q: %s", file.Name, f.Message)
		}
		return nil
	}
	if err != nil {
		return err
	}
	row.Pictures[copied] = append(row.Pictures[copied], photo)
	s.done++
	s.progress(s.done)
	return nil
}

// read checks and stores the content of a photo file.
func (s *storing) read(ctx context.Context, photo Photo) (cards.Photo, error) {
	if err := ctx.Err(); err != nil {
		return cards.Photo{}, err
	}
	f, err := s.dir.root.Open(photo.Name)
	if err != nil {
		return cards.Photo{}, err
	}
	defer f.Close()
	return s.service.photos.Keep(ctx, s.accountID, photo.Role, f)
}

// discardPictures removes the stored photos of an import.
func (s *Service) discardPictures(ctx context.Context, staged *staging) error {
	if !staged.pictured {
		return nil
	}
	for c, err := range chunks(ctx, s.db, staged.accountID, staged.importID) {
		if err != nil {
			return err
		}
		s.discard(ctx, staged.accountID, c)
	}
	return nil
}

// discard removes the stored photos of a chunk.
func (s *Service) discard(ctx context.Context, accountID string, c *chunk) {
	for _, photo := range c.pictures() {
		s.photos.Discard(ctx, accountID, photo)
	}
}
