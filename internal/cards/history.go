package cards

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/timestamp"
)

// HistoryEntry is one version of a card in its history.
type HistoryEntry struct {
	CardID  string
	At      time.Time
	Version int64
	Actor   caller.Actor
	Changes []RecordedChange // empty for the version that was created or restored
}

// RecordedChange is a Change as it was recorded.
type RecordedChange struct {
	Field string
	From  json.RawMessage
	To    json.RawMessage
}

// historyRows are entries to write, one column each.
type historyRows struct{ accounts, cards, times, versions, actorTypes, actorIDs, changes pq.StringArray }

// add adds the entry of a version of a card.
func (r *historyRows) add(c *Card, actor caller.Actor, changed []Change) error {
	text := []byte("[]")
	if len(changed) > 0 {
		var err error
		if text, err = json.Marshal(changed); err != nil {
			return err
		}
	}
	r.accounts, r.cards = append(r.accounts, c.AccountID), append(r.cards, c.ID)
	r.times = append(r.times, timestamp.Format(c.UpdatedAt))
	r.versions = append(r.versions, fmt.Sprint(c.Version))
	r.actorTypes, r.actorIDs = append(r.actorTypes, string(actor.Type)), append(r.actorIDs, actor.ID)
	r.changes = append(r.changes, string(text))
	return nil
}

// write writes the entries with the transaction's deferred statements.
func (r *historyRows) write(tx *postgres.Tx) {
	if len(r.accounts) == 0 {
		return
	}
	tx.DeferRows(`
		INSERT INTO card_history (account_id, card_id, at, version, actor_type, actor_id, changes)
		SELECT * FROM unnest(
			$1::text[], $2::text[], $3::timestamptz[], $4::bigint[], $5::text[], $6::text[], $7::text[])`,
		r.accounts, r.cards, r.times, r.versions, r.actorTypes, r.actorIDs, r.changes)
}

// History returns a page of the card's versions, newest first. Versions are kept for HistoryRetention. It returns
// card_not_found if the account does not have the card.
func (s *Service) History(
	ctx context.Context, accountID, cardID string, p paging.Request,
) (paging.Page[HistoryEntry], error) {
	var none paging.Page[HistoryEntry]
	card, err := s.Get(ctx, accountID, cardID)
	if err != nil {
		return none, err
	}
	list := historyList(accountID)
	list.Leading = &paging.LeadingColumn{Column: "card_id", Value: card.ID}
	return s.history(ctx, "card history "+accountID+" "+card.ID, list, p)
}

// AccountHistory returns a page of the versions of all cards of an account, newest first. It has no versions of cards
// that were deleted.
func (s *Service) AccountHistory(
	ctx context.Context, accountID string, p paging.Request,
) (paging.Page[HistoryEntry], error) {
	return s.history(ctx, "account history "+accountID, historyList(accountID), p)
}

// historyList describes the list of all versions of an account's cards.
func historyList(accountID string) paging.List {
	return paging.List{
		Columns: "card_id, at, version, actor_type, actor_id, changes", Table: "card_history",
		Sort: paging.ByTime("at"), ID: "card_id", Account: accountID,
	}
}

// history reads a page of the versions that list selects.
func (s *Service) history(
	ctx context.Context, scope string, list paging.List, p paging.Request,
) (paging.Page[HistoryEntry], error) {
	var none paging.Page[HistoryEntry]
	after, err := s.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	var rows []struct {
		CardID    string    `db:"card_id"`
		At        time.Time `db:"at"`
		Version   int64     `db:"version"`
		ActorType string    `db:"actor_type"`
		ActorID   string    `db:"actor_id"`
		Changes   string    `db:"changes"`
		paging.Scanned
	}
	if err := paging.Select(ctx, s.db, &rows, list, after, p.Size()); err != nil {
		return none, fmt.Errorf("list history: %w", err)
	}
	var read paging.Read[HistoryEntry]
	for _, r := range rows {
		e := HistoryEntry{
			CardID: r.CardID, At: r.At.UTC(), Version: r.Version,
			Actor: caller.Actor{Type: caller.ActorType(r.ActorType), ID: r.ActorID},
		}
		if err := json.Unmarshal([]byte(r.Changes), &e.Changes); err != nil {
			return none, fmt.Errorf("list history: %w", err)
		}
		read.Add(e, r.Scanned)
	}
	return paging.Cut(s.cursors, scope, read, p.Size(), func(e HistoryEntry) paging.Position {
		return paging.Position{At: e.At, ID: e.CardID}
	}), nil
}
