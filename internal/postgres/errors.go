package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"github.com/cardvault/cardvault/internal/fault"
)

// ErrDuplicate means that a row violates a unique constraint. It does not name the constraint, because a
// distributed PostgreSQL does not report it; the caller knows it from its statement.
var ErrDuplicate = errors.New("postgres: duplicate key")

// ErrCommitUnknown means that the connection was lost during COMMIT, so the transaction may be stored or not. Only the
// data shows which. InTx does not run the transaction again. A caller may, if it checks the data first or if running
// twice does no harm.
var ErrCommitUnknown = errors.New("postgres: the connection was lost during COMMIT")

// ErrLockTimeout means that another transaction held a lock for longer than the session's lock_timeout.
var ErrLockTimeout = errors.New("postgres: lock timeout")

// errTryAgain means that PostgreSQL aborted a transaction because of a deadlock or a serialization failure.
var errTryAgain = errors.New("postgres: transaction aborted, try again")

// retryAfter is the Retry-After of errors while the database is unavailable. A restart takes a second or two.
const retryAfter = 2 * time.Second

// mapError maps the errors of lib/pq to the service's errors, for all stores:
//   - sql.ErrNoRows is unchanged.
//   - A COMMIT without a response is unavailable and ErrCommitUnknown, even if its context has ended.
//   - The error of a context takes precedence over the 57014 that it causes.
//   - A unique violation is ErrDuplicate.
//   - Text that the database cannot store (NUL) is invalid_request.
//   - A database that is unreachable, starting, stopping, out of connections, too slow or that rejects the
//     login is unavailable.
func mapError(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if errors.Is(err, ErrCommitUnknown) {
		return UnknownOutcome(err)
	}
	if ctxErr := ctx.Err(); ctxErr != nil {
		return errors.Join(ctxErr, err)
	}
	var pgErr *pq.Error
	if errors.As(err, &pgErr) {
		return mapCode(pgErr)
	}
	if isConnection(err) {
		return unavailable(err)
	}
	return err
}

func mapCode(err *pq.Error) error {
	switch err.Code {
	case pqerror.UniqueViolation:
		return errors.Join(ErrDuplicate, err)
	case pqerror.TRSerializationFailure, pqerror.TRDeadlockDetected:
		return errors.Join(errTryAgain, unavailable(err))
	case pqerror.CharacterNotInRepertoire, pqerror.UntranslatableCharacter:
		return fault.New(fault.InvalidRequest, "text holds a character that cannot be stored").WithCause(err)
	case pqerror.LockNotAvailable:
		return errors.Join(ErrLockTimeout, unavailable(err))
	case pqerror.QueryCanceled:
		return unavailable(err)
	}
	switch err.Code.Class() {
	// Connection, authorization, unknown database, resources, operator intervention, system.
	case "08", "28", "3D", "53", "57", "58":
		return unavailable(err)
	}
	return err
}

func isConnection(err error) bool {
	var netErr net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, errConnectionLost) || errors.Is(err, sql.ErrConnDone) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &netErr)
}

func unavailable(err error) error {
	return fault.New(fault.Unavailable, "the database does not answer at the moment; try again").
		WithRetryAfter(retryAfter).WithCause(err)
}
