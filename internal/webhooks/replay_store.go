package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

// finishedFilter selects the deliveries of one endpoint for a replay: deliveries that were delivered or dropped from
// since to until and, unless droppedOnly is set, deliveries that wait for a retry.
type finishedFilter struct {
	account, endpoint string
	droppedOnly       bool
	since, until      time.Time
}

// finishedConditions has the condition for each state. $4 and $5 are since and until.
var finishedConditions = map[State]string{
	Pending:   `d.attempts > 0`,
	Delivered: `d.delivered_at BETWEEN $4 AND $5`,
	Dropped:   `d.dropped_at BETWEEN $4 AND $5`,
}

// query selects the first $6 deliveries with identifiers above $3.
func (f finishedFilter) query() string {
	states := []State{Pending, Delivered, Dropped}
	if f.droppedOnly {
		states = []State{Dropped}
	}
	parts := make([]string, len(states))
	for i, state := range states {
		parts[i] = `(` + selectSQL[state] + `
			WHERE d.account_id = $1 AND d.endpoint_id = $2 AND d.id > $3 AND ` + finishedConditions[state] + `
			ORDER BY d.id LIMIT $6)`
	}
	return strings.Join(parts, " UNION ALL ")
}

// selectFinished returns up to limit deliveries in the order of their identifiers, which is the order of their
// events.
func selectFinished(ctx context.Context, db postgres.Querier, f finishedFilter, after string,
	limit int) ([]Delivery, error) {
	var list []Delivery
	err := db.Select(ctx, &list, `SELECT d.id, d.state FROM (`+f.query()+`) d ORDER BY d.id LIMIT $6`,
		f.account, f.endpoint, after, f.since, f.until, limit)
	if err != nil {
		return nil, fmt.Errorf("load finished deliveries: %w", err)
	}
	return list, nil
}

func countFinished(ctx context.Context, db postgres.Querier, f finishedFilter) (n int, err error) {
	err = db.Get(ctx, &n, `SELECT count(*) FROM (`+f.query()+`) d`, f.account, f.endpoint, "", f.since, f.until, nil)
	if err != nil {
		return 0, fmt.Errorf("count finished deliveries: %w", err)
	}
	return n, nil
}

// hasRoom reports whether the endpoint exists, and whether it has fewer than limit due deliveries or is disabled.
func hasRoom(ctx context.Context, db postgres.Querier, key EndpointKey, limit int) (room, exists bool, err error) {
	err = db.Get(ctx, &room, `
		SELECT NOT e.enabled OR (
			SELECT count(*) FROM (
				SELECT FROM deliveries_pending p
				WHERE p.account_id = $1 AND p.endpoint_id = $2 AND p.due_at <= now() LIMIT $3
			) due
		) < $3
		FROM webhook_endpoints e WHERE e.account_id = $1 AND e.id = $2 AND e.deleted_at IS NULL`,
		key.Account, key.Endpoint, limit)
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	if err != nil {
		return false, false, fmt.Errorf("count pending deliveries: %w", err)
	}
	return room, true, nil
}
