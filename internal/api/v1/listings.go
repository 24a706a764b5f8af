package v1

import (
	"context"
	"strconv"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/listings"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// ListListings implements GET /listings.
func (s *Server) ListListings(
	ctx context.Context, r server.ListListingsRequestObject,
) (server.ListListingsResponseObject, error) {
	p := r.Params
	filter := listings.Filter{Card: p.Card, Marketplace: text(p.Marketplace), UpdatedSince: p.UpdatedSince}
	if p.Status != nil {
		for _, status := range *p.Status {
			filter.Statuses = append(filter.Statuses, listings.Status(status))
		}
	}
	list, err := s.Listings.List(ctx, caller.From(ctx).AccountID, filter, pageOf(p.Limit, p.Cursor))
	if err != nil {
		return nil, err
	}
	data := make([]server.Listing, len(list.Data))
	for i := range list.Data {
		data[i] = listing(&list.Data[i])
	}
	return server.ListListings200JSONResponse{
		Data: data, HasMore: list.NextCursor != nil, NextCursor: list.NextCursor,
	}, nil
}

// GetListing implements GET /listings/{id}.
func (s *Server) GetListing(
	ctx context.Context, r server.GetListingRequestObject,
) (server.GetListingResponseObject, error) {
	result, err := s.Listings.Get(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	return server.GetListing200JSONResponse{
		Body: listing(&result), Headers: server.GetListing200ResponseHeaders{ETag: listingETag(&result)},
	}, nil
}

// UpdateListing implements PATCH /listings/{id}.
func (s *Server) UpdateListing(
	ctx context.Context, r server.UpdateListingRequestObject,
) (server.UpdateListingResponseObject, error) {
	version, err := match(r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	input := listings.UpdateInput{Price: amount(r.Body.Price), Title: r.Body.Title}
	result, err := s.Listings.Update(ctx, caller.From(ctx).AccountID, r.ID, input, version)
	if err != nil {
		return nil, err
	}
	return server.UpdateListing200JSONResponse{
		Body: listing(&result), Headers: server.UpdateListing200ResponseHeaders{ETag: listingETag(&result)},
	}, nil
}

// PublishCard implements POST /listings/{cardId}/publish.
func (s *Server) PublishCard(
	ctx context.Context, r server.PublishCardRequestObject,
) (server.PublishCardResponseObject, error) {
	var input listings.PublishInput
	if r.Body != nil {
		input = listings.PublishInput{
			Marketplace: text(r.Body.Marketplace), Price: amount(r.Body.Price), Title: r.Body.Title,
		}
	}
	who := caller.From(ctx)
	result, err := s.Listings.Publish(ctx, who.AccountID, r.CardID, input, who.Sandbox, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.PublishCard202JSONResponse(listing(&result)), nil
}

// EndListing implements POST /listings/{id}/end.
func (s *Server) EndListing(
	ctx context.Context, r server.EndListingRequestObject,
) (server.EndListingResponseObject, error) {
	ending, err := s.Listings.End(ctx, caller.From(ctx).AccountID, r.ID, idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	return server.EndListing202JSONResponse(listing(&ending)), nil
}

// listingETag returns the ETag of a listing: its version.
func listingETag(l *listings.Listing) string { return `"` + strconv.FormatInt(l.Version, 10) + `"` }

func listing(l *listings.Listing) server.Listing {
	out := server.Listing{
		ID: l.ID, CardID: l.CardID, Marketplace: server.Marketplace(l.Marketplace),
		Status: server.ListingStatus(l.Status),
		Title:  l.Title, Price: *moneyOut(&l.Price), ExternalID: l.ExternalID, URL: l.URL,
		Revision: server.ListingRevision{
			Status: server.RevisionStatus(l.Revision.Status), DelayedUntil: timestamp.Or(l.Revision.DelayedUntil),
		},
		SoldPrice: moneyOut(l.SoldPrice), BuyerReference: l.BuyerReference, EndReason: l.EndReason,
		PublishedAt: timestamp.Or(l.PublishedAt), SoldAt: timestamp.Or(l.SoldAt), EndedAt: timestamp.Or(l.EndedAt),
		CreatedAt: timestamp.Of(l.CreatedAt), UpdatedAt: timestamp.Of(l.UpdatedAt),
	}
	if l.Failure != nil {
		out.Failure = &server.ListingFailure{Code: l.Failure.Code, Message: l.Failure.Message}
	}
	if failure := l.Revision.Failure; failure != nil {
		out.Revision.Failure = &server.RevisionFailure{Code: failure.Code, Message: failure.Message}
	}
	return out
}
