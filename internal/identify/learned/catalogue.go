package learned

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/postgres"
)

// Catalogue is the reference catalogue whose fingerprints include learned ones. Searches use the learned fingerprints
// of the context's account, which For sets.
type Catalogue struct {
	*catalog.Service
	db     *postgres.DB
	shared bool
}

// NewCatalogue returns the catalogue with the learned fingerprints in db. If shared is true, searches use the
// fingerprints of all accounts.
func NewCatalogue(c *catalog.Service, db *postgres.DB, shared bool) *Catalogue {
	return &Catalogue{Service: c, db: db, shared: shared}
}

type accountKey struct{}

// For returns a context in which searches use the cards that the account has confirmed.
func For(ctx context.Context, accountID string) context.Context {
	return context.WithValue(ctx, accountKey{}, accountID)
}

func accountOf(ctx context.Context) string {
	accountID, _ := ctx.Value(accountKey{}).(string)
	return accountID
}

// gameFactor is how many more fingerprints are read if cards of some games are left out after the search. The tables of
// accounts and of the catalogue are not joined, because they can be on different machines.
const gameFactor = 4

// unconfirmed is the least distance of a card that only one other account proposes, in bits. The nearest unrelated card
// is about as far, so such a card is a candidate that the picture alone does not support.
const unconfirmed = 165

// ByFingerprint searches like the catalogue's ByFingerprint, and adds at most limit cards for the learned fingerprints.
// A card that only one other account proposes has at least the distance unconfirmed.
func (c *Catalogue) ByFingerprint(
	ctx context.Context, h catalog.Hints, hash [64]byte, limit int,
) ([]catalog.FingerprintMatch, error) {
	matches, err := c.Service.ByFingerprint(ctx, h, hash, limit)
	if err != nil {
		return nil, err
	}
	near, err := c.nearest(ctx, hash, gameFactor*limit)
	if err != nil || len(near) == 0 {
		return matches, err
	}
	return c.merge(ctx, h, matches, near, limit)
}

// distance is the distance of a learned fingerprint.
type distance struct {
	AccountID string `db:"account_id"`
	CatalogID string `db:"catalog_id"`
	Bits      int    `db:"distance"`
}

// nearest returns the printings with the nearest learned fingerprints, each once, nearest first.
func (c *Catalogue) nearest(ctx context.Context, hash [64]byte, limit int) ([]distance, error) {
	const query = `
		SELECT account_id, catalog_id, min(bit_count(hash # $1::bit(512))) AS distance FROM learned_fingerprints
		WHERE `
	const order = ` GROUP BY account_id, catalog_id ORDER BY distance, catalog_id, account_id LIMIT $3`
	owner := accountOf(ctx)
	var rows, others []distance
	err := c.db.Select(ctx, &rows, query+`account_id = $2`+order, catalog.Bits(hash), owner, limit)
	if err == nil && c.shared {
		err = c.db.Select(ctx, &others, query+`account_id <> $2`+order, catalog.Bits(hash), owner, limit)
	}
	if err != nil {
		return nil, fmt.Errorf("search learned fingerprints: %w", err)
	}
	return proposals(append(rows, others...), owner), nil
}

// proposals returns the printings of rows, each once, nearest first. Printings without evidence have at least the
// distance unconfirmed.
func proposals(rows []distance, owner string) []distance {
	sure := evidence(rows, owner)
	least := map[string]int{}
	for _, row := range rows {
		bits := max(row.Bits, unconfirmed)
		if firm, ok := sure[row.CatalogID]; ok {
			bits = firm
		}
		if nearest, met := least[row.CatalogID]; !met || bits < nearest {
			least[row.CatalogID] = bits
		}
	}
	list := make([]distance, 0, len(least))
	for id, bits := range least {
		list = append(list, distance{CatalogID: id, Bits: bits})
	}
	slices.SortFunc(list, func(a, b distance) int {
		return cmp.Or(cmp.Compare(a.Bits, b.Bits), cmp.Compare(a.CatalogID, b.CatalogID))
	})
	return list
}

// merge adds the cards of near, but at most limit, to the matches of the catalogue.
func (c *Catalogue) merge(
	ctx context.Context, h catalog.Hints, matches []catalog.FingerprintMatch, near []distance, limit int,
) ([]catalog.FingerprintMatch, error) {
	ids := make([]string, len(near))
	for i, n := range near {
		ids[i] = n.CatalogID
	}
	cards, err := c.Get(ctx, ids...) // in the order of near, without cards that have left the catalogue
	if err != nil {
		return nil, err
	}
	bits := make(map[string]int, len(near))
	for _, n := range near {
		bits[n.CatalogID] = n.Bits
	}
	extra := 0
	for _, card := range cards {
		if extra == limit || !h.Allows(card.Game) {
			continue
		}
		extra++
		at := slices.IndexFunc(matches, func(m catalog.FingerprintMatch) bool { return m.Card.ID == card.ID })
		if at >= 0 {
			matches[at].Distance = min(matches[at].Distance, bits[card.ID])
			continue
		}
		matches = append(matches, catalog.FingerprintMatch{Card: card, Distance: bits[card.ID]})
	}
	slices.SortStableFunc(matches, func(a, b catalog.FingerprintMatch) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(h.Agreement(b.Card), h.Agreement(a.Card)))
	})
	return matches, nil
}

// Distances returns the catalogue's distances plus the learned fingerprints that are evidence for the context's
// account.
func (c *Catalogue) Distances(ctx context.Context, hash [64]byte, ids []string) (map[string]int, error) {
	distances, err := c.Service.Distances(ctx, hash, ids)
	if err != nil {
		return nil, err
	}
	owner := accountOf(ctx)
	const query = `
		SELECT account_id, catalog_id, min(bit_count(hash # $1::bit(512))) AS distance FROM learned_fingerprints
		WHERE catalog_id = ANY($2) AND `
	const group = ` GROUP BY account_id, catalog_id`
	var rows []distance
	args := []any{catalog.Bits(hash), pq.Array(ids)}
	if c.shared {
		err = c.db.Select(ctx, &rows, query+`true`+group, args...)
	} else {
		err = c.db.Select(ctx, &rows, query+`account_id = $3`+group, append(args, owner)...)
	}
	if err != nil {
		return nil, fmt.Errorf("compare learned fingerprints: %w", err)
	}
	for id, bits := range evidence(rows, owner) {
		if nearest, ok := distances[id]; !ok || bits < nearest {
			distances[id] = bits
		}
	}
	return distances, nil
}

// evidence returns the distances of printings that count for an account. rows have one distance for each account and
// printing. The account's own fingerprints count. Other accounts' fingerprints count at the distance of the second
// nearest account, because one account alone could be wrong.
func evidence(rows []distance, owner string) map[string]int {
	distances := map[string]int{}
	first := map[string]int{} // the distance of the nearest other account
	slices.SortFunc(rows, func(a, b distance) int { return cmp.Compare(a.Bits, b.Bits) })
	for _, row := range rows {
		if row.AccountID != owner {
			if _, met := first[row.CatalogID]; !met {
				first[row.CatalogID] = row.Bits
				continue
			}
		}
		if _, known := distances[row.CatalogID]; !known {
			distances[row.CatalogID] = row.Bits
		}
	}
	return distances
}
