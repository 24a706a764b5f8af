package cards

import (
	"fmt"
	"strings"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// Three tables hold the indexed values that change often, so that most updates of a card touch no index of the table
// cards: card_changes has the time of the last update, card_prices the price by which lists are sorted, card_search the
// text that the parameter q searches and the title by which lists are sorted. They are written with the card, in the
// same statement.
const (
	recordChange = `
		INSERT INTO card_changes (account_id, card_id, updated_at)
		SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[])
		ON CONFLICT (account_id, card_id) DO UPDATE SET updated_at = excluded.updated_at`
	indexPrice = `
		INSERT INTO card_prices (account_id, card_id, price_key)
		SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
		ON CONFLICT (account_id, card_id) DO UPDATE SET price_key = excluded.price_key`
	indexContent = `
		INSERT INTO card_search (account_id, card_id, searched, title_key, title_order, keyed)
		SELECT account_id, card_id, searched, title_key, title_order, ` + keyedText + `
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[])
			AS c (account_id, card_id, searched, title_key, title_order)
		ON CONFLICT (account_id, card_id) DO UPDATE SET searched = excluded.searched, title_key = excluded.title_key,
			title_order = excluded.title_order, keyed = excluded.keyed`
)

// searchedTexts returns the texts of the card in which q searches. The first is the title, by which lists are sorted.
func (c *Card) searchedTexts() [5]*string {
	d := &c.Identification.Description
	return [...]*string{d.Title, d.Number, d.Set, c.SKU, c.ExternalID}
}

// searchedAlike reports whether the cards have the same row of card_search.
func (c *Card) searchedAlike(other *Card) bool {
	texts := c.searchedTexts()
	for i, text := range other.searchedTexts() {
		if !equal(texts[i], text) {
			return false
		}
	}
	return true
}

// content returns the texts of the card in which q searches, as one text.
func (c *Card) content() string {
	var parts []string
	for _, part := range c.searchedTexts() {
		if part != nil {
			parts = append(parts, *part)
		}
	}
	return strings.Join(parts, "\n")
}

// titleKey returns the text by which lists are sorted by title while keys are missing.
func (c *Card) titleKey() string {
	if c.Identification.Title == nil {
		return ""
	}
	return sortKey(strings.ToLower(*c.Identification.Title))
}

// priceKey returns the text by which lists are sorted by price: first by currency, then by amount.
func (c *Card) priceKey() string {
	price := c.Pricing.AskingPrice
	if price == nil {
		return ""
	}
	return fmt.Sprintf("%s%0*d", price.Currency, amountDigits, price.Amount)
}

// amountDigits is the number of digits of the largest amount.
const amountDigits = 11

// writeDerived writes the rows of these tables for cards. befores are the cards before the update, or zero Cards for
// new ones.
func writeDerived(tx *postgres.Tx, befores, afters []Card) {
	var changed, priced derivedRows
	var times, prices pq.StringArray
	var searched []Card
	for i := range afters {
		before, after := &befores[i], &afters[i]
		if !after.UpdatedAt.Equal(before.UpdatedAt) {
			changed.add(after)
			times = append(times, timestamp.Format(after.UpdatedAt))
		}
		isNew := before.ID == ""
		if isNew || !equal(before.Pricing.AskingPrice, after.Pricing.AskingPrice) {
			priced.add(after)
			prices = append(prices, after.priceKey())
		}
		if isNew || !before.searchedAlike(after) {
			searched = append(searched, *after)
		}
	}
	countChanges(tx, befores, afters)
	changed.write(tx, recordChange, times)
	priced.write(tx, indexPrice, prices)
	writeSearch(tx, searched)
}

// writeSearch writes the rows of card_search for cards.
func writeSearch(tx *postgres.Tx, list []Card) {
	var rows derivedRows
	var texts, titles, orders pq.StringArray
	for i := range list {
		card := &list[i]
		rows.add(card)
		texts, titles = append(texts, searchText(card.content())), append(titles, card.titleKey())
		orders = append(orders, card.titleOrder())
	}
	rows.write(tx, indexContent, texts, titles, orders)
}

// derivedRows are the keys of rows to write.
type derivedRows struct{ accounts, cards pq.StringArray }

func (r *derivedRows) add(c *Card) {
	r.accounts, r.cards = append(r.accounts, c.AccountID), append(r.cards, c.ID)
}

func (r *derivedRows) write(tx *postgres.Tx, statement string, values ...any) {
	if len(r.cards) > 0 {
		tx.DeferRows(statement, append([]any{r.accounts, r.cards}, values...)...)
	}
}
