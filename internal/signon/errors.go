package signon

import (
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/oauth2"

	"github.com/cardvault/cardvault/internal/fault"
)

// ErrStale reports that the provider's answer belongs to no attempt that can be finished.
var ErrStale = fault.New(fault.InvalidRequest,
	"This log-in was finished before, took too long or began in another window. Begin again.")

var (
	errCancelled = fault.New(fault.InvalidRequest,
		"The log-in was cancelled, or the provider does not let you use CardVault. Try again.")
	errUnavailable = fault.New(fault.Unavailable,
		"The provider of the log-in cannot be reached at the moment. Try again, or log in with your password.")
	errInvalid = fault.New(fault.UpstreamError,
		"The provider's answer could not be verified. Try again. If it fails again, ask the operator of the service.")
	errNoEmail = fault.New(fault.InsufficientScope,
		"The provider did not return your e-mail address. Ask the operator of the service.")
	errUnverified = fault.New(fault.InsufficientScope,
		"The provider has not verified your e-mail address. Verify it there, then try again.")
)

// maxCause is the maximum length of a cause, in bytes. Causes may quote the answer of the provider.
const maxCause = 300

// cut returns an error with the beginning of the text. It drops the error itself, whose other fields may be larger.
func cut(text string) error { return errors.New(text[:min(len(text), maxCause)]) }

func unavailable(err error) error { return errUnavailable.WithCause(cut(err.Error())) }

func invalid(err error) error { return errInvalid.WithCause(cut(err.Error())) }

// refused returns the error for a code of RFC 6749, section 4.1.2.1, with which the provider refused a log-in.
func refused(code string) error {
	cause := cut(fmt.Sprintf("the provider answered %q", code))
	switch code {
	case "access_denied":
		return errCancelled.WithCause(cause)
	case "temporarily_unavailable", "server_error":
		return errUnavailable.WithCause(cause)
	}
	return errInvalid.WithCause(cause)
}

// exchangeError returns the error for a failed request for tokens. The text and the description that the provider sent
// are left out, because they may quote the code.
func exchangeError(err error) error {
	var failure *oauth2.RetrieveError
	if !errors.As(err, &failure) {
		return unavailable(err)
	}
	cause := cut(fmt.Sprintf("the token endpoint answered %d %q", failure.Response.StatusCode, failure.ErrorCode))
	if failure.Response.StatusCode >= http.StatusInternalServerError {
		return errUnavailable.WithCause(cause)
	}
	return errInvalid.WithCause(cause)
}
