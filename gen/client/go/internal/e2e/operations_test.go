//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

func newClient(t *testing.T) *cardvault.Client {
	t.Helper()
	client, err := cardvault.New(os.Getenv("API"), os.Getenv("TOKEN"))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// seller uses the operations on a batch and a card of its own, one after the other, as a seller would.
type seller struct {
	*cardvault.Client
	t       *testing.T
	ctx     context.Context
	batch   *cardvault.Batch
	card    *cardvault.Card
	listing *cardvault.Listing
	event   string
}

// step is one call of an operation that must succeed and have a visible effect.
type step struct {
	operation string
	use       func(*seller) error
}

// want returns an error with the result of a step unless the condition holds.
func want(holds bool, format string, values ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf("got "+format, values...)
}

var batchSteps = []step{
	{"createBatch", func(s *seller) (err error) {
		s.batch, err = s.CreateBatch(s.ctx, cardvault.BatchInput{Name: s.t.Name()})
		return err
	}},
	{"createCards", func(s *seller) error {
		made, err := s.CreateCards(s.ctx, cardvault.CardsInput{Cards: []cardvault.CardInput{{
			BatchID: s.batch.ID, Identification: cardvault.IdentificationInput{Title: "Ember Fox", Year: 2026},
		}}})
		if err != nil {
			return err
		}
		s.card = &made.Data[0]
		recent := time.Since(s.card.CreatedAt) < time.Hour
		return want(*s.card.Title == "Ember Fox" && *s.card.Identification.Year == 2026 && recent, "%+v", s.card)
	}},
	{"listBatchCards", func(s *seller) error {
		page, err := s.ListBatchCards(s.ctx, s.batch.ID, &cardvault.ListBatchCardsParams{Q: "ember fox"})
		if err != nil {
			return err
		}
		return want(len(page.Data) == 1 && page.Data[0].ID == s.card.ID, "%+v", page)
	}},
	{"completeBatch", func(s *seller) error {
		batch, err := s.CompleteBatch(s.ctx, s.batch.ID)
		if err != nil {
			return err
		}
		return want(batch.Status == cardvault.BatchStatusComplete && batch.CompletedAt != nil, "%+v", batch)
	}},
	{"reopenBatch", func(s *seller) error {
		batch, err := s.ReopenBatch(s.ctx, s.batch.ID)
		if err != nil {
			return err
		}
		return want(batch.Status == cardvault.BatchStatusOpen, "%+v", batch)
	}},
	{"getBatch", func(s *seller) error {
		batch, err := s.GetBatch(s.ctx, s.batch.ID)
		if err != nil {
			return err
		}
		return want(batch.CardCount == 1, "%+v", batch)
	}},
	{"listBatches", func(s *seller) error {
		page, err := s.ListBatches(s.ctx, &cardvault.ListBatchesParams{Limit: 1, Status: cardvault.BatchStatusOpen})
		if err != nil {
			return err
		}
		return want(page.Data[0].ID == s.batch.ID, "%+v", page)
	}},
}

var cardSteps = []step{
	{"putCardPhoto", func(s *seller) (err error) {
		s.card, err = s.PutCardPhoto(s.ctx, s.card.ID, cardvault.PhotoRoleBack, picture(s.t))
		if err != nil {
			return err
		}
		return want(len(s.card.Photos) == 1 && *s.card.Photos[0].Width == 400, "%+v", s.card)
	}},
	{"deleteCardPhoto", func(s *seller) error {
		if err := s.DeleteCardPhoto(s.ctx, s.card.ID, s.card.Photos[0].ID); err != nil {
			return err
		}
		_, err := s.PutCardPhoto(s.ctx, s.card.ID, cardvault.PhotoRoleFront, picture(s.t))
		return err
	}},
	{"updateCard", func(s *seller) (err error) {
		price := cardvault.Money{Amount: 450, Currency: cardvault.CurrencyUSD}
		s.card, err = s.UpdateCard(s.ctx, s.card.ID, cardvault.CardPatch{
			Pricing:        cardvault.PricingPatch{AskingPrice: cardvault.Set(price)},
			Identification: cardvault.IdentificationPatch{Year: cardvault.Clear[int32]()},
		})
		if err != nil {
			return err
		}
		return want(*s.card.Pricing.AskingPrice == price && s.card.Identification.Year == nil, "%+v", s.card)
	}},
	{"getCard", func(s *seller) error {
		var response cardvault.Response
		card, err := s.GetCard(s.ctx, s.card.ID, cardvault.WithResponse(&response))
		if err != nil {
			return err
		}
		_, err = s.GetCard(s.ctx, s.card.ID, cardvault.IfNoneMatch(response.ETag))
		return want(card.Version == s.card.Version && errors.Is(err, cardvault.ErrNotModified), "%+v, %v", card, err)
	}},
	{"listCards", func(s *seller) error {
		page, err := s.ListCards(s.ctx, &cardvault.ListCardsParams{Batch: s.batch.ID, UpdatedSince: s.card.UpdatedAt})
		if err != nil {
			return err
		}
		return want(len(page.Data) == 1 && page.Data[0].UpdatedAt.Equal(s.card.UpdatedAt), "%+v", page)
	}},
	{"identify", func(s *seller) error {
		outcome, err := s.Identify(s.ctx, cardvault.IdentifyRequest{CardID: s.card.ID})
		if err != nil {
			return err
		}
		return want(outcome.Outcome == cardvault.OutcomeFailed && len(outcome.Attempts) > 0, "%+v", outcome)
	}},
	{"lookupPrice", func(s *seller) error {
		unknown := cardvault.PriceLookupRequest{Card: cardvault.PriceLookupCard{Title: "No such card"}}
		if _, err := s.LookupPrice(s.ctx, unknown); !errors.Is(err, cardvault.CodeNoPriceFound) {
			return fmt.Errorf("the price of an unknown card: got %v, want %s", err, cardvault.CodeNoPriceFound)
		}
		identified := []cardvault.WorkflowStatus{cardvault.WorkflowStatusIdentified}
		known := anyCard(s, &cardvault.ListCardsParams{Set: "Emberfall", Status: identified})
		found, err := s.LookupPrice(s.ctx, cardvault.PriceLookupRequest{CardID: known})
		if err != nil {
			return err
		}
		return want(found.Price.Amount > 0, "%+v", found)
	}},
}

var listingSteps = []step{
	{"publishCard", func(s *seller) (err error) {
		s.listing, err = s.PublishCard(s.ctx, s.card.ID, nil)
		if err != nil {
			return err
		}
		return want(s.listing.Price.Amount == 450, "%+v", s.listing)
	}},
	{"getListing", func(s *seller) error { return awaitStatus(s, cardvault.ListingStatusLive) }},
	{"endListing", func(s *seller) error {
		if _, err := s.EndListing(s.ctx, s.listing.ID); err != nil {
			return err
		}
		return awaitStatus(s, cardvault.ListingStatusEnded)
	}},
	{"listListings", func(s *seller) error {
		page, err := s.ListListings(s.ctx, &cardvault.ListListingsParams{Card: s.card.ID})
		if err != nil {
			return err
		}
		return want(len(page.Data) == 1 && *page.Data[0].EndReason == "ended_by_seller", "%+v", page)
	}},
	{"listEvents", func(s *seller) error {
		page, err := s.ListEvents(s.ctx, &cardvault.ListEventsParams{
			Event: []cardvault.EventKind{cardvault.EventKindListingEnded}, CreatedSince: s.card.CreatedAt,
		})
		if err != nil {
			return err
		}
		if len(page.Data) != 1 {
			return want(false, "%+v", page)
		}
		s.event = page.Data[0].ID
		data, ok := page.Data[0].Data.(cardvault.ListingEndedData)
		return want(ok && data.CardID == s.card.ID && data.EndReason == "ended_by_seller", "%+v", page.Data[0])
	}},
	{"getEvent", func(s *seller) error {
		event, err := s.GetEvent(s.ctx, s.event)
		if err != nil {
			return err
		}
		return want(event.AccountID == os.Getenv("ACCOUNT"), "%+v", event)
	}},
}

func TestEveryOperation(t *testing.T) {
	steps := slices.Concat(batchSteps, cardSteps, listingSteps)
	var used []string
	for _, step := range steps {
		used = append(used, step.operation)
	}
	if slices.Sort(used); !slices.Equal(used, operations(t)) {
		t.Errorf("the steps use  %v\nthe contract has %v", used, operations(t))
	}
	s := &seller{Client: newClient(t), t: t, ctx: t.Context()}
	for _, step := range steps {
		if err := step.use(s); err != nil {
			t.Fatalf("%s: %v", step.operation, err)
		}
	}
}

// operations returns the operations of the contract. Webhooks, whose operationId begins with on, are not among them.
func operations(t *testing.T) []string {
	t.Helper()
	contract, err := os.ReadFile(filepath.Join(repository, "openapi/v1.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, match := range regexp.MustCompile(`(?m)^      operationId: (\w+)$`).FindAllSubmatch(contract, -1) {
		if name := string(match[1]); !regexp.MustCompile(`^on[A-Z]`).MatchString(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names) // links repeat the names
}

// picture returns a JPEG that shows no card.
func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 400, 560)), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// anyCard returns the identifier of a card that matches the filters.
func anyCard(s *seller, params *cardvault.ListCardsParams) string {
	s.t.Helper()
	for card, err := range s.Cards(s.ctx, params) {
		if err != nil {
			s.t.Fatal(err)
		}
		return card.ID
	}
	s.t.Fatalf("the sandbox account has no card for %+v", params)
	return ""
}

// awaitStatus polls the listing until it has the status, for at most 30 seconds.
func awaitStatus(s *seller, status cardvault.ListingStatus) error {
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(30 * time.Second); ; {
		listing, err := s.GetListing(s.ctx, s.listing.ID)
		if err != nil || listing.Status == status {
			return err
		}
		select {
		case <-deadline:
			return fmt.Errorf("the listing is still %s, want %s", listing.Status, status)
		case <-poll.C:
		}
	}
}
