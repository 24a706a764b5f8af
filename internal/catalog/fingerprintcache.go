package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/cardvault/cardvault/internal/postgres"
)

// loadTimeout is the timeout of loading the index. 20,000 fingerprints take about 0.1 s.
const loadTimeout = 15 * time.Second

// fingerprintCache keeps the index of the fingerprints in the current version of the catalogue.
type fingerprintCache struct {
	db      *postgres.DB
	loading singleflight.Group
	index   atomic.Pointer[fingerprintIndex]
}

// current returns the index of the current version. It loads the index if the version has changed.
func (c *fingerprintCache) current(ctx context.Context) (*fingerprintIndex, error) {
	for {
		version, err := currentVersion(ctx, c.db)
		if err != nil {
			return nil, err
		}
		if index := c.index.Load(); index != nil && index.version == version {
			return index, nil
		}
		// Another search may have begun to load before the change that made this version, so compare again.
		if err := c.load(ctx); err != nil {
			return nil, err
		}
	}
}

// load loads the index, once for all concurrent searches. It continues when the context of a search ends.
func (c *fingerprintCache) load(ctx context.Context) error {
	done := c.loading.DoChan("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
		defer cancel()
		index, err := loadFingerprints(ctx, c.db)
		if err != nil {
			return nil, fmt.Errorf("load fingerprints: %w", err)
		}
		c.index.Store(index)
		return nil, nil
	})
	select {
	case <-ctx.Done():
		return ctx.Err()
	case result := <-done:
		return result.Err
	}
}

// loadFingerprints reads the fingerprints and the version in one statement, so that they belong together. bit_send
// returns the number of bits in 4 bytes and then the bits, a third of the size of their text. A catalogue without
// fingerprints has one row, whose card_id is empty.
//
// The subquery is there because PostgreSQL has no statistics of catalog_version. It would expect a thousand rows in the
// join, and compile the statement, which takes longer than running it.
func loadFingerprints(ctx context.Context, db *postgres.DB) (*fingerprintIndex, error) {
	rows, err := db.Query(ctx, `
		SELECT v.version, coalesce(f.card_id, ''), coalesce(bit_send(f.hash), ''), coalesce(c.game, ''),
			coalesce(c.set_key, ''), coalesce(c.set_code_key, '')
		FROM (SELECT (SELECT version FROM catalog_version WHERE only_row) AS version) v
		LEFT JOIN (catalog_fingerprints f JOIN catalog_cards c ON c.id = f.card_id) ON true
		ORDER BY f.card_id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	index := &fingerprintIndex{}
	sets := map[cardSet]uint32{}
	for rows.Next() {
		var e fingerprintEntry
		var hash sql.RawBytes
		var set cardSet
		if err := rows.Scan(&index.version, &e.cardID, &hash, &set.game, &set.key, &set.codeKey); err != nil {
			return nil, err
		}
		if e.cardID == "" {
			continue
		}
		at, ok := sets[set]
		if !ok {
			at = uint32(len(index.sets))
			sets[set], index.sets = at, append(index.sets, set)
		}
		e.hash, e.set = bitsOf(hash[4:]), at
		index.entries = append(index.entries, e)
	}
	return index, rows.Err()
}
