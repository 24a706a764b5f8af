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

// finished are the deliveries of one endpoint that a replay is about: those delivered or dropped
// from since to until and, unless only dropped ones are meant, those that wait for a retry.
type finishedFilter struct {
	account, endpoint string
	droppedOnly       bool
	since, until      time.Time
}

// finishedIn are the conditions for each state. $4 and $5 are since and until.
var finishedConditions = map[State]string{
	Pending:   `d.attempts > 0`,
	Delivered: `d.delivered_at BETWEEN $4 AND $5`,
	Dropped:   `d.dropped_at BETWEEN $4 AND $5`,
}

// query returns the deliveries with identifiers above $3, the first $6 of them.
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

// selectFinished returns up to limit of them, lowest identifier first, which is oldest event first.
func selectFinished(ctx context.Context, db postgres.Querier, f finishedFilter, after string, limit int) ([]Delivery, error) {
	var list []Delivery
	err := db.Select(ctx, &list, `SELECT d.id, d.state FROM (`+f.query()+`) d ORDER BY d.id LIMIT $6`,
		f.account, f.endpoint, after, f.since, f.until, limit)
	if err != nil {
		return nil, fmt.Errorf("webhooks.selectFinished: %w", err)
	}
	return list, nil
}

func countFinished(ctx context.Context, db postgres.Querier, f finishedFilter) (n int, err error) {
	err = db.Get(ctx, &n, `SELECT count(*) FROM (`+f.query()+`) d`, f.account, f.endpoint, "", f.since, f.until, nil)
	if err != nil {
		return 0, fmt.Errorf("webhooks.countFinished: %w", err)
	}
	return n, nil
}

// hasRoom reports whether fewer than limit deliveries of the endpoint are due, or it is disabled,
// and whether it exists.
func hasRoom(ctx context.Context, db postgres.Querier, key endpointKey, limit int) (room, exists bool, err error) {
	err = db.Get(ctx, &room, `
		SELECT NOT e.enabled OR (
			SELECT count(*) FROM (
				SELECT FROM deliveries_pending p
				WHERE p.account_id = $1 AND p.endpoint_id = $2 AND p.due_at <= now() LIMIT $3
			) due
		) < $3
		FROM webhook_endpoints e WHERE e.account_id = $1 AND e.id = $2 AND e.deleted_at IS NULL`,
		key.account, key.endpoint, limit)
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	if err != nil {
		return false, false, fmt.Errorf("webhooks.hasRoom: %w", err)
	}
	return room, true, nil
}
