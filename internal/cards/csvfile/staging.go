package csvfile

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/postgres"
)

// The limits of a chunk, the smallest unit that one transaction applies while the account's other writers
// wait.
const (
	maxChunkCards = 100
	maxChunkBytes = 256 << 10 // of rows in JSON, counted for each copy
)

// chunksAtOnce is the number of chunks that are stored together.
const chunksAtOnce = 5

// staging stores the rows of one import in the database, chunk by chunk. Other processes do not read them
// before the import is accepted.
type staging struct {
	db        *postgres.DB
	accountID string
	importID  string
	stored    int  // number of stored chunks
	pictured  bool // some chunks have stored photos

	// The full chunks that are not stored yet: the place of the first card, the number of cards and the rows, chunk by
	// chunk.
	places, counts pq.Int64Array
	texts          pq.StringArray

	// The current chunk.
	place, cards, size int
	rows               bytes.Buffer // a JSON array without the closing bracket
}

// stagedRow is a row in a chunk. A row with many copies can be in several chunks.
type stagedRow struct {
	Copies int `json:"copies"`
	Row    Row `json:"row"`
	// Pictures are the stored photos, copy by copy, or nil if the row refers to no files.
	Pictures [][]cards.Photo `json:"pictures,omitempty"`
	dropped  bool            // by rematch
}

// size returns what the row stands for.
func (r *stagedRow) size() size {
	if r.Row.CardID != "" {
		return size{Updates: 1}
	}
	s := size{Cards: r.Copies}
	for _, pictures := range r.Pictures {
		s.Photos += len(pictures)
	}
	return s
}

// add adds a row and stores the chunks that it fills.
func (s *staging) add(ctx context.Context, row Row) error {
	text, err := json.Marshal(row)
	if err != nil {
		return fmt.Errorf("stage rows: %w", err)
	}
	for left := row.Quantity; left > 0; {
		copies := min(left, s.room(len(text)))
		if copies == 0 {
			if err := s.closeChunk(ctx); err != nil {
				return err
			}
			continue
		}
		separator := ','
		if s.cards == 0 {
			separator = '['
		}
		fmt.Fprintf(&s.rows, `%c{"copies":%d,"row":%s}`, separator, copies, text)
		s.cards, s.size = s.cards+copies, s.size+copies*len(text)
		left -= copies
	}
	return nil
}

// total returns the number of cards added.
func (s *staging) total() int { return s.place + s.cards }

// room returns how many more cards of this size fit into the chunk. An empty chunk accepts any size.
func (s *staging) room(size int) int {
	room := min(maxChunkCards-s.cards, (maxChunkBytes-s.size)/size)
	if s.cards == 0 {
		return max(room, 1)
	}
	return max(room, 0)
}

// closeChunk starts a new chunk. It stores the full chunks if there are chunksAtOnce.
func (s *staging) closeChunk(ctx context.Context) error {
	s.rows.WriteByte(']')
	s.places, s.counts = append(s.places, int64(s.place)), append(s.counts, int64(s.cards))
	s.texts = append(s.texts, s.rows.String())
	s.place, s.cards, s.size = s.place+s.cards, 0, 0
	s.rows.Reset()
	if len(s.texts) < chunksAtOnce {
		return nil
	}
	return s.store(ctx)
}

// flush stores all chunks that are not stored yet.
func (s *staging) flush(ctx context.Context) error {
	if s.cards > 0 {
		if err := s.closeChunk(ctx); err != nil {
			return err
		}
	}
	if len(s.texts) == 0 {
		return nil
	}
	return s.store(ctx)
}

// store stores the full chunks.
func (s *staging) store(ctx context.Context) error {
	_, err := s.db.Exec(ctx, `
		INSERT INTO card_import_chunks (account_id, import_id, place, cards, rows, photo_ids, staged_at)
		SELECT $1, $2, place, cards, rows, '{}', now()
		FROM unnest($3::integer[], $4::integer[], $5::json[]) AS chunk (place, cards, rows)`,
		s.accountID, s.importID, s.places, s.counts, s.texts)
	if err != nil {
		return fmt.Errorf("stage rows: %w", err)
	}
	s.stored += len(s.texts)
	s.places, s.counts, s.texts = nil, nil, nil
	return nil
}

// chunk is a stored part of an import.
type chunk struct {
	Place int    `db:"place"` // of its first card in the file, from 0
	Cards int    `db:"cards"`
	Text  string `db:"rows"`
	rows  []stagedRow
}

// end returns the place of the first card after the chunk.
func (c *chunk) end() int { return c.Place + c.Cards }

// nextChunk reads the import's first chunk at or after a place, or nil.
func nextChunk(ctx context.Context, q postgres.Querier, accountID, importID string, from int) (*chunk, error) {
	var c chunk
	err := q.Get(ctx, &c, `
		SELECT place, cards, rows FROM card_import_chunks
		WHERE account_id = $1 AND import_id = $2 AND place >= $3 ORDER BY place LIMIT 1`, accountID, importID, from)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(c.Text), &c.rows)
	}
	if err != nil {
		return nil, fmt.Errorf("csvfile: chunk of import %s: %w", importID, err)
	}
	return &c, nil
}

// chunks iterates over the chunks of an import in order. It reads the next chunk while the caller uses one.
func chunks(ctx context.Context, q postgres.Querier, accountID, importID string) iter.Seq2[*chunk, error] {
	type result struct {
		chunk *chunk
		err   error
	}
	read := func(from int) <-chan result {
		ahead := make(chan result, 1)
		go func() {
			c, err := nextChunk(ctx, q, accountID, importID, from)
			ahead <- result{c, err}
		}()
		return ahead
	}
	return func(yield func(*chunk, error) bool) {
		for ahead := read(0); ; {
			r := <-ahead
			if r.err != nil {
				yield(nil, r.err)
				return
			}
			if r.chunk == nil {
				return
			}
			ahead = read(r.chunk.end())
			if !yield(r.chunk, nil) {
				<-ahead
				return
			}
		}
	}
}

// savePictures updates the chunk with the photos of its rows.
func (s *staging) savePictures(ctx context.Context, c *chunk) error {
	text, err := json.Marshal(c.rows)
	if err != nil {
		return fmt.Errorf("save pictures: %w", err)
	}
	ids := pq.StringArray{}
	for _, photo := range c.pictures() {
		ids = append(ids, photo.ID)
	}
	_, err = s.db.Exec(ctx, `
		UPDATE card_import_chunks SET rows = $4, photo_ids = $5
		WHERE account_id = $1 AND import_id = $2 AND place = $3`,
		s.accountID, s.importID, c.Place, string(text), ids)
	if err != nil {
		return fmt.Errorf("save pictures: %w", err)
	}
	s.pictured = true
	return nil
}

// StagedPhotoIDs calls visit with the photos that are stored for the account's staged cards, chunk by chunk. The
// transaction that creates the cards deletes the chunk, so a caller that needs every photo in use must read these first
// and the cards' photos afterwards.
func (s *Service) StagedPhotoIDs(ctx context.Context, accountID string, visit func(ids []string)) error {
	rows, err := s.db.Query(ctx, `SELECT photo_ids FROM card_import_chunks WHERE account_id = $1`, accountID)
	if err != nil {
		return fmt.Errorf("list staged photos: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var ids pq.StringArray
		if err := rows.Scan(&ids); err != nil {
			return fmt.Errorf("list staged photos: %w", err)
		}
		visit(ids)
	}
	return rows.Err()
}

// pictures returns all stored photos of the chunk's cards.
func (c *chunk) pictures() (list []cards.Photo) {
	for _, row := range c.rows {
		for _, ofCopy := range row.Pictures {
			list = append(list, ofCopy...)
		}
	}
	return list
}
