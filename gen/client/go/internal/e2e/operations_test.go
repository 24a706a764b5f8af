//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	return clientWithToken(t, os.Getenv("TOKEN"))
}

// newWebhooksClient returns a client whose token has all scopes, also that for webhooks.
func newWebhooksClient(t *testing.T) *cardvault.Client {
	t.Helper()
	var made struct{ Token string }
	text := cardvaultCommand(t, "token", "create", "--account", os.Getenv("ACCOUNT"), "--name", t.Name(),
		"--scopes", "read,write,webhooks", "--limits", "read=1000000,write=1000000,ai=1000000", "--json")
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return clientWithToken(t, made.Token)
}

func clientWithToken(t *testing.T, token string) *cardvault.Client {
	t.Helper()
	client, err := cardvault.New(os.Getenv("API"), token)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// seller uses the operations on a batch and a card of its own, one after the other, as a seller would.
type seller struct {
	*cardvault.Client
	t        *testing.T
	ctx      context.Context
	batch    *cardvault.Batch
	card     *cardvault.Card
	catalog  *cardvault.CatalogCard
	listing  *cardvault.Listing
	event    string
	sale     *cardvault.Sale
	job      *cardvault.Job
	receiver *receiver
	webhook  *cardvault.WebhookWithSecret
	delivery *cardvault.WebhookDelivery
}

// noCard is the identifier of a card that does not exist.
const noCard = "card_00000000000000000000000000"

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
	{"updateBatch", func(s *seller) error {
		batch, err := s.UpdateBatch(s.ctx, s.batch.ID, cardvault.BatchPatch{
			Name: "Summer fair", Description: cardvault.Set("Bought in May."),
		})
		if err != nil {
			return err
		}
		return want(batch.Name == "Summer fair" && *batch.Description == "Bought in May.", "%+v", batch)
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

var listingSteps = []step{
	{"publishCard", func(s *seller) (err error) {
		s.listing, err = s.PublishCard(s.ctx, s.card.ID, nil)
		if err != nil {
			return err
		}
		return want(s.listing.Price.Amount == 450, "%+v", s.listing)
	}},
	{"getListing", func(s *seller) error { return awaitStatus(s, cardvault.ListingStatusLive) }},
	{"getListingWaiting", func(s *seller) error {
		waiting, err := s.GetListingWaiting(s.ctx, s.listing.ID)
		if err != nil {
			return err
		}
		return want(waiting.Waiting == nil, "%+v", waiting)
	}},
	{"updateListing", func(s *seller) error {
		const title = "Ember Fox, near mint"
		l, err := s.UpdateListing(s.ctx, s.listing.ID, cardvault.ListingPatch{Title: title})
		if err != nil {
			return err
		}
		return want(l.Title == title && l.Revision.Status == cardvault.RevisionStatusPending, "%+v", l)
	}},
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
	{"publishCards", func(s *seller) error {
		result, err := s.PublishCards(s.ctx, cardvault.PublishManyInput{CardIDs: []string{s.card.ID, noCard}})
		if err != nil {
			return err
		}
		published, failed := result.Data[0], result.Data[1]
		if published.Listing == nil || failed.Error == nil {
			return want(false, "%+v", result)
		}
		s.listing = published.Listing
		if err := awaitStatus(s, cardvault.ListingStatusLive); err != nil {
			return err
		}
		return want(failed.Error.Code == cardvault.CodeCardNotFound, "%+v", failed.Error)
	}},
	{"endListings", func(s *seller) error {
		all := cardvault.EndManyInput{ListingIDs: []string{s.listing.ID}, Atomic: true}
		result, err := s.EndListings(s.ctx, all)
		if err != nil {
			return err
		}
		if err := awaitStatus(s, cardvault.ListingStatusEnded); err != nil {
			return err
		}
		_, err = s.EndListings(s.ctx, all)
		return want(result.Data[0].Error == nil && errors.Is(err, cardvault.CodeListingNotLive), "%+v, %v", result, err)
	}},
}

func TestEveryOperation(t *testing.T) {
	steps := slices.Concat(batchSteps, cardSteps, listingSteps, webhookSteps, saleSteps, jobSteps, lastSteps)
	var used []string
	for _, step := range steps {
		used = append(used, step.operation)
	}
	if slices.Sort(used); !slices.Equal(used, operations(t)) {
		t.Errorf("the steps use  %v\nthe contract has %v", used, operations(t))
	}
	s := &seller{Client: newWebhooksClient(t), t: t, ctx: t.Context(), receiver: newReceiver(t)}
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
