package v1

import (
	"context"
	"errors"
	"net/http"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/listings"
)

// UpdateCards implements PATCH /cards.
func (s *Server) UpdateCards(
	ctx context.Context, r server.UpdateCardsRequestObject,
) (server.UpdateCardsResponseObject, error) {
	items := make([]cards.PatchItem, len(r.Body.Updates))
	for i := range r.Body.Updates {
		u := &r.Body.Updates[i]
		items[i] = cards.PatchItem{CardID: u.ID, Version: u.Version, Patch: updatePatch(u)}
	}
	results, err := s.Cards.UpdateMany(ctx, caller.From(ctx).AccountID, items, isTrue(r.Body.Atomic))
	if err != nil {
		return nil, nameItem("updates", err)
	}
	data := make([]server.CardUpdateResult, len(results))
	for i := range results {
		data[i] = server.CardUpdateResult{ID: r.Body.Updates[i].ID, Status: http.StatusOK}
		if data[i].Error, err = itemError(results[i].Err); err != nil {
			return nil, err
		}
		if data[i].Error != nil {
			data[i].Status = data[i].Error.Status
			continue
		}
		card := s.card(&results[i].Card)
		data[i].ID, data[i].Card = card.ID, &card
	}
	return server.UpdateCards200JSONResponse{Data: data}, nil
}

// PublishCards implements POST /listings/publish.
func (s *Server) PublishCards(
	ctx context.Context, r server.PublishCardsRequestObject,
) (server.PublishCardsResponseObject, error) {
	who := caller.From(ctx)
	cardIDs, err := s.cardsToPublish(ctx, who.AccountID, r.Body)
	if err != nil {
		return nil, err
	}
	results, err := s.Listings.PublishMany(ctx, who.AccountID, cardIDs, text(r.Body.Marketplace), who.Sandbox,
		isTrue(r.Body.Atomic), idempotency.Hook(ctx))
	if err != nil && r.Body.Filter != nil {
		return nil, nameCard(cardIDs, err)
	}
	if err != nil {
		return nil, nameItem("card_ids", err)
	}
	data := make([]server.PublishResult, len(results))
	for i := range results {
		data[i].ID = cardIDs[i]
		if data[i].Status, data[i].Listing, data[i].Error, err = listingResult(results[i]); err != nil {
			return nil, err
		}
	}
	return server.PublishCards200JSONResponse{Data: data}, nil
}

// nameCard names the card that a fault is about, where the request has no list of cards.
func nameCard(cardIDs []string, err error) error {
	var item *cards.ItemError
	f, isFault := fault.As(err)
	if !errors.As(err, &item) || !isFault {
		return err
	}
	clone := *f
	clone.Message = cardIDs[item.Index] + ": " + f.Message
	return &clone
}

// cardsToPublish returns the cards that a request names or selects.
func (s *Server) cardsToPublish(
	ctx context.Context, accountID string, in *server.PublishManyInput,
) ([]string, error) {
	switch {
	case (in.CardIds == nil) == (in.Filter == nil):
		return nil, fault.Invalid("card_ids", "is required without filter, and not allowed with it")
	case in.CardIds != nil:
		return *in.CardIds, cards.CheckExpected(expected(in.ExpectedCount), int64(len(*in.CardIds)))
	}
	return s.Listings.Matching(ctx, accountID, jobFilter(in.Filter), expected(in.ExpectedCount))
}

// expected returns the number of cards that a caller expects, or nil.
func expected(count *int32) *int {
	if count == nil {
		return nil
	}
	return new(int(*count))
}

// EndListings implements POST /listings/end.
func (s *Server) EndListings(
	ctx context.Context, r server.EndListingsRequestObject,
) (server.EndListingsResponseObject, error) {
	results, err := s.Listings.EndMany(ctx, caller.From(ctx).AccountID, r.Body.ListingIds, isTrue(r.Body.Atomic),
		idempotency.Hook(ctx))
	if err != nil {
		return nil, nameItem("listing_ids", err)
	}
	data := make([]server.EndResult, len(results))
	for i := range results {
		data[i].ID = r.Body.ListingIds[i]
		if data[i].Status, data[i].Listing, data[i].Error, err = listingResult(results[i]); err != nil {
			return nil, err
		}
	}
	return server.EndListings200JSONResponse{Data: data}, nil
}

// listingResult converts the result of a request that returns 202 for a single listing.
func listingResult(r listings.ItemResult) (int32, *server.Listing, *server.ItemError, error) {
	refusal, err := itemError(r.Err)
	if err != nil {
		return 0, nil, nil, err
	}
	if refusal != nil {
		return refusal.Status, nil, refusal, nil
	}
	result := listing(&r.Listing)
	return http.StatusAccepted, &result, nil, nil
}

// itemError converts the fault of an item. Other errors are returned.
func itemError(err error) (*server.ItemError, error) {
	if err == nil {
		return nil, nil
	}
	f, isFault := fault.As(err)
	if !isFault {
		return nil, err
	}
	out := &server.ItemError{Code: server.ErrorCode(f.Code), Message: f.Message, Status: int32(f.Status())}
	if len(f.Details) > 0 {
		details := make([]server.ErrorDetail, len(f.Details))
		for i, d := range f.Details {
			details[i] = server.ErrorDetail{Field: d.Field, Message: d.Message}
		}
		out.Details = &details
	}
	return out, nil
}

func isTrue(b *bool) bool { return b != nil && *b }
