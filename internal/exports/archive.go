package exports

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
)

// Content reads the objects that an export contains. No object may hold a secret.
type Content struct {
	// Account returns the settings of the account.
	Account func(ctx context.Context, accountID string) (any, error)
	// Files are the files with a line for each object.
	Files []File
	// Table is the file of cards as the command line and the dashboard export it.
	Table interface {
		Export(ctx context.Context, w io.Writer, accountID string, f cards.Filter, progress func(done int)) (int, error)
	}
	// Cards lists the cards whose photos are exported.
	Cards interface {
		List(ctx context.Context, accountID string, f cards.Filter, p paging.Request) (paging.Page[cards.Card], error)
	}
	// Photos opens the images of photos.
	Photos interface {
		// Open returns the image and the extension of its file, or photo_not_found.
		Open(ctx context.Context, accountID string, photo cards.Photo) (io.ReadCloser, string, error)
	}
}

// File is a file of the archive with an object of JSON in each line.
type File struct {
	Name    string
	Meaning string // for README.txt
	// List reads a page of objects.
	List func(ctx context.Context, accountID string, p paging.Request) (paging.Page[any], error)
}

// progress is how far an archive is written.
type progress struct {
	part          string // the file that is being written
	written, size int64
}

// archive is an archive that is being written.
type archive struct {
	Content
	account string
	at      time.Time // of the export
	zip     *zipWriter
	size    *counter
	tell    func(progress) error // that something was written
	written int64
	parts   []part
	missing int // photos that the store does not have
}

// part is a written file of the archive, or the folder of photos.
type part struct {
	name, meaning string
	count         int64
}

// counter counts the bytes that are written.
type counter struct {
	to io.Writer
	n  int64
}

// Write implements io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}

// write writes the archive of a claimed export into the store and returns its size.
func (s *Service) write(ctx context.Context, c *claim) (size int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(leaseTime, func() { cancel(errStalled) })
	defer watchdog.Stop()
	var lastRenewal time.Time
	tell := func(p progress) error {
		watchdog.Reset(leaseTime)
		if time.Since(lastRenewal) < renewInterval {
			return context.Cause(ctx)
		}
		lastRenewal = time.Now()
		err := s.renew(ctx, c, p)
		if err != nil {
			cancel(err)
		}
		return err
	}
	if err := s.removeLeftovers(ctx, c); err != nil {
		return 0, err
	}
	err = s.store.Write(ctx, key(c.AccountID, c.ID), "application/zip", func(to io.Writer) error {
		out := &counter{to: to}
		writer, err := newZipWriter(out)
		if err != nil {
			return fmt.Errorf("write the archive: %w", err)
		}
		defer writer.discard()
		a := &archive{
			Content: s.content, account: c.AccountID, at: c.CreatedAt, tell: tell, zip: writer, size: out,
		}
		if err := a.write(ctx); err != nil {
			return err
		}
		size = out.n
		return s.renew(ctx, c, progress{"", a.written, size}) // an export that was lost must not replace a newer one
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		err = cause
	}
	return size, err
}

// removeLeftovers deletes what crashed processes left of the account's archives: all files without an export that is
// ready.
func (s *Service) removeLeftovers(ctx context.Context, c *claim) error {
	list, err := s.List(ctx, c.AccountID)
	if err != nil {
		return err
	}
	return s.store.Keys(ctx, Folder(c.AccountID), func(keys []string) error {
		for _, leftover := range keys {
			if slices.ContainsFunc(list, func(e Export) bool {
				return e.Status == Ready && leftover == key(e.AccountID, e.ID)
			}) {
				continue
			}
			if err := s.store.Delete(ctx, leftover); err != nil {
				return err
			}
		}
		return nil
	})
}

// write writes all files of the archive. README.txt is the last one, because it has the numbers of the others.
func (a *archive) write(ctx context.Context) error {
	steps := []func(context.Context) error{a.settings}
	for _, f := range a.Files {
		steps = append(steps, func(ctx context.Context) error { return a.lines(ctx, f) })
	}
	for _, step := range append(steps, a.table, a.photos, a.readme) {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return a.zip.Close()
}

// create begins a file of the archive.
func (a *archive) create(name string, method uint16) (io.Writer, error) {
	if err := a.progress(name, 0); err != nil {
		return nil, err
	}
	return a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: a.at.UTC()})
}

// progress tells that so many more things of the file were written.
func (a *archive) progress(name string, n int) error {
	a.written += int64(n)
	return a.tell(progress{name, a.written, a.size.n})
}

// finished adds a file to the list in README.txt.
func (a *archive) finished(name, meaning string, count int64) {
	a.parts = append(a.parts, part{name, meaning, count})
}

func encoder(to io.Writer) *json.Encoder {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false) // as the API writes objects
	return e
}

// settings writes account.json.
func (a *archive) settings(ctx context.Context) error {
	account, err := a.Account(ctx, a.account)
	if err != nil {
		return err
	}
	const name = "account.json"
	to, err := a.create(name, zip.Deflate)
	if err != nil {
		return err
	}
	a.finished(name, "the settings of the account", 1)
	return encoder(to).Encode(account)
}

// lines writes a file with a line for each object, page by page.
func (a *archive) lines(ctx context.Context, f File) error {
	to, err := a.create(f.Name, zip.Deflate)
	if err != nil {
		return err
	}
	before, lines := a.written, encoder(to)
	for next := (paging.Request{Limit: paging.MaxLimit}); ; {
		objects, err := f.List(ctx, a.account, next)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		for _, object := range objects.Data {
			if err := lines.Encode(object); err != nil {
				return fmt.Errorf("%s: %w", f.Name, err)
			}
		}
		if err := a.progress(f.Name, len(objects.Data)); err != nil {
			return err
		}
		if objects.NextCursor == nil {
			a.finished(f.Name, f.Meaning, a.written-before)
			return nil
		}
		next.Cursor = *objects.NextCursor
	}
}

// table writes cards.csv.
func (a *archive) table(ctx context.Context) error {
	const name = "cards.csv"
	to, err := a.create(name, zip.Deflate)
	if err != nil {
		return err
	}
	rows, err := a.Table.Export(ctx, to, a.account, cards.Filter{}, func(int) {
		_ = a.progress(name, 0) // an error also cancels ctx, which ends the export
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	a.finished(name, "the cards as a table, which can be imported again", int64(rows))
	return nil
}

// photos writes the images of the cards' photos as they are stored.
func (a *archive) photos(ctx context.Context) error {
	const folder = "photos/"
	before := a.written
	for next := (paging.Request{Limit: paging.MaxLimit}); ; {
		list, err := a.Cards.List(ctx, a.account, cards.Filter{}, next)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		for i := range list.Data {
			if err := a.photosOf(ctx, folder, &list.Data[i]); err != nil {
				return fmt.Errorf("%s: %w", folder, err)
			}
		}
		if err := a.progress(folder, 0); err != nil {
			return err
		}
		if list.NextCursor == nil {
			a.finished(folder, "the photos, named by the card's identifier and the photo's role", a.written-before)
			return nil
		}
		next.Cursor = *list.NextCursor
	}
}

func (a *archive) photosOf(ctx context.Context, folder string, card *cards.Card) error {
	for _, photo := range card.ReadyPhotos() {
		image, extension, err := a.Photos.Open(ctx, a.account, photo)
		if fault.Is(err, fault.PhotoNotFound) { // it was deleted or replaced just now
			a.missing++
			continue
		}
		if err != nil {
			return err
		}
		if err := a.copyPhoto(folder+card.ID+"-"+string(photo.Role)+extension, image); err != nil {
			return err
		}
		if err := a.progress(folder, 1); err != nil {
			return err
		}
	}
	return nil
}

// copyPhoto copies an image into the archive and closes it. Images are compressed already.
func (a *archive) copyPhoto(name string, image io.ReadCloser) error {
	defer image.Close()
	to, err := a.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: a.at.UTC()})
	if err != nil {
		return err
	}
	_, err = io.Copy(to, image)
	return err
}

// readme writes README.txt, which lists the files of the archive.
func (a *archive) readme(context.Context) error {
	to, err := a.create("README.txt", zip.Deflate)
	if err != nil {
		return err
	}
	return writeReadme(to, a)
}
