package cards

import (
	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Two tables hold the indexed values that change often, so that most updates of a card touch no index of the table
// cards: card_changes has the time of the last update, card_search the text that the parameter q searches. Both are
// written with the card, in the same statement.
const (
	recordChange = `
		INSERT INTO card_changes (account_id, card_id, updated_at)
		SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[])
		ON CONFLICT (account_id, card_id) DO UPDATE SET updated_at = excluded.updated_at`
	indexContent = `
		INSERT INTO card_search (account_id, card_id, content)
		SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
		ON CONFLICT (account_id, card_id) DO UPDATE SET content = excluded.content`
)

// searchable returns the text that q searches.
func (c *Card) searchable() string {
	if c.Identification.Title == nil {
		return ""
	}
	return *c.Identification.Title
}

// writeDerived writes the rows of both tables for cards. befores are the cards before the update, or zero Cards for
// new ones.
func writeDerived(tx *postgres.Tx, befores, afters []Card) {
	var changed, searched derivedRows
	var times []string
	var contents pq.StringArray
	for i := range afters {
		before, after := &befores[i], &afters[i]
		if !after.UpdatedAt.Equal(before.UpdatedAt) {
			changed.add(after)
			times = append(times, timestamp.Format(after.UpdatedAt))
		}
		if content := after.searchable(); content != before.searchable() {
			searched.add(after)
			contents = append(contents, content)
		}
	}
	changed.write(tx, recordChange, pq.StringArray(times))
	searched.write(tx, indexContent, contents)
}

// derivedRows are the keys of rows to write.
type derivedRows struct{ accounts, cards pq.StringArray }

func (r *derivedRows) add(c *Card) {
	r.accounts, r.cards = append(r.accounts, c.AccountID), append(r.cards, c.ID)
}

func (r *derivedRows) write(tx *postgres.Tx, statement string, values pq.StringArray) {
	if len(values) > 0 {
		tx.DeferRows(statement, r.accounts, r.cards, values)
	}
}
