// Package audit keeps the audit log of an account: the changes to its settings, users, tokens and webhooks, with their
// time and author. The changes of a card are in the card's own history.
//
// The packages that make a change call Record in the transaction of the change, so the log has an entry for each change
// and for no other. Entries hold no secrets. A Log reads the entries.
package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/id"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/partitions"
	"github.com/cardvault/cardvault/internal/worker"
)

// Kind names a kind of change.
type Kind string

// The kinds of entries.
const (
	SettingsChanged      Kind = "settings.changed"
	TokenCreated         Kind = "token.created"
	TokenRotated         Kind = "token.rotated"
	TokenRevoked         Kind = "token.revoked"
	WebhookRegistered    Kind = "webhook.registered"
	WebhookChanged       Kind = "webhook.changed"
	WebhookEnabled       Kind = "webhook.enabled"
	WebhookDisabled      Kind = "webhook.disabled"
	WebhookSecretRotated Kind = "webhook.secret_rotated"
	WebhookSecretEnded   Kind = "webhook.secret_ended"
	WebhookDeleted       Kind = "webhook.deleted"
	UserInvited          Kind = "user.invited"
	InvitationWithdrawn  Kind = "user.invitation_withdrawn"
	UserAdded            Kind = "user.added"
	UserRoleChanged      Kind = "user.role_changed"
	UserPasswordLink     Kind = "user.password_link"
	UserRemoved          Kind = "user.removed"
	ExportRequested      Kind = "account.export_requested"
	DeletionRequested    Kind = "account.deletion_requested"
	DeletionCancelled    Kind = "account.deletion_cancelled"

	MarketplaceConnected    Kind = "marketplace.connected"
	MarketplaceDisconnected Kind = "marketplace.disconnected"
	MarketplaceRevoked      Kind = "marketplace.revoked" // at the marketplace
	MarketplaceChanged      Kind = "marketplace.changed"
)

// Entry is a change.
type Entry struct {
	At      time.Time // by the database's clock
	Kind    Kind
	Actor   caller.Actor
	Subject string // as a reader knows it: a token's name, a webhook's address, a user's e-mail address
	Detail  string // "" if the kind says it all
}

// prefix begins the identifiers of entries. Identifiers order entries of the same time.
const prefix = "aud"

// Record adds an entry in the transaction of the change. It takes the actor from the context.
func Record(ctx context.Context, tx *postgres.Tx, accountID string, kind Kind, subject, detail string) error {
	actor := caller.ActorFrom(ctx)
	_, err := tx.Exec(ctx, `
		INSERT INTO audit_log (account_id, at, id, kind, actor_type, actor_id, subject, detail)
		VALUES ($1, clock_timestamp(), $2, $3, $4, $5, $6, $7)`,
		accountID, id.New(prefix, time.Now()), kind, actor.Type, actor.ID, subject, detail)
	if err != nil {
		return fmt.Errorf("record audit entry: %w", err)
	}
	return nil
}

// Log reads entries. They are kept for Retention.
type Log struct {
	db      *postgres.DB
	cursors paging.Cursors
}

// NewLog returns a Log.
func NewLog(db *postgres.DB, cursors paging.Cursors) *Log { return &Log{db, cursors} }

// row is a stored entry.
type row struct {
	ID        string           `db:"id"`
	At        time.Time        `db:"at"`
	Kind      Kind             `db:"kind"`
	ActorType caller.ActorType `db:"actor_type"`
	ActorID   string           `db:"actor_id"`
	Subject   string           `db:"subject"`
	Detail    string           `db:"detail"`
}

func (r row) entry() Entry {
	return Entry{
		At: r.At.UTC(), Kind: r.Kind, Actor: caller.Actor{Type: r.ActorType, ID: r.ActorID},
		Subject: r.Subject, Detail: r.Detail,
	}
}

// List returns a page of the account's entries, newest first.
func (l *Log) List(ctx context.Context, accountID string, p paging.Request) (paging.Page[Entry], error) {
	var none paging.Page[Entry]
	scope := "audit " + accountID
	after, err := l.cursors.Start(scope, p)
	if err != nil {
		return none, err
	}
	list := paging.List{
		Columns: "id, at, kind, actor_type, actor_id, subject, detail", Table: "audit_log",
		Sort: paging.ByTime("at"), ID: "id", Account: accountID,
	}
	var rows []struct {
		row
		paging.Scanned
	}
	if err := paging.Select(ctx, l.db, &rows, list, after, p.Size()); err != nil {
		return none, fmt.Errorf("list audit log: %w", err)
	}
	var read paging.Read[row]
	for _, r := range rows {
		read.Add(r.row, r.Scanned)
	}
	cut := paging.Cut(l.cursors, scope, read, p.Size(), func(r row) paging.Position {
		return paging.Position{At: r.At, ID: r.ID}
	})
	entries := paging.Page[Entry]{Data: make([]Entry, len(cut.Data)), NextCursor: cut.NextCursor}
	for i, r := range cut.Data {
		entries.Data[i] = r.entry()
	}
	return entries, nil
}

// Retention is how long entries are kept.
const Retention = 2 * 366 * 24 * time.Hour

const (
	partitionsAhead = 2 // months
	upkeepInterval  = time.Hour
)

var table = partitions.Table{Name: "audit_log", Key: "at", Period: partitions.Month}

// Prepare creates the partitions that Record writes to. It must run before the service changes anything: an entry that
// is written while the partition of its month is being created fails. Entries without a partition go to the default
// partition, and the next call moves them.
func Prepare(ctx context.Context, db *postgres.DB, c clock.Clock) error {
	if err := partitions.Prepare(ctx, db, c.Time(), partitionsAhead, table); err != nil {
		return fmt.Errorf("prepare partitions: %w", err)
	}
	return nil
}

// NewUpkeep returns the loop that creates partitions ahead of time and drops those whose retention is over. Several
// processes can run it.
func NewUpkeep(db *postgres.DB, c clock.Clock) *worker.Periodic {
	return worker.NewPeriodic("audit upkeep", upkeepInterval, func(ctx context.Context) (bool, error) {
		return false, errors.Join(Prepare(ctx, db, c), table.DropBefore(ctx, db, c.Time().Add(-Retention)))
	})
}
