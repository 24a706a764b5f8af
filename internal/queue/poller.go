package queue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

const (
	// maxDueAccounts bounds the accounts of one poll. Those behind come next: a turn moves its account back.
	maxDueAccounts = 256
	// fullPollEvery is how often a poll reads all due marks.
	fullPollEvery = 30 * time.Second
	// pollMargin is longer than a transaction that enqueues takes from its now() to its commit. One
	// that takes longer is found by the next full poll.
	pollMargin = time.Minute
	// auditEvery is the pause between two audits of the whole queue, auditSlice the rows read by one step.
	auditEvery = 10 * time.Minute
	auditSlice = 5000
)

// poller finds the accounts with due work.
//
// Between full polls it starts a minute before the earliest mark that was last there. While a snapshot
// is open for long, as by a backup, PostgreSQL keeps the index entries of every mark that has moved on
// since; a poll must not read them all each second.
type poller struct {
	queue    *Queue
	since    time.Time // by the database's clock
	nextFull time.Time
	position auditPosition
	audited  time.Time
}

type auditPosition struct {
	AccountID string    `db:"account_id"`
	Last      time.Time `db:"last"`
}

// poll returns the accounts whose turn it is, in order.
func (p *poller) poll(ctx context.Context, db *postgres.DB) ([]string, error) {
	since := p.since
	if time.Now().After(p.nextFull) {
		since = time.Time{}
	}
	var found []struct {
		Now       time.Time  `db:"now"`
		AccountID *string    `db:"account_id"`
		TurnAt    *time.Time `db:"turn_at"`
	}
	if err := db.Unprepared().Select(ctx, &found, p.queue.sql.dueAccounts, since, maxDueAccounts); err != nil {
		return nil, fmt.Errorf("queue.poll: %w", err)
	}
	if since.IsZero() {
		p.nextFull = time.Now().Add(fullPollEvery)
	}
	var accounts []string
	p.since = found[0].Now.Add(-pollMargin)
	for i, f := range found {
		if f.AccountID == nil {
			break
		}
		if i == 0 {
			p.since = f.TurnAt.Add(-pollMargin)
		}
		accounts = append(accounts, *f.AccountID)
	}
	return accounts, nil
}

// audit checks a slice of the queue for rows without a mark and marks their accounts. Only a process of
// a version before 0009_background_work.sql, or somebody by hand, writes such rows.
func (p *poller) audit(ctx context.Context, db *postgres.DB) error {
	if p.position == (auditPosition{}) && !p.audited.IsZero() && time.Since(p.audited) < auditEvery {
		return nil
	}
	var found []struct {
		auditPosition
		Unmarked bool `db:"unmarked"`
	}
	after := p.position
	err := db.Unprepared().Select(ctx, &found, p.queue.sql.audit, after.AccountID, after.Last, auditSlice)
	if err != nil {
		return fmt.Errorf("queue.audit: %w", err)
	}
	for _, f := range found {
		if !f.Unmarked {
			continue
		}
		slog.WarnContext(ctx, "queued work was not marked as due", "queue", p.queue.table, "account_id", f.AccountID)
		if err := p.queue.mark(ctx, db, f.AccountID); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		p.position, p.audited = auditPosition{}, time.Now()
		return nil
	}
	p.position = found[len(found)-1].auditPosition
	return nil
}
