// Command repricer lowers the prices of cards that have been listed for a while.
//
//	API=https://vault.example/api TOKEN=cv_… go run ./examples/repricer --days 30 --percent 5 --margin 10
//
// It lowers the price of a card by 5 % if the card has been listed at this price for 30 days, but not below its cost
// and 10 %. Without --apply it only prints what it would change. 5,000 prices take 10 write requests.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// rule says which prices to lower.
type rule struct {
	unchangedSince time.Time // for cards that have been listed at their price since then
	percent        int64     // by how much
	margin         int64     // the minimum profit, in percent of the cost
}

func main() {
	days := flag.Int("days", 30, "lower the prices of cards that have been listed for so many days at the same price")
	percent := flag.Int64("percent", 5, "by so many percent, from 1 to 99")
	margin := flag.Int64("margin", 10, "but not below the cost of the card and so many percent, from 0 to 1000")
	apply := flag.Bool("apply", false, "change the prices instead of only printing the changes")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), "usage: repricer [--days N] [--percent N] [--margin N] [--apply]\n\n"+
			"Lowers the prices of cards of the account of API and TOKEN that have been listed for a while.\n\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 || *days < 0 || *percent < 1 || *percent > 99 || *margin < 0 || *margin > 1000 {
		flag.Usage()
		os.Exit(2)
	}
	client, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "repricer: set API and TOKEN:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := reprice(ctx, client, rule{time.Now().AddDate(0, 0, -*days), *percent, *margin}, *apply); err != nil {
		fmt.Fprintln(os.Stderr, "repricer:", err)
		os.Exit(1)
	}
}

// reprice prints the new prices and, with apply, sets them.
func reprice(ctx context.Context, client *cardvault.Client, rule rule, apply bool) error {
	updates, err := newPrices(ctx, client, rule)
	if err != nil {
		return err
	}
	if !apply {
		fmt.Println(len(updates), "prices to change: run it again with --apply")
		return nil
	}
	changed := 0
	for result, err := range client.BulkUpdate(ctx, updates) {
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s keeps its price: %v\n", result.ID, err)
			continue
		}
		changed++
	}
	fmt.Println(changed, "prices changed")
	if changed < len(updates) {
		return errors.New("some prices could not be changed: run it again")
	}
	return nil
}

// newPrices returns the changes of the prices to lower, and prints them.
func newPrices(ctx context.Context, client *cardvault.Client, rule rule) ([]cardvault.CardUpdate, error) {
	published := map[string]time.Time{} // by card
	live := []cardvault.ListingStatus{cardvault.ListingStatusLive}
	for listing, err := range client.Listings(ctx, &cardvault.ListListingsParams{Status: live, Limit: 200}) {
		if err != nil {
			return nil, err
		}
		published[listing.CardID] = *listing.PublishedAt
	}
	var updates []cardvault.CardUpdate
	listed := []cardvault.WorkflowStatus{cardvault.WorkflowStatusListed}
	for card, err := range client.Cards(ctx, &cardvault.ListCardsParams{Status: listed, Limit: 200}) {
		if err != nil {
			return nil, err
		}
		at, live := published[card.ID]
		price, cost := card.Pricing.AskingPrice, card.Pricing.Cost
		if !live || at.After(rule.unchangedSince) || card.Pricing.PricedAt.After(rule.unchangedSince) {
			continue
		}
		if cost == nil || cost.Currency != price.Currency {
			now := price.Decimal() + " " + string(price.Currency)
			fmt.Printf("%s %s: keeps %s, has no cost in %s\n", card.ID, *card.Title, now, price.Currency)
			continue
		}
		lower := rule.lower(*price, *cost)
		if lower.Amount >= price.Amount {
			continue
		}
		fmt.Printf("%s %s: %s to %s %s\n", card.ID, *card.Title, price.Decimal(), lower.Decimal(), price.Currency)
		updates = append(updates, cardvault.CardUpdate{
			ID:      card.ID,
			Version: card.Version, // a card that is changed in the meantime keeps its price
			Pricing: cardvault.PricingPatch{AskingPrice: cardvault.Set(lower)},
		})
	}
	return updates, nil
}

// lower returns the lower price. It calculates with whole minor units, such as cents, and rounds up.
func (r rule) lower(price, cost cardvault.Money) cardvault.Money {
	price.Amount = max(percentOf(price.Amount, 100-r.percent), percentOf(cost.Amount, 100+r.margin))
	return price
}

// percentOf returns a percentage of an amount, rounded up.
func percentOf(amount, percent int64) int64 { return (amount*percent + 99) / 100 }
