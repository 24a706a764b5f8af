package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// extensions are the extensions of photos that the service takes.
var extensions = []string{".jpg", ".jpeg", ".png", ".webp", ".heic", ".avif"}

const (
	maxPhotos = 20 // of one request
	// cardsFile is the name of the file in the folder that has the cards of the photos, by the photos' checksums.
	cardsFile = "cards.json"
)

// photo is a photo in the folder.
type photo struct{ path, name, checksum string }

// scan makes a card from every photo in the folder that has none.
func (s *scanner) scan(ctx context.Context) error {
	photos, err := readFolder(s.folder)
	if err != nil {
		return err
	}
	cards, err := readCards(s.folder)
	if err != nil {
		return err
	}
	var added []photo
	for _, p := range photos {
		if card, found := cards[p.checksum]; found {
			s.files[card] = p.name
		} else {
			added = append(added, p)
		}
	}
	for part := range slices.Chunk(added, maxPhotos) {
		if err := s.send(ctx, part, cards); err != nil {
			return err
		}
		if err := saveCards(s.folder, cards); err != nil {
			return err
		}
	}
	return nil
}

// send makes cards of the photos. After a crash, the service recognizes the same photos by the idempotency key and
// makes no further cards.
func (s *scanner) send(ctx context.Context, photos []photo, cards map[string]string) error {
	var input cardvault.ScanInput
	checksums, key := map[string]string{}, sha256.New()
	for _, p := range photos {
		input.Photos = append(input.Photos, cardvault.PhotoFile(p.path))
		checksums[p.name] = p.checksum
		fmt.Fprintln(key, p.name, p.checksum)
	}
	scanned, err := s.client.ScanCards(ctx, input, cardvault.WithIdempotencyKey(fmt.Sprintf("scan-%x", key.Sum(nil))))
	if err != nil {
		return err
	}
	for _, result := range scanned.Data {
		name := result.Files[0]
		if result.Error != nil {
			s.fail(name, result.Error.Message)
			continue
		}
		s.files[result.Card.ID] = name
		cards[checksums[name]] = result.Card.ID
	}
	return nil
}

// readFolder returns the photos in the folder, and each photo once.
func readFolder(folder string) ([]photo, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var photos []photo
	found := map[string]bool{}
	for _, entry := range entries {
		if !slices.Contains(extensions, strings.ToLower(filepath.Ext(entry.Name()))) {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		checksum := fmt.Sprintf("%x", sha256.Sum256(content))
		if !found[checksum] {
			found[checksum] = true
			photos = append(photos, photo{path, entry.Name(), checksum})
		}
	}
	if len(photos) == 0 {
		return nil, fmt.Errorf("%s has no photos: they end in %s", folder, strings.Join(extensions, ", "))
	}
	return photos, nil
}

// readCards returns the cards of earlier runs, by the checksums of their photos.
func readCards(folder string) (map[string]string, error) {
	cards := map[string]string{}
	text, err := os.ReadFile(filepath.Join(folder, cardsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return cards, nil
	}
	if err != nil {
		return nil, err
	}
	return cards, json.Unmarshal(text, &cards)
}

func saveCards(folder string, cards map[string]string) error {
	text, err := json.MarshalIndent(cards, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, cardsFile), text, 0o600)
}
