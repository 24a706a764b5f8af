package catalog

import (
	"time"

	"github.com/cardvault/cardvault/internal/money"
)

// cardColumns are the columns of cardRow in the table catalog_cards with the alias c.
const cardColumns = `c.id, c.game, c.name, c.set, c.set_code, c.number, c.printed_total, c.year, c.illustrator, c.hp,
	c.language, c.rarity, c.variant, c.text, c.price_amount, c.price_currency, c.price_as_of`

// cardRow is a row of catalog_cards with the columns that searches return.
type cardRow struct {
	ID            string     `db:"id"`
	Game          string     `db:"game"`
	Name          string     `db:"name"`
	Set           string     `db:"set"`
	SetCode       string     `db:"set_code"`
	Number        string     `db:"number"`
	PrintedTotal  int        `db:"printed_total"`
	Year          int        `db:"year"`
	Illustrator   string     `db:"illustrator"`
	HP            int        `db:"hp"`
	Language      string     `db:"language"`
	Rarity        string     `db:"rarity"`
	Variant       string     `db:"variant"`
	Text          string     `db:"text"`
	PriceAmount   *int64     `db:"price_amount"`
	PriceCurrency *string    `db:"price_currency"`
	PriceAsOf     *time.Time `db:"price_as_of"`
}

func (r cardRow) card() Card {
	c := Card{
		ID: r.ID, Game: r.Game, Name: r.Name, Set: r.Set, SetCode: r.SetCode, Number: r.Number,
		PrintedTotal: r.PrintedTotal, Year: r.Year, Illustrator: r.Illustrator, HP: r.HP, Language: r.Language,
		Rarity: r.Rarity, Variant: r.Variant, Text: r.Text, PriceAsOf: r.PriceAsOf,
	}
	if r.PriceAmount != nil && r.PriceCurrency != nil {
		c.Price = &money.Money{Amount: *r.PriceAmount, Currency: *r.PriceCurrency}
	}
	return c
}

func cards(rows []cardRow) []Card {
	list := make([]Card, len(rows))
	for i, row := range rows {
		list[i] = row.card()
	}
	return list
}

// scoredRow is a cardRow with the score of a search.
type scoredRow struct {
	cardRow
	Score float64 `db:"score"`
}

func matches(rows []scoredRow) []Match {
	list := make([]Match, len(rows))
	for i, row := range rows {
		list[i] = Match{Card: row.card(), Score: row.Score}
	}
	return list
}
