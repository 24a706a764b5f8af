// Command mirror keeps a copy of an inventory in a file: its cards, listings and sales.
//
//	API=https://vault.example/api TOKEN=cv_… go run ./examples/mirror --file inventory.jsonl
//
// The first run copies everything. Each later run copies only what has changed since, and removes the cards that were
// deleted. If a run is interrupted, the next one continues it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

func main() {
	path := flag.String("file", "inventory.jsonl", "the file with the copy")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "usage: mirror [--file FILE]\n\n"+
			"Copies the inventory of API and TOKEN to a file, or what has changed since the last run.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	client, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "mirror: set API and TOKEN:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := mirror(ctx, client, *path); err != nil {
		fmt.Fprintln(os.Stderr, "mirror:", err)
		os.Exit(1)
	}
}

// mirror makes one pass over all feeds.
func mirror(ctx context.Context, client *cardvault.Client, path string) error {
	began := time.Now()
	s, err := open(path, began)
	if err != nil {
		return err
	}
	defer s.file.Close()
	if err := follow(ctx, s, cards, client.Changes(s.since[cards], nil), cardKey); err != nil {
		return err
	}
	// After the cards, so that a card that is deleted while they are read is removed again.
	if err := forget(ctx, s, client.DeletionChanges(s.since[deletions], nil)); err != nil {
		return err
	}
	if err := follow(ctx, s, listings, client.ListingChanges(s.since[listings], nil), listingKey); err != nil {
		return err
	}
	if err := follow(ctx, s, sales, client.SaleChanges(s.since[sales], nil), saleKey); err != nil {
		return err
	}
	fmt.Printf("in all: %d cards, %d listings, %d sales\n",
		len(s.items[cards]), len(s.items[listings]), len(s.items[sales]))
	return s.add(record{Feed: passes, At: began})
}

func cardKey(c cardvault.Card) (string, time.Time)       { return c.ID, c.UpdatedAt }
func listingKey(l cardvault.Listing) (string, time.Time) { return l.ID, l.UpdatedAt }
func saleKey(s cardvault.Sale) (string, time.Time)       { return s.ID, s.UpdatedAt }

// follow copies the items that have changed, and prints how many. key returns the identifier of an item and the time of
// its change.
func follow[T any](
	ctx context.Context, s *store, feed string, changes *cardvault.Feed[T], key func(T) (string, time.Time),
) error {
	added, changed := 0, 0
	for item, err := range changes.Once(ctx) {
		if err != nil {
			return err
		}
		id, at := key(item)
		old, known := s.items[feed][id]
		if known && old.At.Equal(at) {
			continue // a feed begins with the last change that is already in the copy
		}
		text, err := json.Marshal(item)
		if err != nil {
			return err
		}
		if err := s.add(record{Feed: feed, ID: id, At: at, Item: text}); err != nil {
			return err
		}
		if known {
			changed++
		} else {
			added++
		}
	}
	fmt.Printf("%s: %d new, %d changed\n", feed, added, changed)
	return nil
}

// forget removes the cards that were deleted, and prints how many.
func forget(ctx context.Context, s *store, changes *cardvault.Feed[cardvault.Deletion]) error {
	before := len(s.items[cards])
	for deletion, err := range changes.Once(ctx) {
		if err != nil {
			return err
		}
		if err := s.add(record{Feed: deletions, ID: deletion.CardID, At: deletion.DeletedAt}); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d deleted\n", cards, before-len(s.items[cards]))
	return nil
}
