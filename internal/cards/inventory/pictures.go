package inventory

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

// remote reports whether the photo is at an address rather than in a file.
func (p Photo) remote() bool {
	return strings.HasPrefix(p.Name, "https://") || strings.HasPrefix(p.Name, "http://")
}

// card is one of the cards that a file holds: a copy of a row, both from 0.
type card struct{ row, copied int }

// pictures are the pictures stored for the cards of a file. Copies have pictures of their own.
type pictures struct {
	mu    sync.Mutex
	of    map[card][]cards.Photo
	count int
}

func (p *pictures) add(of card, photo cards.Photo) (count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[of] = append(p.of[of], photo)
	p.count++
	return p.count
}

// wanted is a picture to be stored from a file.
type wanted struct {
	of    card
	photo Photo
}

// keep stores the pictures that the file's rows name in dir. If one is missing or no picture, none
// stays stored.
func (s *Service) keep(ctx context.Context, accountID string, file *File, dir string, progress func(done, total int)) (*pictures, error) {
	kept := &pictures{of: map[card][]cards.Photo{}}
	list := wantedOf(file)
	if len(list) == 0 {
		return kept, nil
	}
	if dir == "" {
		row := file.Rows[list[0].of.row]
		return nil, one(row.Line, "names the photo %q: say in which directory the photos are (--photos), or leave the column out", list[0].photo.Name)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fault.New(fault.InvalidRequest, "the directory of photos %s cannot be opened", dir).Because(err)
	}
	defer root.Close()
	if err := present(root, file, list); err != nil {
		return nil, err
	}
	err = s.store(ctx, accountID, file, root, list, func(of card, photo cards.Photo) {
		if done := kept.add(of, photo); progress != nil {
			progress(done, len(list)+file.Cards)
		}
	})
	if err != nil {
		s.discard(ctx, accountID, kept)
		return nil, err
	}
	return kept, nil
}

// wantedOf returns the pictures that the rows name by file, one for each copy of a row.
func wantedOf(file *File) []wanted {
	var list []wanted
	for i, row := range file.Rows {
		for _, photo := range row.Photos {
			if photo.remote() {
				continue
			}
			for copied := range row.Quantity {
				list = append(list, wanted{card{i, copied}, photo})
			}
		}
	}
	return list
}

// present returns a *Problems that names all files that are not there, before the work begins.
func present(root *os.Root, file *File, list []wanted) error {
	var problems Problems
	for _, w := range list {
		info, err := root.Stat(w.photo.Name)
		column := string(photoColumnOf(w.photo.Role))
		switch {
		case w.of.copied > 0: // named already
		case errors.Is(err, fs.ErrNotExist):
			problems.add(file.Rows[w.of.row].Line, column, "there is no file %q in the directory of photos", w.photo.Name)
		case err != nil || !info.Mode().IsRegular():
			problems.add(file.Rows[w.of.row].Line, column, "%q is no file in the directory of photos that can be read", w.photo.Name)
		}
	}
	return problems.err()
}

// store stores the pictures, several at a time, and tells of each. Files that are no pictures are
// all named; any other failure ends it at once.
func (s *Service) store(ctx context.Context, accountID string, file *File, root *os.Root, list []wanted, stored func(card, cards.Photo)) error {
	var mu sync.Mutex
	var problems Problems
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0)) // it is the proving of pictures that takes the time
	for _, w := range list {
		group.Go(func() error {
			photo, err := s.storeOne(ctx, accountID, root, w.photo)
			if f, ok := fault.As(err); ok && (f.Code == fault.PhotoInvalid || f.Code == fault.PayloadTooLarge) {
				mu.Lock()
				defer mu.Unlock()
				if w.of.copied == 0 {
					problems.add(file.Rows[w.of.row].Line, string(photoColumnOf(w.photo.Role)), "%q: %s", w.photo.Name, f.Message)
				}
				return nil
			}
			if err == nil {
				stored(w.of, photo)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("inventory.Import: %w", err)
	}
	return problems.err()
}

func (s *Service) storeOne(ctx context.Context, accountID string, root *os.Root, photo Photo) (cards.Photo, error) {
	if err := ctx.Err(); err != nil {
		return cards.Photo{}, err
	}
	f, err := root.Open(photo.Name)
	if err != nil {
		return cards.Photo{}, err
	}
	defer f.Close()
	return s.photos.Keep(ctx, accountID, photo.Role, f)
}

// discard removes the pictures of an import that did not happen.
func (s *Service) discard(ctx context.Context, accountID string, kept *pictures) {
	for _, list := range kept.of {
		for _, photo := range list {
			s.photos.Discard(ctx, accountID, photo)
		}
	}
}
