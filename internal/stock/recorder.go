package stock

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

const (
	// recordInterval is the delay after all accounts were visited. A day misses at most the changes of its last hour,
	// which the next day includes.
	recordInterval = time.Hour
	// recordPollInterval is the interval at which a process checks whether accounts are due.
	recordPollInterval = time.Minute
	// recordLease is how long a process can take for maxVisits accounts before another one starts them again, which is
	// harmless.
	recordLease = 10 * time.Minute
	// maxVisits is the number of accounts that are visited before the position is stored.
	maxVisits = 100
	// recordTimeout limits the recording of one account. Reading 100,000 cards takes about 20 ms.
	recordTimeout = 30 * time.Second
	// storeTimeout limits storing the position.
	storeTimeout = 10 * time.Second
)

// Accounts is the part of *accounts.Service that the recorder uses.
type Accounts interface {
	// Next returns the next account in the order of identifiers, or "" after the last.
	Next(ctx context.Context, after string) (accountID string, err error)
}

// Recorder stores the present value of every account's stock. It visits one account after the other. It reads cards
// only if the account has changed since its last record; otherwise a new day gets the figures of the last one.
//
// Its position is a row in the database, so it continues after a restart and only one of several processes runs at a
// time.
type Recorder struct {
	db       *postgres.DB
	accounts Accounts
	cards    Cards
	loop     *worker.Periodic
}

// NewRecorder returns a Recorder.
func NewRecorder(db *postgres.DB, a Accounts, c Cards) *Recorder {
	r := &Recorder{db: db, accounts: a, cards: c}
	r.loop = worker.NewPeriodic("stock recorder", recordPollInterval, r.visit)
	return r
}

// Loop returns the recorder as a background loop.
func (r *Recorder) Loop() *worker.Periodic { return r.loop }

// visit records the next accounts. It stores the last one as the new position, even if it had to stop early.
func (r *Recorder) visit(ctx context.Context) (more bool, err error) {
	leaseCtx, cancel := context.WithTimeout(ctx, recordLease)
	defer cancel()
	before, held, err := r.claim(leaseCtx)
	if err != nil || !held {
		return false, err
	}
	last, finished, err := r.recordAfter(leaseCtx, before)
	pause := time.Duration(0)
	if finished {
		last, pause = "", recordInterval
	}
	held, moveErr := r.advance(context.WithoutCancel(ctx), before, last, pause)
	return held && err == nil && !finished, errors.Join(err, moveErr)
}

// claim returns the account that was visited last, and whether this process may continue.
func (r *Recorder) claim(ctx context.Context) (after string, held bool, err error) {
	err = r.db.Get(ctx, &after, `
		UPDATE stock_recording SET due_at = now() + $1 * interval '1 microsecond' WHERE due_at <= now()
		RETURNING after_account`, recordLease.Microseconds())
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("claim accounts: %w", err)
	}
	return after, true, nil
}

// advance stores the visited account, unless another process has taken over.
func (r *Recorder) advance(ctx context.Context, before, account string, pause time.Duration) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	result, err := r.db.Exec(ctx, `
		UPDATE stock_recording SET after_account = $2, due_at = now() + $3 * interval '1 microsecond'
		WHERE after_account = $1`, before, account, pause.Microseconds())
	if err != nil {
		return false, fmt.Errorf("advance recorder: %w", err)
	}
	rows, err := result.RowsAffected()
	return rows == 1, err
}

// recordAfter records up to maxVisits accounts after the given one. It returns the last one, and whether there is no
// other. An account that fails is skipped until the next round.
func (r *Recorder) recordAfter(ctx context.Context, after string) (last string, finished bool, err error) {
	for range maxVisits {
		if r.loop.Stopping() {
			return after, false, nil
		}
		next, err := r.accounts.Next(ctx, after)
		if err != nil || next == "" {
			return after, err == nil, err
		}
		err = r.record(ctx, next)
		if ctx.Err() != nil { // stopped before the end of this account
			return after, false, ctx.Err()
		}
		if err != nil {
			slog.WarnContext(ctx, "the value of the stock was not recorded", "account_id", next, "error", err)
		}
		after = next
	}
	return after, false, nil
}

// record stores the present value of the account's stock. It does nothing for an account that is being deleted.
func (r *Recorder) record(ctx context.Context, accountID string) (err error) {
	defer worker.Recover(&err)
	ctx, cancel := context.WithTimeout(ctx, recordTimeout)
	defer cancel()
	at, err := readAccount(ctx, r.db, accountID)
	if fault.Is(err, fault.AccountNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	today := at.today()
	last, change, err := lastRecorded(ctx, r.db, accountID)
	if err != nil {
		return err
	}
	if change == at.Change && !last.IsZero() && !last.After(today) {
		return r.repeat(ctx, accountID, last, today, change)
	}
	summary, err := r.cards.SummarizeNow(ctx, accountID, cards.Filter{}, grouping)
	if err != nil {
		return err
	}
	return store(ctx, r.db, accountID, dayOf(today, summary), summary.Change)
}

// repeat stores the figures of the last recorded day for today.
func (r *Recorder) repeat(ctx context.Context, accountID string, last, today time.Time, change int64) error {
	if last.Equal(today) {
		return nil
	}
	days, err := recorded(ctx, r.db, accountID, last, last.AddDate(0, 0, 1))
	if err != nil || len(days) == 0 {
		return err
	}
	days[0].Date = today
	return store(ctx, r.db, accountID, days[0], change)
}
