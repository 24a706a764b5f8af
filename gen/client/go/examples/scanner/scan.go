package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// extensions are those of the photos that the service takes.
var extensions = []string{".jpg", ".jpeg", ".png", ".webp"}

// scan makes a card of each photo in the folder, and returns the names of the photos by card. The external id of a card
// is the checksum of its photo, so that the same photo does not make another card.
func scan(ctx context.Context, client *cardvault.Client, folder string) (map[string]string, error) {
	photos, err := readFolder(folder)
	if err != nil {
		return nil, err
	}
	var inputs []cardvault.CardInput
	for externalID := range photos {
		inputs = append(inputs, cardvault.CardInput{ExternalID: externalID})
	}
	files := map[string]string{}
	for part := range slices.Chunk(inputs, 500) {
		made, err := client.CreateCards(ctx, cardvault.CardsInput{
			Cards: part, OnConflict: cardvault.CardsInputOnConflictSkip,
		})
		if err != nil {
			return nil, err
		}
		for _, card := range made.Data {
			path := photos[*card.ExternalID]
			files[card.ID] = filepath.Base(path)
			if len(card.Photos) > 0 {
				continue
			}
			photo, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			if _, err := client.PutCardPhoto(ctx, card.ID, cardvault.PhotoRoleFront, photo); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return files, nil
}

// readFolder returns the paths of the photos by external id.
func readFolder(folder string) (map[string]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	photos := map[string]string{}
	for _, entry := range entries {
		if !slices.Contains(extensions, strings.ToLower(filepath.Ext(entry.Name()))) {
			continue
		}
		path := filepath.Join(folder, entry.Name())
		photo, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		photos[fmt.Sprintf("photo-%x", sha256.Sum256(photo))] = path
	}
	if len(photos) == 0 {
		return nil, fmt.Errorf("%s has no photos: they end in %s", folder, strings.Join(extensions, ", "))
	}
	return photos, nil
}
