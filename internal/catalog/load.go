package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/catalog/folding"
	"github.com/cardvault/cardvault/internal/postgres"
)

// importLock is an advisory lock that makes imports run one at a time, so that no other import changes the rows between
// comparing and writing them. The number must differ from other locks of the program: it is "catalog" in ASCII.
const importLock = 0x636174616c6f67

// copyColumns are the columns that an import writes, in the order of cardValues.
var copyColumns = []string{
	"id", "game", "name", "set", "set_code", "number", "printed_total", "year", "illustrator", "hp", "language",
	"rarity", "variant", "text", "price_amount", "price_currency", "price_as_of",
	"name_key", "set_key", "set_code_key", "number_key", "words",
}

// cardValues returns the columns of a card, with the columns for searches.
func cardValues(c Card) []any {
	values := []any{
		c.ID, c.Game, c.Name, c.Set, c.SetCode, c.Number, c.PrintedTotal, c.Year, c.Illustrator, c.HP, c.Language,
		c.Rarity, c.Variant, c.Text,
	}
	if c.Price == nil || c.PriceAsOf == nil {
		values = append(values, nil, nil, nil)
	} else {
		values = append(values, c.Price.Amount, c.Price.Currency, c.PriceAsOf.UTC())
	}
	return append(values, textKey(c.Name), textKey(c.Set), textKey(c.SetCode), numberKey(c.Number),
		pq.Array(Words(c.Name+" "+c.Text)))
}

// importCards copies the job's cards to a temporary table and then merges them into the catalogue.
func (j importJob) importCards(ctx context.Context, tx *postgres.Tx) (Report, error) {
	var report Report
	if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, int64(importLock)); err != nil {
		return report, err
	}
	const create = `
		CREATE TEMP TABLE catalog_import (LIKE catalog_cards, ordinal integer, file text, line integer) ON COMMIT DROP`
	if _, err := tx.Exec(ctx, create); err != nil {
		return report, err
	}
	columns := append([]string{"ordinal", "file", "line"}, copyColumns...)
	if err := j.copyRows(ctx, tx, &report, "catalog_import", columns, j.parse); err != nil {
		return report, err
	}
	if err := dropRepeats(ctx, tx, &report); err != nil {
		return report, err
	}
	if j.format == PokemonTCGData || j.format == TCGdex {
		if err := dropKnown(ctx, tx); err != nil {
			return report, err
		}
	}
	return report, merge(ctx, tx, &report)
}

// copyRows streams the rows of parse into a table.
func (j importJob) copyRows(
	ctx context.Context, tx *postgres.Tx, report *Report, table string, columns []string, parse func(*sink) error,
) error {
	out := &sink{ctx: ctx, format: j.format, path: j.path, language: j.language, report: report}
	var parseErr error
	err := tx.CopyIn(ctx, table, columns, func(yield func([]any) bool) {
		out.yield = yield
		parseErr = parse(out)
	})
	switch {
	case err != nil:
		return err
	case parseErr != nil:
		return parseErr
	}
	return out.finish()
}

// dropRepeats deletes and reports the rows that have the identifier of an earlier row of the import.
func dropRepeats(ctx context.Context, tx *postgres.Tx, report *Report) error {
	var repeats []struct {
		ID      string `db:"id"`
		File    string `db:"file"`
		Line    int    `db:"line"`
		Ordinal int    `db:"ordinal"`
	}
	const query = `DELETE FROM catalog_import r USING
			(SELECT id, min(ordinal) AS first FROM catalog_import GROUP BY id HAVING count(*) > 1) f
		WHERE r.id = f.id AND r.ordinal > f.first RETURNING r.id, r.file, r.line, r.ordinal`
	if err := tx.Select(ctx, &repeats, query); err != nil {
		return err
	}
	for _, r := range repeats {
		report.skip(r.File, r.Line, fmt.Sprintf("id %q was already used by an earlier row, which is kept", r.ID))
	}
	return nil
}

// dropKnown deletes the new rows whose printing the catalogue has under another identifier: pokemon-tcg-data and TCGdex
// share most English cards, and no photo could decide between two cards for one printing. The rows count as unchanged.
func dropKnown(ctx context.Context, tx *postgres.Tx) error {
	_, err := tx.Exec(ctx, `DELETE FROM catalog_import i USING catalog_cards c
		WHERE c.game = i.game AND c.language = i.language AND c.name_key = i.name_key AND c.set_key = i.set_key
			AND c.number_key = i.number_key AND c.variant = i.variant AND i.set_key <> '' AND i.number_key <> ''
			AND NOT EXISTS (SELECT FROM catalog_cards known WHERE known.id = i.id)`)
	return err
}

// merge merges catalog_import into catalog_cards. It writes only rows that differ.
func merge(ctx context.Context, tx *postgres.Tx, report *Report) error {
	if _, err := tx.Exec(ctx, `ANALYZE catalog_import`); err != nil {
		return err
	}
	updates, err := tx.Exec(ctx, updateQuery())
	if err != nil {
		return err
	}
	inserts, err := tx.Exec(ctx, `INSERT INTO catalog_cards (`+columnList("")+`) SELECT `+columnList("i.")+`
		FROM catalog_import i WHERE NOT EXISTS (SELECT FROM catalog_cards c WHERE c.id = i.id)`)
	if err != nil {
		return err
	}
	updateCount, _ := updates.RowsAffected() // does not fail with lib/pq
	insertCount, _ := inserts.RowsAffected()
	report.Updated, report.Inserted = int(updateCount), int(insertCount)
	report.Unchanged = report.Read - report.Skipped - report.Updated - report.Inserted
	if updateCount+insertCount == 0 {
		return nil
	}
	if err := indexWords(ctx, tx); err != nil {
		return err
	}
	return incrementVersion(ctx, tx)
}

// updateQuery returns the statement that updates the cards that differ. It keeps a price if the import has none.
func updateQuery() string {
	values := make([]string, len(copyColumns))
	for i, column := range copyColumns {
		values[i] = "i." + column
		if strings.HasPrefix(column, "price_") {
			values[i] = "CASE WHEN i.price_amount IS NULL THEN c." + column + " ELSE i." + column + " END"
		}
	}
	newer := strings.Join(values, ", ")
	return `UPDATE catalog_cards c SET (` + columnList("") + `) = ROW (` + newer + `)
		FROM catalog_import i WHERE i.id = c.id
		AND ROW (` + columnList("c.") + `) IS DISTINCT FROM ROW (` + newer + `)`
}

// columnList returns copyColumns, each with a prefix, separated by commas.
func columnList(prefix string) string {
	return prefix + strings.Join(copyColumns, ", "+prefix)
}

// indexWords rebuilds catalog_words and catalog_spellings from all cards, and updates the statistics of the tables.
func indexWords(ctx context.Context, tx *postgres.Tx) error {
	for _, statement := range []struct {
		query string
		args  []any
	}{
		{`DELETE FROM catalog_words`, nil},
		{`DELETE FROM catalog_spellings`, nil},
		{`INSERT INTO catalog_words (word, weight, card_ids, card_count)
			SELECT word, ln(1 + (SELECT count(*) FROM catalog_cards)::float8 / count(*)), array_agg(id), count(*)
			FROM (SELECT id, unnest(words) AS word FROM catalog_cards) w GROUP BY word`, nil},
		{`INSERT INTO catalog_spellings (spelling, word)
			SELECT word, word FROM catalog_words
			UNION SELECT left(word, i - 1) || substr(word, i + 1), word
			FROM catalog_words, generate_series(1, length(word)) AS i
			WHERE length(word) >= CASE WHEN word ~ $3 THEN $2::int ELSE $1::int END`,
			[]any{minTypo, minRunTypo, folding.UnspacedPattern}},
		{`ANALYZE catalog_cards, catalog_words, catalog_spellings`, nil},
	} {
		if _, err := tx.Exec(ctx, statement.query, statement.args...); err != nil {
			return err
		}
	}
	return nil
}
