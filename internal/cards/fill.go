package cards

import (
	"context"
	"fmt"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
)

// Catalogue is the part of *catalog.Service that Service uses.
type Catalogue interface {
	// Get returns the cards with these identifiers, without unknown ones.
	Get(ctx context.Context, ids ...string) ([]catalog.Card, error)
}

// UseCatalogue sets the catalogue from which Create and Update take the values of a card that is identified by its
// catalogue identifier alone. Call it before using the service. Without a catalogue, the identifier is only stored.
func (s *Service) UseCatalogue(c Catalogue) { s.catalogue = c }

// FillFromCatalogue completes the patches that identify a card by its catalogue identifier alone: they get the title,
// set, number, game, year, language and variant of the catalogue. It returns the error of the first patch with an
// unknown identifier as an *ItemError.
func (s *Service) FillFromCatalogue(ctx context.Context, patches []*Patch) error {
	faults, err := s.FillEach(ctx, patches)
	if err != nil {
		return fmt.Errorf("fill from catalogue: %w", err)
	}
	return FirstError(faults, func(err error) error { return err })
}

// FillEach completes the patches as FillFromCatalogue does, with one query. It returns a fault per patch, or no faults
// if no patch needs the catalogue.
func (s *Service) FillEach(ctx context.Context, patches []*Patch) (faults []error, err error) {
	var ids []string
	for _, p := range patches {
		if p.byCatalogue() {
			ids = append(ids, *p.CatalogID.value)
		}
	}
	if len(ids) == 0 || s.catalogue == nil {
		return nil, nil
	}
	found, err := s.catalogue.Get(ctx, ids...)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*catalog.Card, len(found))
	for i := range found {
		byID[found[i].ID] = &found[i]
	}
	faults = make([]error, len(patches))
	for i, p := range patches {
		if !p.byCatalogue() {
			continue
		}
		card := byID[*p.CatalogID.value]
		if card == nil {
			faults[i] = fault.Invalid("identification.catalog_id",
				"is not in the catalogue; find the card with GET /catalog/cards, or send a title too")
			continue
		}
		p.fill(card)
	}
	return faults, nil
}

// byCatalogue reports whether the patch sets the catalogue identifier and no other field that describes the printing.
func (p *Patch) byCatalogue() bool {
	return p.CatalogID.value != nil && !p.Year.given &&
		!p.Title.given && !p.Set.given && !p.Number.given && !p.Game.given && !p.Variant.given && !p.Language.given
}

// fill sets the fields that describe the printing. What the catalogue does not know is cleared.
func (p *Patch) fill(card *catalog.Card) {
	known := func(s string) Field[string] {
		if s == "" {
			return Clear[string]()
		}
		return Set(s)
	}
	p.Title, p.Set, p.Number = Set(card.Name), known(card.Set), known(card.CollectorNumber())
	p.Game, p.Variant, p.Language = known(card.Game), known(card.Variant), known(card.Language)
	p.Year = Clear[int32]()
	if card.Year != 0 {
		p.Year = Set(int32(card.Year))
	}
	if p.Language.value != nil && !languageTag.MatchString(card.Language) {
		p.Language = Clear[string]()
	}
}
