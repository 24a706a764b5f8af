package v1

import (
	"context"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// SearchCatalog implements GET /catalog/cards.
func (s *Server) SearchCatalog(
	ctx context.Context, r server.SearchCatalogRequestObject,
) (server.SearchCatalogResponseObject, error) {
	or := func(value *string) string {
		if value == nil {
			return ""
		}
		return *value
	}
	p := r.Params
	matches, more, err := s.Catalog.Browse(ctx, catalog.Filter{
		Name: or(p.Q), Set: or(p.Set), Number: or(p.Number), Game: or(text(p.Game)),
	}, pageOf(p.Limit, nil).Size())
	if err != nil {
		return nil, err
	}
	list := make([]server.CatalogCard, len(matches))
	for i := range matches {
		list[i] = catalogCard(&matches[i])
	}
	return server.SearchCatalog200JSONResponse{Data: list, HasMore: more}, nil
}

// GetCatalogCard implements GET /catalog/cards/{id}.
func (s *Server) GetCatalogCard(
	ctx context.Context, r server.GetCatalogCardRequestObject,
) (server.GetCatalogCardResponseObject, error) {
	matches, err := s.Catalog.Get(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	if len(matches) == 0 {
		return nil, fault.NotFound(fault.CardNotFound)
	}
	return server.GetCatalogCard200JSONResponse(catalogCard(&matches[0])), nil
}

func catalogCard(c *catalog.Card) server.CatalogCard {
	out := server.CatalogCard{
		ID: c.ID, Title: c.Name, Set: nonEmpty(c.Set), SetCode: nonEmpty(c.SetCode),
		Number: nonEmpty(c.CollectorNumber()), Game: server.Game(c.Game), Language: nonEmpty(c.Language),
		Variant: nonEmpty(c.Variant), Rarity: nonEmpty(c.Rarity), Price: moneyOut(c.Price),
		PriceAsOf: timestamp.Or(c.PriceAsOf),
	}
	if c.Year != 0 {
		year := int32(c.Year)
		out.Year = &year
	}
	return out
}
