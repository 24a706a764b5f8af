// Command shop is a program that a customer has built with version 1.0.0 of the Go client. The client in client/ is kept
// as it was then, and so is this program: it must work with every later server of v1.
//
// It does what a shop does, from buying a card to taking it from the market, by every operation that 1.0.0 had:
//
//	API=http://127.0.0.1:8080/api TOKEN=cv_test_… shop card.jpg
//	SECRET=whsec_… shop receive <deliveries.json
//
// and prints what it understood of the answers, or of deliveries to its webhook, as JSON. It dispatches on nothing that a later server may add to: it keeps
// values that it does not know, and skips events of kinds that it does not know.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// patience is how long the shop waits for what happens in the background.
const patience = time.Minute

// shop is one run of the program.
type shop struct {
	api     *cardvault.Client
	picture []byte
	batch   string // the identifiers of what it has made
	card    string
	listing string
	report  report
}

// report is what the shop understood.
type report struct {
	Title       string                       `json:"title"`      // of the card, read back
	Status      cardvault.WorkflowStatus     `json:"status"`     // of the card, at the end
	Batch       cardvault.BatchStatus        `json:"batch"`      // its status once complete
	Outcome     cardvault.Outcome            `json:"outcome"`    // of the identification
	Basis       cardvault.PriceEstimateBasis `json:"basis"`      // of the estimate
	Market      cardvault.Marketplace        `json:"market"`     // of the listing
	Changed     int                          `json:"changed"`    // cards that polling told of
	Events      map[cardvault.EventKind]int  `json:"events"`     // of kinds that it knows
	Unknown     int                          `json:"unknown"`    // events of other kinds
	Refusals    []string                     `json:"refusals"`   // "404 card_not_found"
	Unmodified  bool                         `json:"unmodified"` // whether a second read said that nothing has changed
	WasReplayed bool                         `json:"replayed"`   // whether a repeated POST was answered as before
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	defer cancel()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	if os.Args[1] == "receive" {
		return receive(os.Stdin, os.Stdout, os.Getenv("SECRET"))
	}
	picture, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	client, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"))
	if err != nil {
		return err
	}
	s := &shop{api: client, picture: picture, report: report{Events: map[cardvault.EventKind]int{}}}
	for _, day := range []func(context.Context) error{s.buy, s.sort, s.describe, s.sell, s.follow, s.mistake} {
		if err := day(ctx); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(s.report)
}

// find returns an error unless the wanted identifier is among what a list holds.
func find[T any](list func(yield func(T, error) bool), wanted string, id func(T) string) error {
	for item, err := range list {
		if err != nil {
			return err
		}
		if id(item) == wanted {
			return nil
		}
	}
	return fmt.Errorf("%s is not in its list", wanted)
}
