package v1

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	server "github.com/cardvault/cardvault/gen/server/v1"
	"github.com/cardvault/cardvault/internal/api"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/photos"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// cardETag returns the ETag of a card: its version.
func cardETag(c *cards.Card) string { return `"` + strconv.FormatInt(c.Version, 10) + `"` }

// fullCard is a response to GET /cards/{id} that is never replaced by 304, for a card whose photo URLs may have expired
// in the client's copy although the version is the same.
type fullCard struct{ server.GetCard200JSONResponse }

// VisitGetCardResponse implements the generated interface.
func (c fullCard) VisitGetCardResponse(w http.ResponseWriter) error {
	api.DisableNotModified(w)
	return c.GetCard200JSONResponse.VisitGetCardResponse(w)
}

// photoURLsMayHaveExpired reports whether the photo URLs in a client's copy of this version may have expired. The
// client received its copy after the card's last update.
func (s *Server) photoURLsMayHaveExpired(c *cards.Card) bool {
	return s.Clock.Time().Sub(c.UpdatedAt) >= photos.AddressLife &&
		slices.ContainsFunc(c.Photos, func(p cards.Photo) bool { return p.Status == cards.PhotoReady })
}

func (s *Server) cardPage(p paging.Page[cards.Card]) server.CardPage {
	data := make([]server.Card, len(p.Data))
	for i := range p.Data {
		data[i] = s.card(&p.Data[i])
	}
	return server.CardPage{Data: data, HasMore: p.NextCursor != nil, NextCursor: p.NextCursor}
}

func (s *Server) card(c *cards.Card) server.Card {
	d := &c.Identification.Description
	return server.Card{
		ID: c.ID, WorkflowStatus: server.WorkflowStatus(c.Status), Title: d.Title, Set: d.Set, Number: d.Number,
		Identification: identification(&c.Identification),
		Pricing: server.Pricing{
			AskingPrice: moneyOut(c.Pricing.AskingPrice), FloorPrice: moneyOut(c.Pricing.FloorPrice),
			Cost: moneyOut(c.Pricing.Cost), PricedAt: timestamp.Or(c.Pricing.PricedAt),
		},
		Location: c.Location, BatchID: c.BatchID, ListingID: listingID(c.Listing), SaleID: c.SaleID,
		Photos: s.photos(c), Sku: c.SKU, ExternalID: c.ExternalID, Notes: c.Notes,
		Metadata: metadata(c.Metadata), Version: c.Version,
		CreatedAt: timestamp.Of(c.CreatedAt), UpdatedAt: timestamp.Of(c.UpdatedAt),
	}
}

// metadata returns the values as an object that is never null.
func metadata(values map[string]string) map[string]string {
	if values == nil {
		return noMetadata
	}
	return values
}

var noMetadata = map[string]string{}

func identification(i *cards.Identification) server.Identification {
	return server.Identification{
		Title: i.Title, Set: i.Set, Number: i.Number, Status: server.IdentificationStatus(i.Status),
		Source: i.Source, Provider: i.Provider, Confidence: i.Confidence, IdentifiedAt: timestamp.Or(i.IdentifiedAt),
		CatalogID: i.CatalogID, Game: i.Game, Year: i.Year, Variant: i.Variant, Language: i.Language,
		Condition: i.Condition, Grade: gradeOut(i.Grade),
	}
}

func gradeOut(g *cards.Grade) *server.Grade {
	if g == nil {
		return nil
	}
	return &server.Grade{Company: g.Company, Value: g.Value, CertNumber: g.CertNumber}
}

func listingID(ref *cards.ListingRef) *string {
	if ref == nil {
		return nil
	}
	return &ref.ID
}

// photos converts the card's photos. A photo that is ready gets a URL that is valid for a day or two.
func (s *Server) photos(c *cards.Card) []server.Photo {
	list := make([]server.Photo, len(c.Photos)) // never nil: an empty list is [], not null
	if len(list) == 0 {
		return list
	}
	now := s.Clock.Time()
	for i := range c.Photos {
		list[i] = s.photo(c.AccountID, &c.Photos[i], now)
	}
	return list
}

func (s *Server) photo(accountID string, p *cards.Photo, now time.Time) server.Photo {
	out := server.Photo{ID: p.ID, Role: server.PhotoRole(p.Role), Status: server.PhotoStatus(p.Status)}
	if p.Failure != "" {
		out.Failure = &p.Failure
	}
	if p.Status == cards.PhotoReady {
		url := s.PhotoURLs.For(accountID, p.ID, p.ContentType, now)
		width, height := int32(p.Width), int32(p.Height)
		out.URL, out.Width, out.Height = &url, &width, &height
	}
	return out
}

func moneyOut(m *money.Money) *server.Money {
	if m == nil {
		return nil
	}
	return &server.Money{Amount: m.Amount, Currency: server.Currency(m.Currency)}
}
