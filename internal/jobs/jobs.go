// Package jobs changes many cards in the background.
//
// A Service accepts, lists and cancels jobs, and works on them in the background. A job keeps its cards in chunks. They
// come from the request, or from a filter, whose cards are collected first. Then the job changes a few cards in each
// transaction. Its counters advance in the same transaction, which holds the account's clock, so each card is changed
// once, even if a process ends in between or several processes work on the job.
//
// A job that changes values keeps the old values, in the same transactions. For a day after it has finished, another
// job can undo its changes to the cards that still have the new values. Cards that a job deletes are kept for a day
// too, for a job that restores them. Then they are erased.
//
// The package has no rules for cards. Packages cards and listings change each card or return the error that refuses it.
package jobs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/catalog"
	"github.com/cardvault/cardvault/internal/fault"
)

// Kind names the change that a job makes to its cards.
type Kind string

// The kinds.
const (
	Update   Kind = "update"
	Identify Kind = "identify"
	Publish  Kind = "publish"
	End      Kind = "end"
	Archive  Kind = "archive"
	Delete   Kind = "delete"
	Restore  Kind = "restore" // of jobs that undo a job of kind Delete only
)

// Status is the state of a job.
type Status string

// The statuses: queued → running → done, and cancelled from each of the first two.
const (
	Queued    Status = "queued"
	Running   Status = "running"
	Done      Status = "done"
	Cancelled Status = "cancelled"
)

// Finished reports whether the job changes no more cards.
func (s Status) Finished() bool { return s == Done || s == Cancelled }

const (
	// MaxUnfinished is the number of unfinished jobs that an account can have.
	MaxUnfinished = 100
	// MaxCards is the number of cards of a job. A filter that matches more cards selects the newest ones.
	MaxCards = 1_000_000
	// Retention is how long finished jobs are kept.
	Retention = 30 * 24 * time.Hour
	// UndoTime is how long a finished job can be undone.
	UndoTime = 24 * time.Hour
)

// Job is a change to many cards.
type Job struct {
	AccountID  string     `db:"account_id"`
	ID         string     `db:"id"`
	Kind       Kind       `db:"kind"`
	Status     Status     `db:"status"`
	Total      int        `db:"total"`   // cards that are collected so far
	Done       int        `db:"done"`    // cards that were not refused, including cards that needed no change
	Refused    int        `db:"refused"` // cards that could not be changed
	CreatedAt  time.Time  `db:"created_at"`
	UpdatedAt  time.Time  `db:"updated_at"`
	FinishedAt *time.Time `db:"finished_at"`
	Unchanged  int        `db:"unchanged"` // cards of Done that needed no change
	Edits      int        `db:"edits"`     // cards whose values from before are kept
	Undoes     *string    `db:"undoes"`    // the job whose changes this one takes back
	UndoneBy   *string    `db:"undone_by"` // the job that takes the changes of this one back
	// Patch is the JSON of a patch, of kind Update, or a list with a price change. One of estimates is in a list within
	// the list. Processes of earlier versions cannot read such lists: they leave the job to others.
	Patch *string `db:"patch"`
}

// Changed returns the number of cards that were changed.
func (j Job) Changed() int { return j.Done - j.Unchanged }

// Fields returns the names of the fields that a job of kind Update sets, as in the JSON of a cards.Patch. It returns
// none for a job that undoes another one.
func (j *Job) Fields() []string {
	switch {
	case j.Patch == nil || j.Undoes != nil:
		return nil
	case strings.HasPrefix(*j.Patch, "["):
		return []string{"asking_price"}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(*j.Patch), &fields); err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(fields))
}

// plan is a Job with the parameters of its work.
type plan struct {
	Job
	Filter      *string    `db:"filter"` // JSON; nil once all cards are collected
	Most        *int       `db:"most"`   // cards of the job; nil means MaxCards
	AfterAt     *time.Time `db:"after_at"`
	AfterID     *string    `db:"after_id"`
	Marketplace *string    `db:"marketplace"` // of kind Publish
	Hints       *string    `db:"hints"`       // JSON; of kind Identify
	ActorType   string     `db:"actor_type"`
	ActorID     string     `db:"actor_id"`
}

// actor returns the actor of the job's changes.
func (p *plan) actor() caller.Actor {
	return caller.Actor{Type: caller.ActorType(p.ActorType), ID: p.ActorID}
}

// count counts the outcomes of the next cards.
func (p *plan) count(outcomes []error) {
	for _, err := range outcomes {
		if err != nil {
			p.Refused++
		} else {
			p.Done++
		}
	}
}

// finish sets the last status of the job.
func (p *plan) finish(status Status, at time.Time) {
	p.Status, p.UpdatedAt, p.FinishedAt = status, at, &at
}

// Request describes a new job. Exactly one of CardIDs and Filter is set.
type Request struct {
	Kind    Kind
	CardIDs []string
	// Filter selects the cards that match it when the job collects them, except cards that are created after the job.
	Filter *cards.Filter
	Patch  *cards.Patch // of kind Update
	// PriceChange is of kind Update, in place of Patch.
	PriceChange *cards.PriceChange
	// Hints, of kind Identify, replace the hints that are kept with the cards. May be nil.
	Hints *catalog.Hints
	// Expected is the number of cards that the caller expects the job to have, or nil. See cards.CheckExpected.
	Expected *int
}

// check returns the error of a request that is not valid.
func (r Request) check() error {
	switch {
	case r.Kind == Restore:
		return fault.Invalid("kind", "cannot be restore; undo the job that has deleted the cards")
	case (r.CardIDs == nil) == (r.Filter == nil):
		return fault.Invalid("card_ids", "is required without filter, and not allowed with it")
	case r.Kind == Update && (r.Patch == nil) == (r.PriceChange == nil):
		return fault.Invalid("patch", "is required for the kind update without price_change, and not allowed with it")
	case r.Kind != Update && r.Patch != nil:
		return fault.Invalid("patch", "is allowed for the kind update only")
	case r.Kind != Update && r.PriceChange != nil:
		return fault.Invalid("price_change", "is allowed for the kind update only")
	case r.Kind != Identify && r.Hints != nil:
		return fault.Invalid("hints", "is allowed for the kind identify only")
	}
	if i := cards.Repeated(r.CardIDs); i >= 0 {
		return fault.Invalid(fmt.Sprintf("card_ids.%d", i), "must differ from the identifiers before it")
	}
	return nil
}

// Refusal is a card that a job could not change, and why.
type Refusal struct {
	CardID    string
	RefusedAt time.Time
	Err       *fault.Error
}
