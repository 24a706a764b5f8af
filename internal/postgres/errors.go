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

// ErrDuplicate says that a unique constraint refused a row. Which one is for the caller to know
// from what its statement was about: a distributed PostgreSQL leaves the constraint's name out.
var ErrDuplicate = errors.New("postgres: duplicate key")

// ErrCommitUnknown says that the connection was lost while it carried out a COMMIT. The transaction is stored or not;
// only a look at the data tells. The transaction is not run again: that is for a caller that can tell, or whose work
// may be done twice.
var ErrCommitUnknown = errors.New("postgres: the connection was lost during COMMIT")

// ErrLockTimeout says that another transaction held a row for longer than the session's lock_timeout.
var ErrLockTimeout = errors.New("postgres: lock timeout")

// errTryAgain marks a transaction that PostgreSQL gave up for the sake of another.
var errTryAgain = errors.New("postgres: transaction given up, try again")

// retryAfter is what a caller is told while the database is away: a restart takes a second or two.
const retryAfter = 2 * time.Second

// mapError turns what lib/pq answers into the service's error model, once for all stores:
//   - sql.ErrNoRows stays as it is,
//   - a COMMIT without an answer is unavailable and ErrCommitUnknown, whether or not its context has ended,
//   - a context that ended wins over the 57014 that it causes,
//   - unique violation is ErrDuplicate,
//   - text the database cannot hold (NUL) is an invalid_request,
//   - a database that is away, starting, stopping, out of connections, too slow or not to be entered
//     is unavailable.
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
	case "08", "28", "3D", "53", "57", "58": // connection, authorisation, no such database, resources, operator intervention, system
		return unavailable(err)
	}
	return err
}

func isConnection(err error) bool {
	var netErr net.Error
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, errConnectionLost) || errors.Is(err, sql.ErrConnDone) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &netErr)
}

func unavailable(err error) error {
	return fault.New(fault.Unavailable, "the database does not answer at the moment; try again").
		WithRetryAfter(retryAfter).WithCause(err)
}
