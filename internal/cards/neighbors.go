package cards

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Neighbor is a card beside another one in a list. ID is "" if there is none.
type Neighbor struct {
	ID    string
	Place string // as in Summed.Places
}

// places returns the places of cards that the search found, as opaque texts. A place stays where it is when its card
// changes, also if the card moves to another place or leaves the list.
func (s *Service) places(search *search, found []Card) []string {
	places := make([]string, len(found))
	for i, card := range found {
		places[i] = s.cursors.Seal(search.scope, search.position(card))
	}
	return places
}

// Neighbors returns the cards before and after a card in a list, without reading the list from its start. place is the
// card's place when the reader opened it. If the text is no place of this list, the card's present place counts.
// Finding a neighbor has the bounded cost of a page. The filter must not have UpdatedSince.
func (s *Service) Neighbors(
	ctx context.Context, accountID string, f Filter, card Card, place string,
) (before, after Neighbor, err error) {
	if err := f.checkList(); err != nil {
		return before, after, err
	}
	if f, err = s.ordered(ctx, accountID, f); err != nil {
		return before, after, err
	}
	at, err := s.cursors.Open(f.scope(accountID), place)
	if err != nil {
		at, err = newSearch(accountID, f, nil, 1).positionNow(ctx, s.db, card)
	}
	if err == nil {
		before, err = s.beside(ctx, accountID, f.reversed(), f.scope(accountID), card.ID, at)
	}
	if err == nil {
		after, err = s.beside(ctx, accountID, f, f.scope(accountID), card.ID, at)
	}
	if err != nil {
		return before, after, fmt.Errorf("find neighbors: %w", err)
	}
	return before, after, nil
}

// beside returns the first card of the list after a position, other than the card that has moved from there.
func (s *Service) beside(
	ctx context.Context, accountID string, f Filter, scope, moved string, at paging.Position,
) (Neighbor, error) {
	search := newSearch(accountID, f, &at, 2)
	read, err := search.run(ctx, s.db)
	if err != nil {
		return Neighbor{}, err
	}
	for _, card := range read.Rows {
		if card.ID != moved {
			return Neighbor{card.ID, s.cursors.Seal(scope, search.position(card))}, nil
		}
	}
	return Neighbor{}, nil
}

// reversed returns the filter of the same cards in reverse order.
func (f Filter) reversed() Filter {
	name, descending := strings.CutPrefix(f.Sort, "-")
	switch {
	case f.Sort == "":
		f.Sort = byCreation
	case descending:
		f.Sort = name
	default:
		f.Sort = "-" + name
	}
	return f
}

// positionNow returns the present position of a card in the list's order.
func (s *search) positionNow(ctx context.Context, db *postgres.DB, c Card) (paging.Position, error) {
	if s.order.key.HasKey() {
		var key string
		err := db.Get(ctx, &key, fmt.Sprintf(`SELECT %s FROM %s WHERE account_id = $1 AND %s = $2`,
			s.order.key.Expr, s.order.table, s.order.id), c.AccountID, c.ID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) { // the card was deleted in the meantime
			return paging.Position{}, err
		}
		s.keys[c.ID] = key
	}
	return s.position(c), nil
}
