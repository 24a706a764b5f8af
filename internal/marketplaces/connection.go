package marketplaces

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Connected is a Marketplace to which each account is connected by its owner.
type Connected interface {
	Marketplace
	// ConnectedSince returns the time from which the account can make calls: when it was connected last, or when new
	// calls became available after it had used up a day's calls. It returns a *ConnectionError if the account is not
	// connected.
	ConnectedSince(ctx context.Context) (time.Time, error)
}

// ConnectionError means that the account is not connected to the marketplace, or not any more. No call can succeed
// until an owner of the account connects it, so the work for its listings waits.
type ConnectionError struct {
	Code    string
	Message string
}

// The codes of connection errors.
const (
	CodeNotConnected      = "not_connected"
	CodeConnectionRevoked = "connection_revoked"
)

// Error returns the code and the message.
func (e *ConnectionError) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

// AsConnectionError returns the connection error in err's chain, if there is one.
func AsConnectionError(err error) (*ConnectionError, bool) {
	var broken *ConnectionError
	ok := errors.As(err, &broken)
	return broken, ok
}
