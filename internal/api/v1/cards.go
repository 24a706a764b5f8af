package v1

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api/form"
	"github.com/cardvault/cardvault/internal/api/idempotency"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
)

// ListCards implements GET /cards.
func (s *Server) ListCards(
	ctx context.Context, r server.ListCardsRequestObject,
) (server.ListCardsResponseObject, error) {
	account, page := caller.From(ctx).AccountID, pageOf(r.Params.Limit, r.Params.Cursor)
	list, err := s.Cards.List(ctx, account, sorted(filterOf(listFields, &r.Params), r.Params.Sort), page)
	if err != nil {
		return nil, err
	}
	return server.ListCards200JSONResponse(s.cardPage(list)), nil
}

// ListBatchCards implements GET /batches/{id}/cards.
func (s *Server) ListBatchCards(
	ctx context.Context, r server.ListBatchCardsRequestObject,
) (server.ListBatchCardsResponseObject, error) {
	account := caller.From(ctx).AccountID
	batch, err := s.Batches.Get(ctx, account, r.ID)
	if err != nil {
		return nil, err
	}
	filter := sorted(filterOf(batchFields, &r.Params), r.Params.Sort)
	filter.Batch = &batch.ID
	list, err := s.Cards.List(ctx, account, filter, pageOf(r.Params.Limit, r.Params.Cursor))
	if err != nil {
		return nil, err
	}
	return server.ListBatchCards200JSONResponse(s.cardPage(list)), nil
}

// CreateCards implements POST /cards.
func (s *Server) CreateCards(
	ctx context.Context, r server.CreateCardsRequestObject,
) (server.CreateCardsResponseObject, error) {
	drafts := make([]cards.Draft, len(r.Body.Cards))
	for i := range r.Body.Cards {
		input := &r.Body.Cards[i]
		drafts[i] = draft(input)
		if h := cmp.Or(hints(input.Hints), hints(r.Body.Hints)); h != nil {
			drafts[i].Hints = *h
		}
	}
	onConflict := cards.RefuseConflict
	if r.Body.OnConflict != nil {
		onConflict = cards.OnConflict(*r.Body.OnConflict)
	}
	results, err := s.Cards.Import(ctx, caller.From(ctx).AccountID, drafts, onConflict, idempotency.Hook(ctx))
	if err != nil {
		return nil, nameItem("cards", err)
	}
	response := server.CreateCards201JSONResponse{
		Data: make([]server.Card, len(results)), Outcomes: make([]server.ImportOutcome, len(results)),
	}
	for i := range results {
		response.Data[i] = s.card(&results[i].Card)
		response.Outcomes[i] = server.ImportOutcome(results[i].Outcome)
	}
	return response, nil
}

// nameItem prefixes the fields of a fault with the list and the index of the item that it is about. The field of
// quota_exceeded is the name of a quota, which is no field of the item.
func nameItem(list string, err error) error {
	var item *cards.ItemError
	f, isFault := fault.As(err)
	if !errors.As(err, &item) || !isFault {
		return err
	}
	at := fmt.Sprintf("%s.%d", list, item.Index)
	clone := *f
	clone.Message = at + ": " + f.Message
	if f.Code == fault.QuotaExceeded {
		return &clone
	}
	clone.Details = nil
	for _, d := range f.Details {
		clone.Details = append(clone.Details, fault.Detail{Field: at + "." + d.Field, Message: d.Message})
	}
	return &clone
}

// GetCard implements GET /cards/{id}.
func (s *Server) GetCard(ctx context.Context, r server.GetCardRequestObject) (server.GetCardResponseObject, error) {
	card, err := s.Cards.Get(ctx, caller.From(ctx).AccountID, r.ID)
	if err != nil {
		return nil, err
	}
	response := server.GetCard200JSONResponse{
		Body: s.card(&card), Headers: server.GetCard200ResponseHeaders{ETag: cardETag(&card)},
	}
	if s.photoURLsMayHaveExpired(&card) {
		return fullCard{response}, nil
	}
	return response, nil
}

// UpdateCard implements PATCH /cards/{id}.
func (s *Server) UpdateCard(
	ctx context.Context, r server.UpdateCardRequestObject,
) (server.UpdateCardResponseObject, error) {
	version, err := match(r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	card, err := s.Cards.Update(ctx, caller.From(ctx).AccountID, r.ID, patch(r.Body), version)
	if err != nil {
		return nil, err
	}
	return server.UpdateCard200JSONResponse{
		Body: s.card(&card), Headers: server.UpdateCard200ResponseHeaders{ETag: cardETag(&card)},
	}, nil
}

// DeleteCard implements DELETE /cards/{id}.
func (s *Server) DeleteCard(
	ctx context.Context, r server.DeleteCardRequestObject,
) (server.DeleteCardResponseObject, error) {
	version, err := match(r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := s.Photos.DeleteCard(ctx, caller.From(ctx).AccountID, r.ID, version); err != nil {
		return nil, err
	}
	return server.DeleteCard204Response{}, nil
}

// PutCardPhoto implements PUT /cards/{id}/photos/{photo}.
func (s *Server) PutCardPhoto(
	ctx context.Context, r server.PutCardPhotoRequestObject,
) (server.PutCardPhotoResponseObject, error) {
	card, err := s.Photos.Put(ctx, caller.From(ctx).AccountID, r.ID, cards.Role(r.Photo), r.Body)
	if err != nil {
		return nil, err
	}
	return server.PutCardPhoto200JSONResponse{
		Body: s.card(&card), Headers: server.PutCardPhoto200ResponseHeaders{ETag: cardETag(&card)},
	}, nil
}

// ScanCards implements POST /cards/scan.
func (s *Server) ScanCards(
	ctx context.Context, r server.ScanCardsRequestObject,
) (server.ScanCardsResponseObject, error) {
	results, err := s.Photos.Scan(ctx, caller.From(ctx).AccountID, scan(r.Body, form.From(ctx)), idempotency.Hook(ctx))
	if err != nil {
		return nil, err
	}
	data := make([]server.ScanResult, len(results))
	for i := range results {
		data[i] = server.ScanResult{Files: results[i].Names, Status: server.ScanStatusCreated}
		if data[i].Error, err = itemError(nameItem("photos", results[i].Err)); err != nil {
			return nil, err
		}
		if data[i].Error != nil {
			data[i].Status = server.ScanStatusRefused
			continue
		}
		card := s.card(&results[i].Card)
		data[i].Card = &card
	}
	return server.ScanCards200JSONResponse{Data: data}, nil
}

// DeleteCardPhoto implements DELETE /cards/{id}/photos/{photo}.
func (s *Server) DeleteCardPhoto(
	ctx context.Context, r server.DeleteCardPhotoRequestObject,
) (server.DeleteCardPhotoResponseObject, error) {
	if err := s.Photos.Delete(ctx, caller.From(ctx).AccountID, r.ID, r.Photo); err != nil {
		return nil, err
	}
	return server.DeleteCardPhoto204Response{}, nil
}
