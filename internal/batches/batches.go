// Package batches groups cards that are processed together. A card stores the identifier of its batch; the batch stores
// the number of its cards. The package never reads or changes cards: package cards reports with Service.Adjust how many
// cards entered and left a batch.
package batches

import (
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// Status says whether cards can be added to a batch and removed from it.
type Status string

// The statuses of a batch.
const (
	Open     Status = "open"
	Complete Status = "complete"
)

// Batch is one batch of an account.
type Batch struct {
	AccountID   string     `db:"account_id"`
	ID          string     `db:"id"`
	Name        string     `db:"name"`
	Description *string    `db:"description"`
	Status      Status     `db:"status"`
	CardCount   int        `db:"card_count"`
	CompletedAt *time.Time `db:"completed_at"`
	Version     int64      `db:"version"`
	CreatedAt   time.Time  `db:"created_at"`
	UpdatedAt   time.Time  `db:"updated_at"`
}

// Filter selects batches. The zero Filter selects all.
type Filter struct {
	Status       *Status
	UpdatedSince *time.Time // inclusive; batches are then ordered by UpdatedAt
}

// NotFound returns the error for a batch that the account does not have.
func NotFound() error {
	return fault.NotFound(fault.BatchNotFound)
}
