package users

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// How many log-ins may fail within ratelimit.Window. The limit per user is higher than the limit per address, so that
// one client cannot keep a user from logging in elsewhere.
const (
	failuresPerAddress = 10
	failuresPerUser    = 30
)

// errLogin is the same for unknown users, wrong passwords and disabled users, so that it does not tell who is a user.
var errLogin = fault.New(fault.InvalidRequest, "The e-mail address or the password is wrong.")

// LogIn returns the user with this e-mail address and password, and records the log-in. After too many failures from
// an address or for a user, it returns rate_limited with the time to wait. Failures of other clients do not keep a
// device out with which the user has logged in before.
func (s *Service) LogIn(ctx context.Context, from Client, email, password string) (Login, error) {
	login, err := s.checkPassword(ctx, from, email, password)
	if err == nil {
		err = s.countLogIn(ctx, login, from)
	}
	if err != nil {
		return Login{}, err
	}
	return login, s.recordLogIn(ctx, login.ID)
}

// CheckPassword checks the password that opened the account of a visit. It counts failures as LogIn does, and records
// nothing.
func (s *Service) CheckPassword(ctx context.Context, from Client, v Visit, password string) error {
	login, err := s.checkPassword(ctx, from, v.Email, password)
	if err == nil && !login.Proof.Opens(v.PasswordID) {
		err = errLogin
	}
	return err
}

func (s *Service) checkPassword(ctx context.Context, from Client, email, password string) (Login, error) {
	failures, err := s.failuresOf(ctx, from, email)
	if err != nil {
		return Login{}, err
	}
	login, err := s.authenticate(ctx, failures, email, password)
	switch {
	case fault.Is(err, fault.RateLimited):
		slog.WarnContext(ctx, "log-in refused after too many failures", "email", email, "address", from.Address)
	case errors.Is(err, errLogin):
		slog.WarnContext(ctx, "log-in failed", "email", email, "address", from.Address)
	}
	return login, err
}

func (s *Service) authenticate(ctx context.Context, f failures, email, password string) (Login, error) {
	if err := f.check(ctx); err != nil { // before anything is read or hashed
		return Login{}, err
	}
	if len(password) > MaxPassword*4 || len(email) > maxEmail { // bytes
		f.count(ctx)
		return Login{}, errLogin
	}
	user, err := s.ByEmail(ctx, email)
	if ignoreUnknown(err) != nil {
		return Login{}, err
	}
	release, err := s.acquireHashing(ctx)
	if err != nil {
		return Login{}, err
	}
	defer release()
	// Others failed while this one waited. Without this check, all that arrive together would be compared.
	if err := f.check(ctx); err != nil {
		return Login{}, err
	}
	right, err := s.compare(ctx, user, password)
	if err != nil {
		return Login{}, err
	}
	if len(right) == 0 || user.DisabledAt != nil {
		f.count(ctx)
		return Login{}, errLogin
	}
	return Login{user, proofOf(right)}, nil
}

// ignoreUnknown returns nil for user_not_found, so that unknown users are treated as others.
func ignoreUnknown(err error) error {
	if fault.Is(err, fault.UserNotFound) {
		return nil
	}
	return err
}

// compare returns the identifiers of the user's passwords that equal the given one. The caller has a slot of
// acquireHashing.
func (s *Service) compare(ctx context.Context, user User, password string) (right []storedPassword, err error) {
	memberships, err := membershipsOf(ctx, s.db, user.ID)
	if err != nil {
		return nil, err
	}
	list := user.passwords(memberships)
	if len(list) == 0 {
		_, err := matches(password, nil)
		return nil, err
	}
	for _, one := range list {
		same, err := matches(password, &one.hash)
		if err != nil {
			return nil, err
		}
		if same {
			right = append(right, one)
		}
	}
	return right, nil
}

// maxPasswords is the maximum number of different passwords of a user. A log-in compares every one.
const maxPasswords = 20

// checkUnused refuses a new password that is one of the user's, and one more than maxPasswords.
func (s *Service) checkUnused(ctx context.Context, user User, password string) error {
	release, err := s.acquireHashing(ctx)
	if err != nil {
		return err
	}
	defer release()
	memberships, err := membershipsOf(ctx, s.db, user.ID)
	if err != nil {
		return err
	}
	if len(user.passwords(memberships)) >= maxPasswords {
		return fault.Invalid("password", "cannot be one more: this address has %d passwords for other accounts. "+
			"Log in by one of them, then open the link again", maxPasswords)
	}
	right, err := s.compare(ctx, user, password)
	if err == nil && len(right) > 0 {
		err = fault.Invalid("password", "must be a new one, because others may know the one that you have used here")
	}
	return err
}

func (s *Service) recordLogIn(ctx context.Context, userID string) error {
	_, err := s.db.Exec(ctx, `UPDATE users SET last_login_at = $2 WHERE id = $1`, userID, s.clock.Time())
	if err != nil {
		return fmt.Errorf("record log-in: %w", err)
	}
	return nil
}

// failures counts the failed log-ins of an address and of a user.
type failures struct {
	limiter ratelimit.Limiter
	limits  map[string]int // by the keys of the limiter
}

// check returns rate_limited after too many failures.
func (f failures) check(ctx context.Context) error {
	for key, limit := range f.limits {
		if d := f.limiter.Peek(ctx, key, ratelimit.Write, limit); !d.Allowed {
			return tooMany(d)
		}
	}
	return nil
}

func tooMany(d ratelimit.Decision) error {
	return fault.New(fault.RateLimited, "Too many attempts to log in. Try again in %d seconds.",
		int(d.RetryAfter.Seconds())).WithRetryAfter(d.RetryAfter)
}

func (f failures) count(ctx context.Context) {
	for key, limit := range f.limits {
		f.limiter.Take(ctx, key, ratelimit.Write, limit)
	}
}
