package users

import (
	"context"
	"log/slog"
	"strings"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// signOnsPerAddress is how many log-ins at an identity provider may begin within ratelimit.Window. People of one shop
// often share an address. Each log-in costs a row of user_sessions and may cost a request to the provider.
const signOnsPerAddress = 30

var (
	errUnknownAddress = fault.New(fault.InsufficientScope,
		"There is no user with your e-mail address. Ask an owner of the account for an invitation to this address.")
	errDisabled = fault.New(fault.InsufficientScope,
		"Your user is disabled. Ask the operator of the service.")
)

// AllowSignOn counts a log-in at an identity provider that a client begins. It returns rate_limited, with the time to
// wait, if there are too many.
func (s *Service) AllowSignOn(ctx context.Context, from Client) error {
	key := "sign-on " + ratelimit.AddressKey(from.Address)
	if devices := s.devices(from); len(devices) > 0 {
		key = "sign-on device " + devices[0].ID
	}
	d := s.limiter.Take(ctx, key, ratelimit.Write, signOnsPerAddress)
	if !d.Allowed {
		slog.WarnContext(ctx, "log-in at the provider refused after too many", "address", from.Address)
		return tooMany(d)
	}
	return nil
}

// LogInVerified returns the user with an e-mail address that an identity provider has verified. It creates no user.
// The errors say whether there is such a user, because the address is the client's own.
func (s *Service) LogInVerified(ctx context.Context, from Client, email string) (Login, error) {
	user, err := s.findVerified(ctx, email)
	if err != nil {
		slog.WarnContext(ctx, "log-in at the provider failed", "email", email, "address", from.Address, "error", err)
		return Login{}, err
	}
	login := Login{user, Proof{Verified: true}}
	if err := s.countLogIn(ctx, login, from); err != nil {
		return Login{}, err
	}
	return login, s.recordLogIn(ctx, user.ID)
}

func (s *Service) findVerified(ctx context.Context, email string) (User, error) {
	if checkEmail(email) != nil {
		return User{}, errUnknownAddress
	}
	user, err := s.ByEmail(ctx, email)
	switch {
	case fault.Is(err, fault.UserNotFound), err == nil && !sameAddress(user.Email, email):
		return User{}, errUnknownAddress
	case err != nil:
		return User{}, err
	case user.DisabledAt != nil:
		return User{}, errDisabled
	}
	return user, nil
}

// sameAddress reports whether two addresses are equal except for the case of ASCII letters. It ignores other
// characters' case: the Kelvin sign becomes an ASCII letter in lower case, but its address may belong to another
// person.
func sameAddress(a, b string) bool {
	lower := func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r - 'A' + 'a'
		}
		return r
	}
	return strings.Map(lower, a) == strings.Map(lower, b)
}
