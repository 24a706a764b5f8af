package users

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"github.com/cardvault/cardvault/internal/fault"
)

// The lengths of passwords, in characters (NIST SP 800-63B, section 3.1.1.2, which also advises against rules about
// kinds of characters).
const (
	MinPassword = 10
	MaxPassword = 200
)

// hashing are the parameters that OWASP's Password Storage Cheat Sheet recommends for argon2id: 19 MiB, two passes.
// Hashing takes about 26 ms of processor time.
var hashing = argon2id.Params{Memory: 19 << 10, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// hashesAtOnce limits the memory of log-ins to 76 MiB. With more than four processors, it also leaves some processors
// to other work. Further log-ins wait for up to hashWait.
const (
	hashesAtOnce = 4
	hashWait     = 2 * time.Second
)

func checkPassword(email, password string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword || n > MaxPassword:
		return fault.Invalid("password", "must be %d to %d characters", MinPassword, MaxPassword)
	case strings.EqualFold(password, email):
		return fault.Invalid("password", "must not be the e-mail address")
	case strings.Count(password, password[:1]) == len(password):
		return fault.Invalid("password", "must not be one character repeated")
	}
	return nil
}

// hash checks a new password and returns its hash.
func (s *Service) hash(ctx context.Context, email, password string) (*string, error) {
	if err := checkPassword(email, password); err != nil {
		return nil, err
	}
	release, err := s.acquireHashing(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	hash, err := argon2id.CreateHash(password, &hashing)
	if err != nil {
		return nil, fmt.Errorf("hash password: %w", err)
	}
	return &hash, nil
}

// absent is compared with the passwords of users that do not exist, so that their log-ins take as long as others. It is
// the hash of a random password.
const absent = "$argon2id$v=19$m=19456,t=2,p=1$cGVwcGVyIGFuZCBzYWx0IQ$0f4qGkA3x2c2mC5u3eQ0s3bJ7o9nYwz1kR8vT6pLqXM"

// matches reports whether a password has this hash. For a nil hash it takes as long and reports false. The caller has a
// slot of acquireHashing.
func matches(password string, hash *string) (bool, error) {
	hashText := absent
	if hash != nil {
		hashText = *hash
	}
	same, err := argon2id.ComparePasswordAndHash(password, hashText)
	if err != nil {
		return false, fmt.Errorf("compare passwords: %w", err)
	}
	return same && hash != nil, nil
}

func (s *Service) acquireHashing(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, hashWait)
	defer cancel()
	select {
	case s.hashing <- struct{}{}:
		return func() { <-s.hashing }, nil
	case <-ctx.Done():
		return nil, fault.New(fault.Unavailable, "Too many people log in at the moment. Try again in a few seconds.").
			WithRetryAfter(hashWait)
	}
}
