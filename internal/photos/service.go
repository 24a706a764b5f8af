package photos

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Cards is the part of *cards.Service that Service uses. It stores the record of every photo.
type Cards interface {
	Get(ctx context.Context, accountID, cardID string) (cards.Card, error)
	CheckDraft(ctx context.Context, accountID string, draft cards.Draft) error
	Create(ctx context.Context, accountID string, list []cards.Draft, hook postgres.TxHook) (
		created []cards.Card, err error)
	PutPhoto(ctx context.Context, accountID, cardID string, photo cards.Photo) (
		card cards.Card, old *cards.Photo, err error)
	ReplacePhoto(ctx context.Context, accountID, cardID, photoID string, photo cards.Photo) (
		card cards.Card, old *cards.Photo, err error)
	DeletePhoto(ctx context.Context, accountID, cardID, photoID string) (count cards.Photo, err error)
	Delete(ctx context.Context, accountID, cardID string, match cards.Match) (deleted cards.Card, err error)
	FetchSource(ctx context.Context, claim queue.Claim) (source cards.FetchSource, wanted bool, err error)
	PhotoFetched(ctx context.Context, claim queue.Claim, cardID string, outcome cards.Photo) (used bool, err error)
}

// Service stores the photos of cards and updates the records of the cards.
type Service struct {
	cards   Cards
	store   Store
	fetcher *Fetcher
	clock   clock.Clock
	split   Split
}

// NewService returns a Service.
func NewService(cards Cards, store Store, fetcher *Fetcher, c clock.Clock) *Service {
	return &Service{cards: cards, store: store, fetcher: fetcher, clock: c}
}

// Put checks and stores the photo in body and makes it the card's photo of the role. It fails with
// photo_invalid for an invalid photo and payload_too_large for one over 15 MiB.
func (s *Service) Put(ctx context.Context, accountID, cardID string, role cards.Role,
	body io.Reader) (cards.Card, error) {
	card, err := s.cards.Get(ctx, accountID, cardID) // an unknown card fails before the body is read
	if err != nil {
		return cards.Card{}, err
	}
	photo, err := s.Keep(ctx, accountID, role, body)
	if err != nil {
		return cards.Card{}, err
	}
	updated, old, err := s.cards.PutPhoto(ctx, accountID, card.ID, photo)
	return updated, s.replace(ctx, accountID, photo, old, err)
}

// replace removes the image that is no longer needed after a change of the card: the replaced photo's image or, if the
// change failed with err, the new photo's image. It returns err.
func (s *Service) replace(
	ctx context.Context, accountID string, photo cards.Photo, old *cards.Photo, err error,
) error {
	if err == nil {
		s.remove(ctx, accountID, old)
		return nil
	}
	// The commit may have succeeded although it returned an error, so the photo must stay.
	if refusal, ok := fault.As(err); ok && refusal.Status() < http.StatusInternalServerError {
		s.remove(ctx, accountID, &photo)
	}
	return err
}

// Keep checks and stores a photo for a card that does not exist yet and returns its record. The caller must
// call Discard if no card gets the photo.
func (s *Service) Keep(ctx context.Context, accountID string, role cards.Role, body io.Reader) (cards.Photo, error) {
	data, info, err := Read(ctx, accountID, body)
	if err != nil {
		return cards.Photo{}, err
	}
	return s.keep(ctx, accountID, role, data, info)
}

// keep stores a checked photo and returns its record.
func (s *Service) keep(
	ctx context.Context, accountID string, role cards.Role, data []byte, info Info,
) (cards.Photo, error) {
	photo := record(id.New(id.Photo, s.clock.Time()), info)
	photo.Role = role
	if err := s.store.Put(ctx, Key(accountID, photo.ID, photo.ContentType), photo.ContentType, data); err != nil {
		return cards.Photo{}, err
	}
	return photo, nil
}

// Discard removes a photo that Keep stored and no card refers to.
func (s *Service) Discard(ctx context.Context, accountID string, photo cards.Photo) {
	s.remove(ctx, accountID, &photo)
}

// Delete removes a photo from the card and from the store.
func (s *Service) Delete(ctx context.Context, accountID, cardID, photoID string) error {
	photo, err := s.cards.DeletePhoto(ctx, accountID, cardID, photoID)
	if err != nil {
		return err
	}
	s.remove(ctx, accountID, &photo)
	return nil
}

// DeleteCard deletes a card and the images of its photos.
func (s *Service) DeleteCard(ctx context.Context, accountID, cardID string, match cards.Match) error {
	card, err := s.cards.Delete(ctx, accountID, cardID, match)
	if err != nil {
		return err
	}
	s.RemoveImages(ctx, accountID, card.Photos)
	return nil
}

// RemoveImages deletes the images of photos that no card refers to. If it fails to delete an image, the Collector
// deletes it later.
func (s *Service) RemoveImages(ctx context.Context, accountID string, photos []cards.Photo) {
	for i := range photos {
		s.remove(ctx, accountID, &photos[i])
	}
}

// Load returns the bytes of a card's photo.
func (s *Service) Load(ctx context.Context, accountID string, photo cards.Photo) ([]byte, error) {
	r, _, err := s.store.Get(ctx, Key(accountID, photo.ID, photo.ContentType))
	if err != nil {
		return nil, fmt.Errorf("load photo: %w", err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes))
	if err != nil {
		return nil, fmt.Errorf("load photo: %w", err)
	}
	return data, nil
}

// Size returns the size of a photo's image in bytes, or photo_not_found.
func (s *Service) Size(ctx context.Context, accountID string, photo cards.Photo) (int64, error) {
	image, meta, err := s.store.Get(ctx, Key(accountID, photo.ID, photo.ContentType))
	if err != nil {
		return 0, err
	}
	return meta.Size, image.Close()
}

// Fetch fetches and checks the photo at a public URL for an account and returns its bytes and media type.
func (s *Service) Fetch(ctx context.Context, accountID, url string) (data []byte, contentType string, err error) {
	data, info, err := s.fetcher.Fetch(ctx, accountID, url)
	return data, info.ContentType, err
}

// remove deletes a photo that no card refers to. A failure is only logged, because the Collector deletes the
// photo later.
func (s *Service) remove(ctx context.Context, accountID string, photo *cards.Photo) {
	if photo == nil || photo.Status != cards.PhotoReady {
		return
	}
	if err := s.store.Delete(context.WithoutCancel(ctx), Key(accountID, photo.ID, photo.ContentType)); err != nil {
		slog.WarnContext(ctx, "photo not deleted", "photo_id", photo.ID, "error", err)
	}
}

// record returns the record of a checked photo.
func record(photoID string, info Info) cards.Photo {
	return cards.Photo{
		ID: photoID, Status: cards.PhotoReady, ContentType: info.ContentType, Width: info.Width, Height: info.Height,
		Size: info.Size,
	}
}
