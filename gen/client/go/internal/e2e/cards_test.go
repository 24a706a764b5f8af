//go:build e2e

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"slices"
	"testing"
	"time"

	cardvault "github.com/cardvault/cardvault/gen/client/go"
)

// cardSteps describe the card.
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
		page, err := s.ListCards(s.ctx, &cardvault.ListCardsParams{
			Batch: s.batch.ID, UpdatedSince: s.card.UpdatedAt, Sort: cardvault.CardOrderUpdatedAt,
		})
		if err != nil {
			return err
		}
		return want(len(page.Data) == 1 && page.Data[0].UpdatedAt.Equal(s.card.UpdatedAt), "%+v", page)
	}},
	{"summarizeCards", func(s *seller) error {
		summary, err := s.SummarizeCards(s.ctx, cardvault.SummarizeCardsParams{
			GroupBy: cardvault.CardGroupingBatch, Batch: s.batch.ID,
		})
		if err != nil {
			return err
		}
		return want(len(summary.Data) == 1 && *summary.Data[0].Group == s.batch.ID &&
			summary.Total.AskingPrice[0].Amount == s.card.Pricing.AskingPrice.Amount, "%+v", summary)
	}},
	{"identify", func(s *seller) error {
		hints := cardvault.Hints{Game: cardvault.GameOther, Set: "Emberfall", Language: "en"}
		outcome, err := s.Identify(s.ctx, cardvault.IdentifyRequest{CardID: s.card.ID, Hints: hints})
		if err != nil {
			return err
		}
		return want(outcome.Outcome == cardvault.OutcomeFailed && len(outcome.Attempts) > 0, "%+v", outcome)
	}},
	{"listCardCandidates", func(s *seller) error {
		list, err := s.ListCardCandidates(s.ctx, s.card.ID)
		if err != nil {
			return err
		}
		return want(list.AttemptedAt != nil && list.AttemptedAt.After(s.card.CreatedAt), "%+v", list)
	}},
	{"getCardWaiting", func(s *seller) error {
		waiting, err := s.GetCardWaiting(s.ctx, s.card.ID)
		if err != nil {
			return err
		}
		return want(waiting.Identification == nil && len(waiting.Photos) == 0, "%+v", waiting)
	}},
	{"searchCatalog", func(s *seller) error {
		found, err := s.SearchCatalog(s.ctx, &cardvault.SearchCatalogParams{Set: "emberfall", Limit: 1})
		if err != nil {
			return err
		}
		if len(found.Data) != 1 || !found.HasMore {
			return want(false, "%+v", found)
		}
		s.catalog = &found.Data[0]
		return want(*s.catalog.Set == "Emberfall" && s.catalog.Price != nil, "%+v", s.catalog)
	}},
	{"getCatalogCard", func(s *seller) error {
		card, err := s.GetCatalogCard(s.ctx, s.catalog.ID)
		if err != nil {
			return err
		}
		return want(card.Title == s.catalog.Title && *card.Price == *s.catalog.Price, "%+v", card)
	}},
	{"updateCards", func(s *seller) error {
		metadata := map[string]*string{"consignor": cardvault.Ptr("Ada")}
		result, err := s.UpdateCards(s.ctx, cardvault.CardUpdates{Updates: []cardvault.CardUpdate{
			{ID: s.card.ID, SKU: cardvault.Set("EF-1"), Metadata: cardvault.Set(metadata)},
			{ID: noCard, Notes: cardvault.Clear[string]()},
		}})
		if err != nil {
			return err
		}
		updated, failed := result.Data[0], result.Data[1]
		if updated.Card == nil || failed.Error == nil {
			return want(false, "%+v", result)
		}
		s.card = updated.Card
		return want(*s.card.SKU == "EF-1" && s.card.Metadata["consignor"] == "Ada" &&
			failed.Error.Code == cardvault.CodeCardNotFound, "%+v, %+v", s.card, failed.Error)
	}},
	{"scanCards", func(s *seller) error {
		result, err := s.ScanCards(s.ctx, cardvault.ScanInput{
			Photos: []cardvault.ScanPhoto{
				cardvault.PhotoBytes("fox-front.jpg", picture(s.t)),
				cardvault.PhotoBytes("owl.jpg", []byte("no photo")),
				cardvault.PhotoReader("fox-back.jpg", bytes.NewReader(picture(s.t))),
			},
			Pairing: cardvault.ScanPairingName, Location: "Scanned",
		})
		if err != nil {
			return err
		}
		made, refused := result.Data[0], result.Data[1]
		if made.Card == nil || refused.Error == nil {
			return want(false, "%+v", result)
		}
		return want(len(made.Card.Photos) == 2 && made.Status == cardvault.ScanStatusCreated &&
			*made.Card.Location == "Scanned" && refused.Error.Code == cardvault.CodePhotoInvalid, "%+v", result)
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
		many, err := s.LookupPrices(s.ctx, []string{known, noCard})
		if err != nil {
			return err
		}
		return want(many.Data[0].Estimate.Price == found.Price && found.Price.Amount > 0 &&
			many.Data[1].Error.Code == cardvault.CodeCardNotFound, "%+v, %+v", found, many)
	}},
}

// lastSteps delete the card.
var lastSteps = []step{
	{"listCardHistory", func(s *seller) error {
		page, err := s.ListCardHistory(s.ctx, s.card.ID, &cardvault.ListCardHistoryParams{Limit: 1})
		if err != nil {
			return err
		}
		newest := page.Data[0]
		var first cardvault.CardHistoryEntry
		for entry, err := range s.CardHistory(s.ctx, s.card.ID, &cardvault.ListCardHistoryParams{Limit: 3}) {
			if err != nil {
				return err
			}
			first = entry
		}
		return want(page.HasMore && len(newest.Changes) > 0 && first.Version == 1 && len(first.Changes) == 0 &&
			first.Actor.Type == cardvault.ActorTypeToken, "%+v, %+v", newest, first)
	}},
	{"deleteCard", func(s *seller) error {
		if err := s.DeleteCard(s.ctx, s.card.ID, cardvault.IfMatch(1)); !errors.Is(err, cardvault.CodeVersionMismatch) {
			return fmt.Errorf("deleting version 1: got %v, want %s", err, cardvault.CodeVersionMismatch)
		}
		if err := s.DeleteCard(s.ctx, s.card.ID); err != nil {
			return err
		}
		_, err := s.GetCard(s.ctx, s.card.ID)
		return want(errors.Is(err, cardvault.CodeCardNotFound), "%v", err)
	}},
	{"listDeletions", func(s *seller) error {
		page, err := s.ListDeletions(s.ctx, &cardvault.ListDeletionsParams{UpdatedSince: s.card.UpdatedAt})
		if err != nil {
			return err
		}
		i := slices.IndexFunc(page.Data, func(d cardvault.Deletion) bool { return d.CardID == s.card.ID })
		return want(i >= 0 && page.Data[i].DeletedAt.After(s.card.UpdatedAt), "%+v", page)
	}},
	{"getAccount", func(s *seller) error {
		account, err := s.GetAccount(s.ctx)
		if err != nil {
			return err
		}
		return want(account.ID == os.Getenv("ACCOUNT") && account.Sandbox && account.Limits.Read == 1_000_000 &&
			slices.Contains(account.Scopes, cardvault.TokenScopeWebhooks), "%+v", account)
	}},
	{"updateAccount", func(s *seller) error {
		floor := cardvault.Money{Amount: 1, Currency: "USD"}
		account, err := s.UpdateAccount(s.ctx, cardvault.AccountPatch{FloorPrice: cardvault.Set(floor)})
		if err != nil {
			return err
		}
		if err := want(account.FloorPrice != nil && *account.FloorPrice == floor, "%+v", account); err != nil {
			return err
		}
		account, err = s.UpdateAccount(s.ctx, cardvault.AccountPatch{FloorPrice: cardvault.Clear[cardvault.Money]()})
		if err != nil {
			return err
		}
		return want(account.FloorPrice == nil, "%+v", account)
	}},
	{"reportStock", func(s *seller) error {
		report, err := s.ReportStock(s.ctx, &cardvault.ReportStockParams{Days: 7})
		if err != nil {
			return err
		}
		last := len(report.Data) - 1
		return want(report.Days == 7 && last >= 0 && report.Data[last].Count > 0, "%+v", report)
	}},
	{"getAccountWaiting", func(s *seller) error {
		waiting, err := s.GetAccountWaiting(s.ctx)
		if err != nil {
			return err
		}
		return want(waiting.Export == nil && len(waiting.Imports) == 0, "%+v", waiting)
	}},
	{"getAccountUsage", func(s *seller) error {
		usage, err := s.GetAccountUsage(s.ctx, &cardvault.GetAccountUsageParams{Hours: 48})
		if err != nil {
			return err
		}
		return want(len(usage.Hours) == 48 && usage.Before.Sub(usage.Since) == 48*time.Hour, "%+v", usage)
	}},
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
