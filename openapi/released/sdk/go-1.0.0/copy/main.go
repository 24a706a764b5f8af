// Command copy keeps a copy of the inventory with version 1.0.0 of the Go client, which knows nothing of deletions: it
// follows the cards with the client, and the deletions with plain requests, as the guide says.
//
//	API=http://127.0.0.1:8080/api TOKEN=cv_test_… copy
//
// It reads commands, one a line: "cards" and "deletions" read all pages of the one list or the other. After each it prints
// the versions of the cards in its copy as JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "copy:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	client, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"))
	if err != nil {
		return err
	}
	copied, changes := map[string]int64{}, client.Changes(time.Time{}, nil)
	deleted := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339Nano)
	for commands := bufio.NewScanner(os.Stdin); commands.Scan(); {
		switch commands.Text() {
		case "cards":
			for card, err := range changes.Once(ctx) {
				if err != nil {
					return err
				}
				copied[card.ID] = max(copied[card.ID], card.Version)
			}
		case "deletions":
			if deleted, err = readDeletions(deleted, copied); err != nil {
				return err
			}
		}
		if err := json.NewEncoder(os.Stdout).Encode(copied); err != nil {
			return err
		}
	}
	return nil
}

// readDeletions removes the cards that were deleted since a time, and returns the time of the last one.
func readDeletions(since string, copied map[string]int64) (last string, err error) {
	last = since
	for query := (url.Values{"updated_since": {since}}); ; {
		request, err := http.NewRequest("GET", os.Getenv("API")+"/deletions?"+query.Encode(), nil)
		if err != nil {
			return "", err
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return "", err
		}
		var page struct {
			Data []struct {
				CardID    string `json:"card_id"`
				DeletedAt string `json:"deleted_at"`
			} `json:"data"`
			NextCursor *string `json:"next_cursor"`
		}
		err = json.NewDecoder(response.Body).Decode(&page)
		response.Body.Close()
		if err != nil {
			return "", err
		}
		for _, deletion := range page.Data {
			delete(copied, deletion.CardID)
			last = deletion.DeletedAt
		}
		if page.NextCursor == nil {
			return last, nil
		}
		query.Set("cursor", *page.NextCursor)
	}
}
