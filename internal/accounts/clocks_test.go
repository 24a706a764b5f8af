package accounts

import (
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

// onMachine returns a service on a machine whose clock is ahead by offset.
func onMachine(db *postgres.DB, offset time.Duration) *Service {
	return New(db, clock.Clock{Now: func() time.Time { return time.Now().Add(offset) }})
}

func TestService_RevokesDespiteClockSkew(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ revoke, authenticate time.Duration }{ // how far the clocks are ahead
		"revoke ahead":                      {time.Hour, 0},
		"revoke behind":                     {-time.Hour, 0},
		"authenticate behind":               {0, -time.Hour},
		"revoke ahead, authenticate behind": {time.Hour, -time.Hour},
		"revoke behind, authenticate ahead": {-time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, ctx := pgtest.New(t), t.Context()
			here, elsewhere := onMachine(db, test.revoke), onMachine(db, test.authenticate)
			account, err := here.Create(ctx, "Ada's cards", false)
			if err != nil {
				t.Fatal(err)
			}
			token, secret, err := here.CreateToken(ctx, account.ID, "till", ratelimit.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			next, nextSecret, err := here.RotateToken(ctx, token.ID, 30*time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			for _, valid := range []string{secret, nextSecret} {
				if _, err := elsewhere.Authenticate(ctx, valid); err != nil {
					t.Errorf("within the grace period: %v", err)
				}
			}
			if _, err := here.RevokeToken(ctx, next.ID); err != nil {
				t.Fatal(err)
			}
			age(t, db, 30*time.Minute)
			elsewhere.pass(CacheTime)
			for _, revoked := range []string{secret, nextSecret} {
				if _, err := elsewhere.Authenticate(ctx, revoked); !fault.Is(err, fault.RevokedToken) {
					t.Errorf("after the token's end: got %v, want revoked_token", err)
				}
			}
		})
	}
}

func TestService_Recognizes(t *testing.T) {
	t.Parallel()
	s, ctx := New(pgtest.New(t), clock.System), t.Context()
	account, err := s.Create(ctx, "Ada's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	token, secret, err := s.CreateToken(ctx, account.ID, "till", ratelimit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	unknown, err := newSecret(false)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{secret, unknown} {
		if s.Recognizes(secret) {
			t.Error("Recognizes: got true before the first lookup, want false")
		}
		_, _ = s.Authenticate(ctx, secret)
	}
	if !s.Recognizes(secret) || s.Recognizes(unknown) || !s.Recognizes("mistyped") {
		t.Error("Recognizes: want true for the token and for the malformed secret, false for the unknown one")
	}
	if _, err := s.RevokeToken(ctx, token.ID); err != nil {
		t.Fatal(err)
	}
	s.pass(time.Hour)
	if !s.Recognizes(secret) {
		t.Error("Recognizes: got false after the cached lookup expired, want true because the token exists")
	}
}
