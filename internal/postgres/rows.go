package postgres

import (
	"bytes"
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/lib/pq"
)

// JSON is the value of a column of type jsonb.
type JSON string

// Value implements driver.Valuer: lib/pq sends a []byte as bytea.
func (j JSON) Value() (driver.Value, error) { return string(j), nil }

// MarshalJSON implements json.Marshaler.
func (j JSON) MarshalJSON() ([]byte, error) { return []byte(j), nil }

// InsertRows writes rows into columns of table by one INSERT, with all rows in one parameter. The values of a row are
// in the order of the columns.
func (tx *Tx) InsertRows(ctx context.Context, table string, columns []string, rows iter.Seq[[]any]) error {
	body, err := rowsJSON(columns, rows)
	if err != nil {
		return fmt.Errorf("insert rows: %w", err)
	}
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = pq.QuoteIdentifier(column)
	}
	list, into := strings.Join(names, ", "), pq.QuoteIdentifier(table)
	_, err = tx.Exec(ctx, `INSERT INTO `+into+` (`+list+`) SELECT `+list+
		` FROM json_populate_recordset(NULL::`+into+`, $1::json)`, body)
	return err
}

// UpdateRows writes columns of existing rows of one account by one UPDATE, with the rows in one parameter. The first
// two columns are account_id and id, which identify a row.
func (tx *Tx) UpdateRows(
	ctx context.Context, table, accountID string, columns []string, rows iter.Seq[[]any],
) error {
	body, err := rowsJSON(columns, rows)
	if err != nil {
		return fmt.Errorf("update rows: %w", err)
	}
	set := make([]string, 0, len(columns))
	for _, column := range columns[2:] {
		name := pq.QuoteIdentifier(column)
		set = append(set, name+" = n."+name)
	}
	target := pq.QuoteIdentifier(table)
	_, err = tx.Exec(ctx, `UPDATE `+target+` AS t SET `+strings.Join(set, ", ")+
		` FROM json_populate_recordset(NULL::`+target+`, $2::json) AS n
		WHERE t.account_id = $1 AND t.id = n.id`, accountID, body)
	return err
}

// rowsJSON returns an array of objects. It leaves out null values, so that PostgreSQL need not read them.
func rowsJSON(columns []string, rows iter.Seq[[]any]) (string, error) {
	keys := make([]string, len(columns))
	for i, column := range columns {
		key, err := json.Marshal(column)
		if err != nil {
			return "", err
		}
		keys[i] = string(key) + ":"
	}
	var body bytes.Buffer
	values := json.NewEncoder(&body)
	values.SetEscapeHTML(false)
	body.WriteByte('[')
	for row := range rows {
		body.WriteByte('{')
		for i, value := range row {
			before := body.Len()
			body.WriteString(keys[i])
			begin := body.Len()
			if err := encode(values, value); err != nil {
				return "", err
			}
			if string(body.Bytes()[begin:]) == "null\n" {
				body.Truncate(before)
				continue
			}
			body.Truncate(body.Len() - 1) // Encode ends with a newline
			body.WriteByte(',')
		}
		endList(&body, '}')
		body.WriteByte(',')
	}
	endList(&body, ']')
	return body.String(), nil
}

// endList ends a list, in place of the comma after its last element.
func endList(body *bytes.Buffer, end byte) {
	if body.Bytes()[body.Len()-1] == ',' {
		body.Truncate(body.Len() - 1)
	}
	body.WriteByte(end)
}

// encode writes a value as JSON that PostgreSQL reads as the column's type.
func encode(to *json.Encoder, value any) error {
	if valuer, ok := value.(driver.Valuer); ok {
		if _, ok := value.(json.Marshaler); !ok {
			plain, err := valuer.Value()
			if err != nil {
				return err
			}
			value = plain
		}
	}
	return to.Encode(value)
}
