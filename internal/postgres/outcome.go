package postgres

import "github.com/cardvault/cardvault/internal/fault"

// UnknownOutcome returns the error of a write that may or may not have been made, because its connection
// or its context ended during the commit. A caller must not repeat the write unless repeating it does
// no harm.
func UnknownOutcome(cause error) error {
	return fault.New(fault.Unavailable, "It is not known whether the change was made. "+
		"Read the resource to find out. A POST may be repeated with the same Idempotency-Key.").
		WithRetryAfter(retryAfter).WithCause(cause)
}
