package csvfile

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
)

// matchedAtOnce is the number of rows whose cards are read together.
const matchedAtOnce = 500

// matcher finds the cards that rows describe, checks what the rows would change, and stages those that change
// something.
type matcher struct {
	service *Service
	staged  *staging
	file    *reader
	photos  *pictureDir
	options ImportOptions
	batches batchNames
	closed  map[string]error // of the batches that were looked up, by identifier: why no card can leave it, or nil
	pending []*Row
	// seen has the lines of the cards that the file describes, by card_id, external_id and SKU. It is the only part of
	// an import that grows with the file: by about 100 bytes for each row that names a card.
	seen   map[string]int
	report Report
}

func newMatcher(s *Service, staged *staging, file *reader, photos *pictureDir, o ImportOptions) *matcher {
	if o.OnConflict == "" {
		o.OnConflict = cards.UpdateConflict
	}
	return &matcher{
		service: s, staged: staged, file: file, photos: photos, options: o, seen: map[string]int{},
		batches: batchNames{s.batches, staged.accountID, map[string]*string{}}, closed: map[string]error{},
		report: Report{Refused: []Refusal{}},
	}
}

// add adds a row.
func (m *matcher) add(ctx context.Context, row Row) error {
	m.pending = append(m.pending, &row)
	if len(m.pending) < matchedAtOnce {
		return nil
	}
	return m.flush(ctx)
}

// flush handles the pending rows.
func (m *matcher) flush(ctx context.Context) error {
	rows := m.pending
	m.pending = nil
	found, err := m.find(ctx, rows)
	if err != nil {
		return err
	}
	if err := m.fill(ctx, rows, found); err != nil {
		return err
	}
	for i, row := range rows {
		if card := found[i]; card != nil {
			err = m.addExisting(ctx, row, card)
		} else {
			err = m.addNew(ctx, row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// problem adds a problem of a row.
func (m *matcher) problem(row *Row, c column, message string, args ...any) {
	m.file.problems.add(row.Line, m.file.header.name(c), message, args...)
}

// find returns the cards of the rows, row by row, nil for new cards. A row that names no card or several is a problem.
func (m *matcher) find(ctx context.Context, rows []*Row) ([]*cards.Card, error) {
	var ids, externalIDs, skus []string
	for _, row := range rows {
		switch {
		case row.CardID != "":
			ids = append(ids, row.CardID)
		case row.ExternalID.Value() == nil && row.SKU.Value() != nil && m.options.MatchSKU:
			skus = append(skus, *row.SKU.Value())
		}
		if external := row.ExternalID.Value(); external != nil {
			externalIDs = append(externalIDs, *external)
		}
	}
	inventory, db, account := m.service.cards, m.service.db, m.staged.accountID
	byID, err := inventory.FindMany(ctx, db, account, ids)
	if err != nil {
		return nil, err
	}
	byExternalID, err := inventory.FindByExternalID(ctx, db, account, externalIDs)
	if err != nil {
		return nil, err
	}
	bySKU, err := inventory.FindBySKU(ctx, db, account, skus)
	if err != nil {
		return nil, err
	}
	found := make([]*cards.Card, len(rows))
	for i, row := range rows {
		found[i] = m.pick(row, byID, byExternalID, bySKU)
		m.once(row, found[i])
	}
	return found, nil
}

// pick returns the card of a row, or nil.
func (m *matcher) pick(row *Row, byID, byExternalID map[string]cards.Card, bySKU map[string][]cards.Card) *cards.Card {
	external, sku := row.ExternalID.Value(), row.SKU.Value()
	if row.CardID != "" {
		card, ok := byID[strings.ToLower(row.CardID)]
		if !ok {
			m.problem(row, colCardID, "is no card of this account: leave the cell empty to create a new card")
			return nil
		}
		if external != nil {
			if other, taken := byExternalID[*external]; taken && other.ID != card.ID {
				m.problem(row, colExternalID, "is that of the card %s", other.ID)
			}
		}
		return &card
	}
	if external != nil {
		if card, ok := byExternalID[*external]; ok {
			return &card
		}
		return nil
	}
	if sku == nil || len(bySKU[*sku]) == 0 {
		return nil
	}
	if len(bySKU[*sku]) > 1 {
		m.problem(row, colSKU, "is that of several cards: name the card by its card_id")
	}
	return &bySKU[*sku][0]
}

// once checks that no row before describes the same card.
func (m *matcher) once(row *Row, card *cards.Card) {
	check := func(c column, key string) {
		if first, repeated := m.seen[key]; repeated {
			m.problem(row, c, "names the card of line %d again: combine the two rows", first)
			return
		}
		m.seen[key] = row.Line
	}
	if card != nil {
		check(colCardID, card.ID)
	}
	switch external, sku := row.ExternalID.Value(), row.SKU.Value(); {
	case external != nil:
		check(colExternalID, "external_id "+*external)
	case card == nil && sku != nil && m.options.MatchSKU:
		check(colSKU, "sku "+*sku)
	}
}

// fill completes the rows that describe a card by its catalogue identifier alone.
func (m *matcher) fill(ctx context.Context, rows []*Row, found []*cards.Card) error {
	patches := make([]*cards.Patch, len(rows))
	for i, row := range rows {
		draft := row.draft()
		if found[i] != nil && reflect.DeepEqual(row.CatalogID.Value(), found[i].Identification.CatalogID) {
			draft = cards.Draft{} // the card is in the catalogue already, and may have a better title
		}
		patches[i] = &draft.Patch
	}
	faults, err := m.service.cards.FillEach(ctx, patches)
	if err != nil || faults == nil {
		return err
	}
	for i, p := range patches {
		if faults[i] != nil {
			m.file.fault(rows[i].Line, faults[i])
			continue
		}
		if p.CatalogID.Value() == nil {
			continue
		}
		rows[i].Patch = p.WithoutCleared() // the catalogue may lack values that the card has
	}
	return nil
}

// addNew stages the row of a new card.
func (m *matcher) addNew(ctx context.Context, row *Row) error {
	if !m.file.header.describesCards() {
		m.problem(row, colTitle, "is missing: no card matches this row, and a new card needs a title or a photo")
	}
	for _, photo := range row.files() {
		if message := m.photos.check(photo.Name); message != "" {
			m.file.problems.add(row.Line, string(photoColumnOf(photo.Role)), "%s", message)
		}
	}
	if m.file.problems.Total > 0 { // the file will not be imported
		return nil
	}
	if row.Batch == nil && m.options.Batch != "" {
		row.Batch = &m.options.Batch
	}
	if row.ExternalID.Value() != nil {
		row.OnConflict = m.options.OnConflict
	}
	row.Hints = m.options.Hints
	m.report.Cards += row.Quantity
	m.report.Photos += row.Quantity * len(row.files())
	return m.staged.add(ctx, *row)
}

// addExisting stages the row of an existing card, if it changes the card.
func (m *matcher) addExisting(ctx context.Context, row *Row, card *cards.Card) error {
	if row.Quantity != 1 {
		m.problem(row, colQuantity, "must be 1, because the row is the card %s", card.ID)
	}
	switch m.options.OnConflict {
	case cards.RefuseConflict:
		m.problem(row, colCardID,
			"the card %s exists: remove the row, or update or skip such rows (--on-conflict)", card.ID)
		return nil
	case cards.SkipConflict:
		m.report.Unchanged++
		return nil
	}
	batch, err := m.batches.of(ctx, card.BatchID)
	if err != nil {
		return err
	}
	present := asRead(RowOf(*card, batch))
	row.Patch = row.Patch.Without(present.Patch)
	if row.Batch != nil && present.Batch != nil && *row.Batch == *present.Batch {
		row.Batch = nil
	}
	patch := row.draft().Changes(card)
	if row.Batch == nil && patch.IsZero() {
		m.report.Unchanged++
		return nil
	}
	changed := *card
	m.file.fault(row.Line, patch.Apply(&changed, time.Now()))
	if row.Batch != nil && card.BatchID != nil {
		closed, err := m.batchClosed(ctx, *card.BatchID)
		if err != nil {
			return err
		}
		m.file.fault(row.Line, closed)
	}
	if m.file.problems.Total > 0 {
		return nil
	}
	m.report.Updated++
	row.CardID, row.Photos = card.ID, nil
	return m.staged.add(ctx, *row)
}

// batchClosed returns why no card can leave a batch, or nil if cards can.
func (m *matcher) batchClosed(ctx context.Context, batchID string) (closed, err error) {
	if closed, known := m.closed[batchID]; known {
		return closed, nil
	}
	found, err := m.service.batches.Closed(ctx, m.service.db, m.staged.accountID, []string{batchID})
	if err != nil {
		return nil, err
	}
	m.closed[batchID] = found[batchID]
	return found[batchID], nil
}

// asRead returns the row that Read returns for what Write writes, which differs where a value has space around it.
func asRead(row Row) Row {
	cells := row.cells()
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(cell, "\r\n", "\n") // as the CSV reader does
	}
	file := &reader{table: &table{separator: ','}, header: ownHeader}
	return record{reader: file, cells: cells}.row()
}

// ownHeader is the header of the files that Write writes.
var ownHeader = func() header {
	h := header{at: map[column]int{}}
	for i, c := range ownColumns {
		h.names, h.at[c.name] = append(h.names, string(c.name)), i
	}
	return h
}()
