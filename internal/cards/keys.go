package cards

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/catalog/folding"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/collation"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

// Keys are values that the database stores and cannot compute: by which lists are sorted (collation), and what q
// searches (folding). Beside the keys of a card, the database stores what they were computed from. If it differs from
// the card's present values, the keys are missing: the card was written by a process of a version without these keys.
// KeyUpkeep computes them then. An index has the cards whose keys are missing, normally none.

// keysVersion is the version of the keys. It increases with collation.Version, and with every change of
// folding.ForSearch or folding.JoinApostrophes that changes a text; a migration then replaces the two indexes.
const keysVersion = 1

// keyTable is a table with keys.
type keyTable struct {
	name, id string
	missing  string // the condition for rows whose keys are missing, and of the index of these rows
	write    func(tx *postgres.Tx, accountID string, found []Card)
}

// keyedText is the text from which the keys of a row of card_search were computed.
const keyedText = `hashtextextended((title_key || E'\n' || searched) COLLATE "C", 1)`

var (
	searchKeys   = keyTable{"card_search", "card_id", "keyed IS DISTINCT FROM " + keyedText, writeSearchKeys}
	locationKeys = keyTable{"cards", "id", `location_keyed IS DISTINCT FROM '1 ' || location`, writeLocationKeys}
)

const (
	// keyChunk is the number of cards whose keys are computed in one transaction, which takes about 20 ms.
	keyChunk = 200
	// keyInterval is the interval at which a process looks for cards whose keys are missing.
	keyInterval = 10 * time.Second
)

// bytea returns a value of a bytea column in PostgreSQL's text format.
func bytea(value []byte) string { return `\x` + hex.EncodeToString(value) }

// searchText returns the text in which q searches: the content, and its folded forms if they differ. A version of
// CardVault that does not fold finds the same cards in it as in the content alone.
func searchText(content string) string {
	forms := []string{content}
	lower, folded := strings.ToLower(content), folding.ForSearch(content)
	for _, form := range []string{folded, folding.JoinApostrophes(folded)} {
		if form != lower && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return strings.Join(forms, "\n")
}

// titleOrder returns the key by which lists are sorted by title.
func (c *Card) titleOrder() string {
	if c.Identification.Title == nil {
		return bytea(nil)
	}
	return bytea(collation.Key(*c.Identification.Title))
}

// locationOrder returns the key by which lists are sorted by location, and what it was computed from.
func (c *Card) locationOrder() (key, keyed *string) {
	if c.Location == nil {
		return nil, nil
	}
	order, from := bytea(collation.PathKey(*c.Location)), strconv.Itoa(keysVersion)+" "+*c.Location
	return &order, &from
}

// writeSearchKeys writes the rows of card_search.
func writeSearchKeys(tx *postgres.Tx, _ string, found []Card) {
	writeSearch(tx, found)
}

// writeLocationKeys writes the keys of locations.
func writeLocationKeys(tx *postgres.Tx, accountID string, found []Card) {
	ids, orders, keyed := make([]string, len(found)), make([]*string, len(found)), make([]*string, len(found))
	for i := range found {
		ids[i] = found[i].ID
		orders[i], keyed[i] = found[i].locationOrder()
	}
	tx.Defer(`
		UPDATE cards SET location_order = k.location_order, location_keyed = k.location_keyed
		FROM unnest($2::text[], $3::bytea[], $4::text[]) AS k (id, location_order, location_keyed)
		WHERE cards.account_id = $1 AND cards.id = k.id`, accountID, pq.Array(ids), pq.Array(orders), pq.Array(keyed))
}

// missingKeys returns up to limit cards of an account whose keys are missing.
func (t keyTable) missingKeys(ctx context.Context, q postgres.Querier, accountID string, limit int) (
	ids []string, err error) {
	err = q.Select(ctx, &ids, fmt.Sprintf(`SELECT %s FROM %s WHERE account_id = $1 AND %s ORDER BY %[1]s LIMIT %[4]d`,
		t.id, t.name, t.missing, limit), accountID)
	if err != nil {
		return nil, fmt.Errorf("find missing keys: %w", err)
	}
	return ids, nil
}

// completeKeys computes the missing keys of up to keyChunk cards of an account. It holds the account's clock, so that
// no card changes meanwhile.
func (s *Service) completeKeys(ctx context.Context, t keyTable, accountID string) error {
	err := s.clock.Write(ctx, s.db, accountID, func(tx *postgres.Tx, _ clock.Stamp) error {
		ids, err := t.missingKeys(ctx, tx, accountID, keyChunk)
		if err != nil || len(ids) == 0 {
			return err
		}
		found, err := query(ctx, tx, len(ids),
			`SELECT `+columns+` FROM cards WHERE account_id = $1 AND id = ANY($2)`, accountID, pq.Array(ids))
		if err != nil {
			return err
		}
		t.write(tx, accountID, found)
		return t.dropOrphans(ctx, tx, accountID, ids, found)
	})
	if err != nil && !fault.Is(err, fault.AccountNotFound) {
		return fmt.Errorf("complete keys of %s: %w", t.name, err)
	}
	return nil
}

// keyed reports whether all cards of the account have their keys. If the keys of a few are missing, it computes them.
func (s *Service) keyed(ctx context.Context, t keyTable, accountID string) (bool, error) {
	for range 2 {
		ids, err := t.missingKeys(ctx, s.db, accountID, keyChunk+1)
		if err != nil || len(ids) == 0 || len(ids) > keyChunk {
			return len(ids) == 0, err
		}
		if err := s.completeKeys(ctx, t, accountID); err != nil {
			return false, err
		}
	}
	return false, nil
}

// KeyUpkeep returns the loop that computes missing keys, of one account after the other, a chunk of cards at a time.
// Several processes can run it.
func (s *Service) KeyUpkeep() *worker.Periodic {
	after := map[string]string{}
	return worker.NewPeriodic("card keys", keyInterval, func(ctx context.Context) (more bool, err error) {
		for _, t := range []keyTable{searchKeys, locationKeys} {
			account, err := s.nextWithoutKeys(ctx, t, after[t.name])
			if err != nil {
				return false, err
			}
			after[t.name] = account
			if account == "" {
				continue
			}
			if err := s.completeKeys(ctx, t, account); err != nil {
				return false, err
			}
			more = true
		}
		return more, nil
	})
}

// nextWithoutKeys returns the next account with missing keys, in the order of identifiers, then again the first one, or
// "" if there is none.
func (s *Service) nextWithoutKeys(ctx context.Context, t keyTable, after string) (string, error) {
	for {
		var accounts []string
		err := s.db.Select(ctx, &accounts, fmt.Sprintf(`
			SELECT account_id FROM %s WHERE account_id > $1 AND %s ORDER BY account_id LIMIT 1`,
			t.name, t.missing), after)
		if err != nil {
			return "", fmt.Errorf("find accounts with missing keys: %w", err)
		}
		if len(accounts) > 0 {
			return accounts[0], nil
		}
		if after == "" {
			return "", nil
		}
		after = ""
	}
}

// dropOrphans deletes the rows whose card does not exist. They have no text from which their keys could be computed.
func (t keyTable) dropOrphans(
	ctx context.Context, tx *postgres.Tx, accountID string, ids []string, found []Card,
) error {
	orphans := slices.DeleteFunc(slices.Clone(ids), func(cardID string) bool {
		return slices.ContainsFunc(found, func(c Card) bool { return c.ID == cardID })
	})
	if len(orphans) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE account_id = $1 AND %s = ANY($2)`, t.name, t.id),
		accountID, pq.Array(orphans))
	return err
}
