package queue

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/postgres"
)

const (
	// maxDueAccounts is the largest number of accounts that one poll returns. The next poll returns further ones,
	// because a turn moves its account back.
	maxDueAccounts = 256
	// fullPollEvery is the time between two polls that read all due marks.
	fullPollEvery = 30 * time.Second
	// pollMargin is longer than an enqueuing transaction usually takes from its now() to its commit. The next
	// full poll finds the work of slower transactions.
	pollMargin = time.Minute
	// auditEvery is the time between two audits of the queue. auditSlice is the number of rows that one step of
	// an audit reads.
	auditEvery = 10 * time.Minute
	auditSlice = 5000
)

// poller finds the accounts with due work.
//
// Between full polls, it reads marks from a minute before the earliest mark of the last poll. During a long
// transaction, such as a backup, PostgreSQL keeps the old index entries of all marks that have moved. A poll must not
// read all these entries every second.
type poller struct {
	queue    *Queue
	since    time.Time // in the database's time
	nextFull time.Time
	position auditPosition
	audited  time.Time
}

type auditPosition struct {
	AccountID string    `db:"account_id"`
	Last      time.Time `db:"last"`
}

// poll returns the accounts with due work, in the order of their turns.
func (p *poller) poll(ctx context.Context, db *postgres.DB) ([]string, error) {
	since := p.since
	if time.Now().After(p.nextFull) {
		since = time.Time{}
	}
	var rows []struct {
		Now       time.Time  `db:"now"`
		AccountID *string    `db:"account_id"`
		TurnAt    *time.Time `db:"turn_at"`
	}
	if err := db.Unprepared().Select(ctx, &rows, p.queue.sql.dueAccounts, since, maxDueAccounts); err != nil {
		return nil, fmt.Errorf("poll queue: %w", err)
	}
	if since.IsZero() {
		p.nextFull = time.Now().Add(fullPollEvery)
	}
	var accounts []string
	p.since = rows[0].Now.Add(-pollMargin)
	for i, f := range rows {
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

// audit checks a slice of the queue for rows without a mark and marks their accounts. Such rows come only
// from processes of a version before 0009_background_work.sql or from manual changes.
func (p *poller) audit(ctx context.Context, db *postgres.DB) error {
	if p.position == (auditPosition{}) && !p.audited.IsZero() && time.Since(p.audited) < auditEvery {
		return nil
	}
	var rows []struct {
		auditPosition
		Unmarked bool `db:"unmarked"`
	}
	after := p.position
	err := db.Unprepared().Select(ctx, &rows, p.queue.sql.audit, after.AccountID, after.Last, auditSlice)
	if err != nil {
		return fmt.Errorf("audit queue: %w", err)
	}
	for _, f := range rows {
		if !f.Unmarked {
			continue
		}
		slog.WarnContext(ctx, "queued work was not marked as due", "queue", p.queue.table, "account_id", f.AccountID)
		if err := p.queue.mark(ctx, db, f.AccountID); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		p.position, p.audited = auditPosition{}, time.Now()
		return nil
	}
	p.position = rows[len(rows)-1].auditPosition
	return nil
}
