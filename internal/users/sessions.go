package users

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/lib/pq"

	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/worker"
)

// Sessions stores the sessions of package scs, whose interface CtxStore it implements. The tokens that it gets must
// be hashes. The store of scs for PostgreSQL is not used because its calls have no deadlines.
type Sessions struct{ db *postgres.DB }

// NewSessions returns the storage of sessions.
func NewSessions(db *postgres.DB) *Sessions { return &Sessions{db} }

// requestSession holds the sessions of a request: the session that the request was sent with, and the log-in of the
// session that it begins.
type requestSession struct {
	hash  string
	login Login
}

type sessionKey struct{}

// TrackSession returns a context for the session of one request, without which CommitCtx takes every session for a
// new one.
func TrackSession(ctx context.Context) context.Context {
	return context.WithValue(ctx, sessionKey{}, &requestSession{})
}

func sessionOf(ctx context.Context) *requestSession {
	if session, ok := ctx.Value(sessionKey{}).(*requestSession); ok {
		return session
	}
	return &requestSession{}
}

// BeginSession says whose session the request begins, in a context of TrackSession.
func BeginSession(ctx context.Context, l Login) { sessionOf(ctx).login = l }

// FindCtx implements scs.CtxStore.
func (s *Sessions) FindCtx(ctx context.Context, hash string) (data []byte, found bool, err error) {
	err = s.db.Get(ctx, &data, `SELECT data FROM user_sessions WHERE hash = $1 AND expires_at > now()`, hash)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("load a session: %w", err)
	}
	sessionOf(ctx).hash = hash
	return data, true, nil
}

// CommitCtx implements scs.CtxStore. It does not store a session again that has ended since the request loaded it,
// otherwise a request in progress would undo a log-out.
func (s *Sessions) CommitCtx(ctx context.Context, hash string, data []byte, expiresAt time.Time) error {
	err := s.commit(ctx, sessionOf(ctx), hash, data, expiresAt)
	if err != nil {
		return fmt.Errorf("store a session: %w", err)
	}
	return nil
}

func (s *Sessions) commit(ctx context.Context, r *requestSession, hash string, data []byte, until time.Time) error {
	if r.hash == hash {
		_, err := s.db.Exec(ctx, `
			UPDATE user_sessions SET data = $2, expires_at = $3 WHERE hash = $1`, hash, data, until)
		return err
	}
	const insert = `
		INSERT INTO user_sessions (hash, data, expires_at, user_id, proof) VALUES ($1, $2, $3, nullif($4, ''), $5)`
	if r.login.ID == "" { // a log-in at the provider that is not finished
		_, err := s.db.Exec(ctx, insert, hash, data, until, "", nil)
		return err
	}
	proof := pq.Array(r.login.Proof.keys())
	return s.db.InTx(ctx, func(tx *postgres.Tx) error {
		if err := lock(ctx, tx, r.login.ID); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, insert, hash, data, until, r.login.ID, proof); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `
			DELETE FROM user_sessions WHERE hash IN (
				SELECT hash FROM user_sessions WHERE user_id = $1 AND proof && $2
				ORDER BY created_at DESC, hash OFFSET $3)`, r.login.ID, proof, maxSessions)
		return err
	})
}

// DeleteCtx implements scs.CtxStore.
func (s *Sessions) DeleteCtx(ctx context.Context, hash string) error {
	if _, err := s.db.Exec(ctx, `DELETE FROM user_sessions WHERE hash = $1`, hash); err != nil {
		return fmt.Errorf("delete a session: %w", err)
	}
	return nil
}

// Find implements scs.Store, which scs does not call if the store implements CtxStore.
func (s *Sessions) Find(hash string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), hash)
}

// Commit implements scs.Store, as Find does.
func (s *Sessions) Commit(hash string, data []byte, expiresAt time.Time) error {
	return s.CommitCtx(context.Background(), hash, data, expiresAt)
}

// Delete implements scs.Store, as Find does.
func (s *Sessions) Delete(hash string) error { return s.DeleteCtx(context.Background(), hash) }

// maxSessions is the maximum number of sessions that a user has begun with the same password or at the identity
// provider. The oldest ones end.
const maxSessions = 20

const (
	sweepInterval = time.Hour
	sweepSize     = 1000 // rows of a statement
)

// NewSweeper returns the loop that deletes sessions and links that have expired.
func NewSweeper(db *postgres.DB) *worker.Periodic {
	return worker.NewPeriodic("users sweep", sweepInterval, func(ctx context.Context) (more bool, err error) {
		for _, statement := range []string{
			`DELETE FROM user_sessions WHERE hash IN
				(SELECT hash FROM user_sessions WHERE expires_at < now() ORDER BY expires_at LIMIT $1)`,
			`DELETE FROM user_links WHERE hash IN (SELECT hash FROM user_links WHERE expires_at < now() LIMIT $1)`,
		} {
			result, err := db.Exec(ctx, statement, sweepSize)
			if err != nil {
				return false, fmt.Errorf("delete expired sessions: %w", err)
			}
			n, err := result.RowsAffected()
			if err != nil {
				return false, fmt.Errorf("delete expired sessions: %w", err)
			}
			more = more || n == sweepSize
		}
		return more, nil
	})
}
