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

// onMachine returns a service on a machine whose clock is wrong by offset.
func onMachine(db *postgres.DB, offset time.Duration) *Service {
	return New(db, clock.Clock{Now: func() time.Time { return time.Now().Add(offset) }})
}

func TestService_RevokesAcrossMachinesWithClocksApart(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ revokes, asks time.Duration }{
		"revoked by a machine ahead":       {time.Hour, 0},
		"revoked by a machine behind":      {-time.Hour, 0},
		"asked for on a machine behind":    {0, -time.Hour},
		"both wrong, in opposite ways":     {time.Hour, -time.Hour},
		"both wrong, the other way around": {-time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, ctx := pgtest.New(t), t.Context()
			here, elsewhere := onMachine(db, test.revokes), onMachine(db, test.asks)
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
			for _, works := range []string{secret, nextSecret} {
				if _, err := elsewhere.Authenticate(ctx, works); err != nil {
					t.Errorf("within the grace: %v", err)
				}
			}
			if _, err := here.RevokeToken(ctx, next.ID); err != nil {
				t.Fatal(err)
			}
			age(t, db, 30*time.Minute)
			elsewhere.pass(CacheTime)
			for _, stopped := range []string{secret, nextSecret} {
				if _, err := elsewhere.Authenticate(ctx, stopped); !fault.Is(err, fault.RevokedToken) {
					t.Errorf("after its end: %v, want revoked_token", err)
				}
			}
		})
	}
}

func TestService_RecognizesTokensThatExist(t *testing.T) {
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
			t.Error("a secret is recognized before it was looked up")
		}
		_, _ = s.Authenticate(ctx, secret)
	}
	if !s.Recognizes(secret) || s.Recognizes(unknown) || !s.Recognizes("mistyped") {
		t.Error("want the token recognized, the mistyped one refused without a look-up, and the unknown one neither")
	}
	if _, err := s.RevokeToken(ctx, token.ID); err != nil {
		t.Fatal(err)
	}
	s.pass(time.Hour)
	if !s.Recognizes(secret) {
		t.Error("a token is no longer recognized once what was known of it has expired")
	}
}
