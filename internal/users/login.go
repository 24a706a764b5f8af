package users

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// How many log-ins may fail within ratelimit.Window. A user has more than an address, so that one client cannot keep a
// user from logging in elsewhere.
const (
	failuresPerAddress = 10
	failuresPerUser    = 30
)

// errLogin is the same for unknown users, wrong passwords and disabled users, so that it does not tell who is a user.
var errLogin = fault.New(fault.InvalidRequest, "The e-mail address or the password is wrong.")

// LogIn returns the user with this e-mail address and password. address is the client's. After too many failures from
// an address or for a user it returns rate_limited, with the time to wait.
func (s *Service) LogIn(ctx context.Context, address netip.Addr, email, password string) (User, error) {
	limits := map[string]int{
		"login " + ratelimit.AddressKey(address): failuresPerAddress, "login " + emailKey(email): failuresPerUser,
	}
	for key, limit := range limits {
		if d := s.limiter.Peek(ctx, key, ratelimit.Write, limit); !d.Allowed {
			slog.WarnContext(ctx, "log-in refused after too many failures", "email", email, "address", address)
			return User{}, fault.New(fault.RateLimited,
				"Too many attempts to log in. Try again in %d seconds.", int(d.RetryAfter.Seconds())).
				WithRetryAfter(d.RetryAfter)
		}
	}
	user, err := s.authenticate(ctx, email, password)
	if errors.Is(err, errLogin) {
		for key, limit := range limits {
			s.limiter.Take(ctx, key, ratelimit.Write, limit)
		}
		slog.WarnContext(ctx, "log-in failed", "email", email, "address", address)
	}
	return user, err
}

func (s *Service) authenticate(ctx context.Context, email, password string) (User, error) {
	if len(password) > MaxPassword*4 || len(email) > maxEmail { // bytes
		return User{}, errLogin
	}
	user, err := s.ByEmail(ctx, email)
	if err != nil && !fault.Is(err, fault.UserNotFound) {
		return User{}, err
	}
	matches, err := s.matches(ctx, password, user.PasswordHash)
	if err != nil {
		return User{}, err
	}
	if !matches || user.DisabledAt != nil {
		return User{}, errLogin
	}
	_, err = s.db.Exec(ctx, `UPDATE users SET last_login_at = $2 WHERE id = $1`, user.ID, s.clock.Time())
	if err != nil {
		return User{}, fmt.Errorf("users.LogIn: %w", err)
	}
	return user, nil
}
