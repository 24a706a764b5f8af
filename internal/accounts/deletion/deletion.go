// Package deletion deletes accounts.
//
// A Service accepts the deletion of an account. During Wait the account works as before, and the deletion can be
// cancelled. Then a worker deletes the account step by step:
//
//  1. It closes the account: one transaction deletes the tokens and users, so that no request can act for the account.
//  2. It withdraws the account's listings from the marketplaces, so that no buyer pays for a card that is not shipped.
//     It waits until they have ended, for withdrawTime at most.
//  3. It deletes the account, the rows of all tables and the files, in small batches. Each batch is committed, so
//     another process continues after a crash.
//  4. It looks again after a while, for rows and files that were being written during the deletion, until none is left.
//
// The worker finds the tables in the database by their column account_id, so it also covers tables of later migrations.
package deletion

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/queue"
)

// Wait is how long an account is kept after its deletion was asked for.
const Wait = 14 * 24 * time.Hour

// Users is the part of *users.Service that deletions use.
type Users interface {
	// DeleteMembersIn ends the memberships and invitations of an account, and deletes the users who are left without
	// one, with their sessions.
	DeleteMembersIn(ctx context.Context, tx *postgres.Tx, accountID string) error
}

// Files deletes the files of accounts.
type Files interface {
	// DeleteSome deletes some of the account's files and returns their number, which is 0 if there are none.
	DeleteSome(ctx context.Context, accountID string) (int, error)
}

// Listings is the part of *listings.Service that deletions use.
type Listings interface {
	// WithdrawAll requests the end of all listings of an account and returns how many have not ended yet.
	WithdrawAll(ctx context.Context, accountID string) (open int, err error)
	// Unfinished returns that number only.
	Unfinished(ctx context.Context, q postgres.Querier, accountID string) (int, error)
}

// Service accepts deletions and carries them out.
type Service struct {
	db       *postgres.DB
	accounts *accounts.Service
	users    Users
	files    Files
	listings Listings
	work     *queue.Queue
	left     prometheus.Counter // listings that were not withdrawn
}

// New returns a Service.
func New(db *postgres.DB, a *accounts.Service, users Users, files Files) *Service {
	return &Service{
		db: db, accounts: a, users: users, files: files, work: queue.New(workTable, "deletion_id"),
		left: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "cardvault_deletion_listings_left_total",
			Help: "Listings of deleted accounts that a marketplace did not end in time.",
		}),
	}
}

// UseListings sets the listings that Background withdraws. Call it before Background.
func (s *Service) UseListings(l Listings) { s.listings = l }

// Metrics returns the metrics of Background.
func (s *Service) Metrics() prometheus.Collector { return s.left }

// workTable is the queue of deletions. The key of a row is the account's identifier.
const workTable = "account_deletions"

// Queue returns the queue of deletions.
func (s *Service) Queue() *queue.Queue { return s.work }

// Request asks for the deletion of an account after a time. It returns the account with the time of its deletion, which
// is earlier if it was asked for before.
func (s *Service) Request(ctx context.Context, accountID string, wait time.Duration) (accounts.Account, error) {
	account, err := s.accounts.Get(ctx, accountID)
	if err != nil {
		return account, err
	}
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		var deleteAt time.Time
		err := tx.Get(ctx, &deleteAt, `
			UPDATE accounts SET delete_at = now() + $2 * interval '1 microsecond'
			WHERE id = $1 AND (delete_at IS NULL OR delete_at > now() + $2 * interval '1 microsecond')
			RETURNING delete_at`, account.ID, wait.Microseconds())
		if errors.Is(err, sql.ErrNoRows) { // it is deleted earlier
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.work.EnqueueWithin(ctx, tx, account.ID, wait, account.ID); err != nil {
			return err
		}
		tx.AfterCommit(s.work.Wake)
		account.DeleteAt = &deleteAt
		detail := "on " + deleteAt.UTC().Format(time.DateOnly)
		return audit.Record(ctx, tx, account.ID, audit.DeletionRequested, account.Name, detail)
	})
	if err != nil {
		return accounts.Account{}, fmt.Errorf("request deletion: %w", err)
	}
	return account, nil
}

// Cancel keeps an account whose deletion was asked for. It returns account_not_found if the deletion has begun.
func (s *Service) Cancel(ctx context.Context, accountID string) (accounts.Account, error) {
	account, err := s.accounts.Get(ctx, accountID)
	if err != nil {
		return account, err
	}
	err = s.db.InTx(ctx, func(tx *postgres.Tx) error {
		var name string
		err := tx.Get(ctx, &name, `
			UPDATE accounts SET delete_at = NULL
			WHERE id = $1 AND delete_at IS NOT NULL AND closed_at IS NULL RETURNING name`, account.ID)
		if errors.Is(err, sql.ErrNoRows) { // it is kept, or was closed just now
			return nil
		}
		if err != nil {
			return err
		}
		if err := s.work.Drop(ctx, tx, account.ID, account.ID); err != nil {
			return err
		}
		return audit.Record(ctx, tx, account.ID, audit.DeletionCancelled, name, "")
	})
	if err != nil {
		return accounts.Account{}, fmt.Errorf("cancel deletion: %w", err)
	}
	return s.accounts.Get(ctx, account.ID)
}
