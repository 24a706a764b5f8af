package main

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/lib/pq"
)

// columns and the statements below are copies from internal/cards, internal/clock, internal/events and
// internal/accounts. The change of a price writes the same rows as the service does.
const columns = `account_id, id, workflow_status,
	title, set, number, catalog_id, game, year, variant, language, condition,
	grade_company, grade_value, grade_cert_number,
	identification_status, source, provider, confidence, identified_at,
	asking_amount, asking_currency, floor_amount, floor_currency, cost_amount, cost_currency, priced_at, ever_priced,
	location, batch_id, listing_id, listing_status, sale_id, archived, photos, sku, external_id, notes, metadata,
	awaits_identification, version, created_at, updated_at`

// pageSize is the number of cards on a page. One more row is read to see whether there is another page.
const pageSize = 50

// store holds the prepared statements.
type store struct {
	db                                                                                *sql.DB
	token, get, listStatus, listSet, takeClock, update, recordHistory, recordHappened *sql.Stmt
}

func newStore(db *sql.DB) (*store, error) {
	s := &store{db: db}
	for statement, text := range map[**sql.Stmt]string{
		&s.token: `
			SELECT h.account_id, h.token_id, a.sandbox, t.limits, t.scopes, t.last_used_at, t.revoked_at, now()
			FROM token_hashes h
			JOIN tokens t ON t.account_id = h.account_id AND t.id = h.token_id
			JOIN accounts a ON a.id = h.account_id
			WHERE h.hash = $1`,
		&s.get: `SELECT ` + columns + ` FROM cards WHERE account_id = $1 AND id = $2`,
		&s.listStatus: `SELECT ` + columns +
			` FROM cards WHERE account_id = $1 AND workflow_status = $2 ORDER BY created_at DESC, id DESC LIMIT 51`,
		&s.listSet: `SELECT ` + columns +
			` FROM cards WHERE account_id = $1 AND set = $2 ORDER BY created_at DESC, id DESC LIMIT 51`,
		&s.takeClock: `
			UPDATE account_clock
			SET last_at = greatest($2, last_at + interval '1 microsecond'), change = change + 1
			WHERE account_id = $1
			RETURNING last_at, change, endpoints, endpoints_version`,
		&s.update: `
			WITH changed AS (
				INSERT INTO card_changes (account_id, card_id, updated_at) VALUES ($1, $2, $43)
				ON CONFLICT (account_id, card_id) DO UPDATE SET updated_at = excluded.updated_at),
			priced AS (
				INSERT INTO card_prices (account_id, card_id, price_key) VALUES ($1, $2, $44)
				ON CONFLICT (account_id, card_id) DO UPDATE SET price_key = excluded.price_key)
			UPDATE cards SET workflow_status = $3,
				title = $4, set = $5, number = $6, catalog_id = $7, game = $8, year = $9, variant = $10,
				language = $11, condition = $12, grade_company = $13, grade_value = $14, grade_cert_number = $15,
				identification_status = $16, source = $17, provider = $18, confidence = $19, identified_at = $20,
				asking_amount = $21, asking_currency = $22, floor_amount = $23, floor_currency = $24,
				cost_amount = $25, cost_currency = $26,
				priced_at = $27, ever_priced = $28, location = $29, batch_id = $30, listing_id = $31,
				listing_status = $32, sale_id = $33, archived = $34, photos = $35, sku = $36, external_id = $37,
				notes = $38, metadata = $39, awaits_identification = $40, version = $41, created_at = $42,
				updated_at = $43
			WHERE account_id = $1 AND id = $2`,
		&s.recordHistory: `
			INSERT INTO card_history (account_id, card_id, at, version, actor_type, actor_id, changes)
			VALUES ($1, $2, $3, $4, 'token', $5, $6)`,
		&s.recordHappened: `
			INSERT INTO events (account_id, created_at, id, event, body)
			SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[])`,
	} {
		stmt, err := db.Prepare(text)
		if err != nil {
			return nil, err
		}
		*statement = stmt
	}
	return s, nil
}

// owner is the account of a token.
type owner struct{ accountID, tokenID string }

// authenticate returns the account of a token.
func (s *store) authenticate(ctx context.Context, token string) (owner, error) {
	var o owner
	var limits, scopes string
	var sandbox bool
	var lastUse, revokedAt, now *time.Time
	hash := sha256.Sum256([]byte(token))
	err := s.token.QueryRowContext(ctx, hash[:]).
		Scan(&o.accountID, &o.tokenID, &sandbox, &limits, &scopes, &lastUse, &revokedAt, &now)
	return o, err
}

func (s *store) list(ctx context.Context, statement *sql.Stmt, args ...any) ([]card, error) {
	rows, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	cards := make([]card, 0, pageSize+1)
	for rows.Next() {
		c, err := scan(rows)
		if err != nil {
			return nil, err
		}
		cards = append(cards, c)
	}
	return cards, rows.Err()
}

// setPrice makes the measured change in one transaction: clock, select, update, history, events.
func (s *store) setPrice(ctx context.Context, o owner, cardID string, price *money) (card, error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return card{}, err
	}
	defer tx.Rollback()
	var now time.Time
	var change, endpointsVersion int64
	var endpoints int
	err = tx.StmtContext(ctx, s.takeClock).
		QueryRowContext(ctx, o.accountID, time.Now().UTC().Truncate(time.Microsecond)).
		Scan(&now, &change, &endpoints, &endpointsVersion)
	if err != nil {
		return card{}, err
	}
	c, err := scan(tx.StmtContext(ctx, s.get).QueryRowContext(ctx, o.accountID, cardID))
	if err != nil {
		return card{}, err
	}
	data, changes := c.setPrice(price, now)
	if _, err := tx.StmtContext(ctx, s.update).ExecContext(ctx, c.values()...); err != nil {
		return card{}, err
	}
	if err := s.recordChanges(ctx, tx, o, &c, changes); err != nil {
		return card{}, err
	}
	if err := s.record(ctx, tx, o.accountID, now, data); err != nil {
		return card{}, err
	}
	return c, tx.Commit()
}

// recordChanges writes the changed fields into the history of the card.
func (s *store) recordChanges(ctx context.Context, tx *sql.Tx, o owner, c *card, changes []change) error {
	text, err := json.Marshal(changes)
	if err != nil {
		return err
	}
	_, err = tx.StmtContext(ctx, s.recordHistory).
		ExecContext(ctx, o.accountID, c.ID, c.UpdatedAt, c.Version, o.tokenID, string(text))
	if err != nil {
		return fmt.Errorf("recordChanges: %w", err)
	}
	return nil
}

// record writes the events.
func (s *store) record(ctx context.Context, tx *sql.Tx, accountID string, now time.Time, data []eventData) error {
	if len(data) == 0 {
		return nil
	}
	ids, kinds, bodies := make([]string, len(data)), make([]string, len(data)), make([]string, len(data))
	for i := range data {
		ids[i], kinds[i] = newEventID(now), data[i].kind()
		body, err := json.Marshal(event{ID: ids[i], Event: kinds[i], CreatedAt: now, AccountID: accountID,
			Data: data[i]})
		if err != nil {
			return err
		}
		bodies[i] = string(body)
	}
	_, err := tx.StmtContext(ctx, s.recordHappened).
		ExecContext(ctx, accountID, now, pq.Array(ids), pq.Array(kinds), pq.Array(bodies))
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}
