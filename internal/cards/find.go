package cards

import (
	"context"
	"fmt"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/postgres"
)

// FindMany returns the account's cards with these identifiers, by identifier, without unknown ones.
func (s *Service) FindMany(ctx context.Context, q postgres.Querier, accountID string, ids []string) (
	map[string]Card, error) {
	parsed := make([]string, 0, len(ids))
	for _, text := range ids {
		if cardID, ok := id.Parse(id.Card, text); ok {
			parsed = append(parsed, cardID)
		}
	}
	return findMany(ctx, q, accountID, parsed)
}

// FindByExternalID returns the account's cards with these external ids, by external id, without unknown ones.
func (s *Service) FindByExternalID(
	ctx context.Context, q postgres.Querier, accountID string, externalIDs []string,
) (map[string]Card, error) {
	if len(externalIDs) == 0 {
		return nil, nil
	}
	found, err := query(ctx, q, len(externalIDs),
		`SELECT `+columns+` FROM cards WHERE account_id = $1 AND external_id = ANY($2)`,
		accountID, pq.Array(externalIDs))
	if err != nil {
		return nil, fmt.Errorf("find cards by external id: %w", err)
	}
	cards := make(map[string]Card, len(found))
	for _, c := range found {
		cards[*c.ExternalID] = c
	}
	return cards, nil
}

// FindBySKU returns the account's cards with these SKUs, by SKU, without unknown ones. Cards can share a SKU: it
// returns the two oldest cards per SKU, which tells one card from several.
func (s *Service) FindBySKU(ctx context.Context, q postgres.Querier, accountID string, skus []string) (
	map[string][]Card, error) {
	if len(skus) == 0 {
		return nil, nil
	}
	found, err := query(ctx, q, 2*len(skus), `
		SELECT c.* FROM (SELECT DISTINCT unnest($2::text[]) AS sku) AS wanted CROSS JOIN LATERAL (
			SELECT `+columns+` FROM cards
			WHERE account_id = $1 AND sku = wanted.sku ORDER BY created_at, id LIMIT 2) AS c`,
		accountID, pq.Array(skus))
	if err != nil {
		return nil, fmt.Errorf("find cards by SKU: %w", err)
	}
	cards := make(map[string][]Card, len(found))
	for _, c := range found {
		cards[*c.SKU] = append(cards[*c.SKU], c)
	}
	return cards, nil
}
