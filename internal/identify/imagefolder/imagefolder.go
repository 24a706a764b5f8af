// Package imagefolder computes the fingerprints of the catalogue's cards from a folder of their pictures.
//
// The files are named by the identifiers of the cards, as identifiers explains. Fingerprint stores the fingerprints in
// batches, each with the size and the time of its file. A run that was interrupted therefore continues where it
// stopped, and a later run computes only what has changed. Files that are not pictures of a card are reported and left
// out. The package changes no file and makes no network requests.
package imagefolder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
)

// Catalogue is the part of *catalog.Service that Fingerprint uses.
type Catalogue interface {
	FingerprintImages(ctx context.Context, ids []string) (map[string]catalog.ImageVersion, error)
	SaveFingerprints(ctx context.Context, list []catalog.Fingerprint) error
}

// Report counts the images of a run: Images = Saved + Unchanged + Skipped + Unmatched + Repeated.
type Report struct {
	Images int `json:"images"`
	Saved  int `json:"saved"`
	// Unchanged images have the size and the time with which their fingerprints were computed.
	Unchanged int `json:"unchanged"`
	// Skipped images cannot be used. Problems describes the first thousand.
	Skipped int `json:"skipped"`
	// Unmatched images have no card in the catalogue.
	Unmatched int `json:"unmatched"`
	// Repeated images are smaller ones of a card that has several.
	Repeated int       `json:"repeated"`
	Problems []Problem `json:"problems"`
}

// Problem says why an image was skipped.
type Problem struct {
	File    string `json:"file"` // its path in the folder
	Message string `json:"message"`
}

const (
	// batchSize is the number of fingerprints that are stored together. They are lost if the run ends in between; an
	// image takes about 20 ms.
	batchSize = 100
	// matchSize is the number of images whose cards are looked up together.
	matchSize = 2000
	// maxProblems is the maximum number of problems of a report.
	maxProblems = 1000
)

// Fingerprint computes and stores the fingerprints of the pictures in a folder, with all processors. It returns
// invalid_request if no file of the folder is named by a card of the catalogue. If a run fails, its report counts the
// stored fingerprints. progress may be nil; it is called with the number of finished images and their total.
func Fingerprint(
	ctx context.Context, catalogue Catalogue, folder string, progress func(done, total int),
) (Report, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	files, err := find(folder)
	if err != nil {
		return Report{}, fault.New(fault.InvalidRequest, "%s cannot be read: %v", folder, err)
	}
	report := Report{Images: len(files), Problems: []Problem{}}
	todo, err := match(ctx, catalogue, files, &report)
	if err != nil {
		return Report{}, fmt.Errorf("fingerprint pictures: %w", err)
	}
	if report.Unmatched == len(files) {
		return Report{}, fault.New(fault.InvalidRequest,
			"%s has no JPEG, PNG or WebP file that is named by the id of a card in the catalogue", folder)
	}
	total, at := len(todo)+report.Unchanged, report.Unchanged
	progress(at, total)
	for batch := range slices.Chunk(todo, batchSize) {
		fingerprints, problems, err := fingerprintAll(ctx, batch)
		if err == nil {
			err = catalogue.SaveFingerprints(ctx, fingerprints)
		}
		if err != nil {
			return report, fmt.Errorf("fingerprint pictures: %w", err)
		}
		report.add(len(fingerprints), problems)
		at += len(batch)
		progress(at, total)
	}
	return report, nil
}

// add counts a batch.
func (r *Report) add(count int, problems []Problem) {
	r.Saved += count
	r.Skipped += len(problems)
	r.Problems = append(r.Problems, problems[:min(len(problems), maxProblems-len(r.Problems))]...)
}

// match sets the cards of the files, and returns the files whose fingerprints are to be computed, in order. If a card
// has several files, it returns the largest.
func match(ctx context.Context, catalogue Catalogue, files []file, report *Report) ([]file, error) {
	best := map[string]file{}
	versions := map[string]catalog.ImageVersion{}
	for some := range slices.Chunk(files, matchSize) {
		var ids []string
		for _, f := range some {
			ids = append(ids, f.ids...)
		}
		images, err := catalogue.FingerprintImages(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, f := range some {
			at := slices.IndexFunc(f.ids, func(id string) bool { _, ok := images[id]; return ok })
			if at < 0 {
				report.Unmatched++
				continue
			}
			f.card = f.ids[at]
			other, repeated := best[f.card]
			if repeated {
				report.Repeated++
			}
			if !repeated || f.version.Size > other.version.Size {
				best[f.card], versions[f.card] = f, images[f.card]
			}
		}
	}
	var todo []file
	for _, f := range files {
		for _, id := range f.ids {
			if best[id].path == f.path && best[id].version != versions[id] {
				f.card = id
				todo = append(todo, f)
			}
		}
	}
	report.Unchanged = len(best) - len(todo)
	return todo, nil
}

// fingerprintAll computes the fingerprints of the files, as many at once as there are processors. The results have the
// order of the files.
func fingerprintAll(ctx context.Context, files []file) ([]catalog.Fingerprint, []Problem, error) {
	hashes, failures := make([][64]byte, len(files)), make([]error, len(files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			hashes[i], failures[i] = fingerprint(f.path)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	var fingerprints []catalog.Fingerprint
	var problems []Problem
	for i, f := range files {
		if failures[i] != nil {
			problems = append(problems, Problem{f.name, message(failures[i])})
			continue
		}
		fingerprints = append(fingerprints, catalog.Fingerprint{CardID: f.card, Hash: hashes[i], Image: f.version})
	}
	return fingerprints, problems, nil
}

// message returns the reason for which a file is skipped.
func message(err error) string {
	if f, ok := fault.As(err); ok {
		return f.Message
	}
	if pathErr, ok := errors.AsType[*os.PathError](err); ok {
		return "it cannot be read: " + pathErr.Err.Error()
	}
	first, _, _ := strings.Cut(err.Error(), "\n") // a panic has a stack
	return first
}
