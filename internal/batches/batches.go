// Package batches groups cards that are worked on together. It knows cards only by number: who is
// in a batch is written on the card.
package batches

import (
	"time"

	"github.com/cardvault/cardvault/internal/fault"
)

// Status says whether cards may move in and out of a batch.
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

// Filter chooses batches; the zero Filter chooses all.
type Filter struct {
	Status       *Status
	UpdatedSince *time.Time // inclusive; also turns the order into that of change
}

// NotFound is the fault of a batch that the account does not have, whatever the reason.
func NotFound() error {
	return fault.NotFound(fault.BatchNotFound)
}
