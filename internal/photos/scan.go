package photos

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Scan is a batch of front and back photos of new cards.
type Scan struct {
	// Card has the values that all the cards get.
	Card    cards.Draft
	Pairing Pairing // "" is PairNone
	// Many is true if each photo may show several cards, which are cut out of it. It excludes pairs.
	Many   bool
	Photos []ScanPhoto
}

// ScanPhoto is a photo of a scan. Its content is read when the photo is stored.
type ScanPhoto struct {
	Name    string // of the file
	Content io.Reader
}

// ScanResult is a card of one or two photos, or the error of a photo.
type ScanResult struct {
	Names []string // of the files, the front first
	Card  cards.Card
	Err   error // a *cards.ItemError with the index of the photo
}

// Scan stores the photos one after the other, creates the cards in one transaction, and returns a result per card.
// Cards have the order of their first photos. Cards on one photo are ordered from top to bottom and left to right. An
// invalid photo refuses its card only. Scan calls hook in the transaction. If hook fails, Scan creates nothing.
func (s *Service) Scan(
	ctx context.Context, accountID string, scan Scan, hook postgres.TxHook,
) ([]ScanResult, error) {
	pairs, err := pairPhotos(scan.names(), scan.Pairing)
	if err == nil {
		err = scan.checkMany()
	}
	if err != nil {
		return nil, err
	}
	if err := s.cards.CheckDraft(ctx, accountID, scan.Card); err != nil { // before the photos are stored
		return nil, err
	}
	results, drafts, err := s.keepScan(ctx, accountID, scan, pairs)
	if err != nil {
		s.discardDrafts(ctx, accountID, drafts)
		return nil, err
	}
	list, err := s.createScanned(ctx, accountID, drafts, hook)
	if err != nil {
		return nil, err
	}
	for i := range results {
		if results[i].Err == nil {
			results[i].Card, list = list[0], list[1:]
		}
	}
	return results, nil
}

// names returns the names of the photos.
func (s Scan) names() []string {
	names := make([]string, len(s.Photos))
	for i, photo := range s.Photos {
		names[i] = photo.Name
	}
	return names
}

// keepScan stores the photos card by card and returns a draft for each result without an error.
func (s *Service) keepScan(
	ctx context.Context, accountID string, scan Scan, pairs [][]int,
) (results []ScanResult, drafts []cards.Draft, err error) {
	for _, pair := range pairs {
		var result ScanResult
		for _, index := range pair {
			result.Names = append(result.Names, scan.Photos[index].Name)
		}
		photos, err := s.keepCards(ctx, accountID, scan, pair)
		if item, refused := errors.AsType[*cards.ItemError](err); refused {
			results = append(results, ScanResult{Names: result.Names, Err: item})
			continue
		}
		if err != nil {
			return nil, drafts, err
		}
		for _, photo := range photos {
			draft := scan.Card
			draft.Stored = photo
			drafts, results = append(drafts, draft), append(results, result)
		}
	}
	return results, drafts, nil
}

// keepCards stores the photos of the card on one or two photos, or the cards on a photo of many.
func (s *Service) keepCards(
	ctx context.Context, accountID string, scan Scan, pair []int,
) (photos [][]cards.Photo, err error) {
	if scan.Many {
		return s.keepMany(ctx, accountID, scan.Photos, pair[0])
	}
	list, err := s.keepSides(ctx, accountID, scan.Photos, pair)
	return [][]cards.Photo{list}, err
}

// keepSides stores the photos of a card. If a photo is invalid, it stores none and returns a *cards.ItemError.
func (s *Service) keepSides(
	ctx context.Context, accountID string, photos []ScanPhoto, pair []int,
) (stored []cards.Photo, err error) {
	roles := [...]cards.Role{cards.RoleFront, cards.RoleBack}
	for side, index := range pair {
		photo, err := s.Keep(ctx, accountID, roles[side], photos[index].Content)
		if err != nil {
			s.RemoveImages(ctx, accountID, stored)
			if fault.Is(err, fault.PhotoInvalid) {
				err = &cards.ItemError{Index: index, Err: err}
			}
			return nil, err
		}
		stored = append(stored, photo)
	}
	return stored, nil
}

// createScanned creates the cards of stored photos, and removes the photos if the cards were refused.
func (s *Service) createScanned(
	ctx context.Context, accountID string, drafts []cards.Draft, hook postgres.TxHook,
) ([]cards.Card, error) {
	if len(drafts) == 0 {
		return nil, nil
	}
	list, err := s.cards.Create(ctx, accountID, drafts, hook)
	// The commit may have succeeded although it returned an error, so the photos must stay.
	if refusal, ok := fault.As(err); ok && refusal.Status() < http.StatusInternalServerError {
		s.discardDrafts(ctx, accountID, drafts)
	}
	return list, err
}

// discardDrafts removes the photos of cards that were not created.
func (s *Service) discardDrafts(ctx context.Context, accountID string, drafts []cards.Draft) {
	for _, draft := range drafts {
		s.RemoveImages(ctx, accountID, draft.Stored)
	}
}
