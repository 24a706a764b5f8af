package accounts

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

func TestSecretsCatchEveryMistypedCharacter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sandbox := rapid.Bool().Draw(t, "sandbox")
		secret, err := newSecret(sandbox)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := wellFormed(secret); !ok || got != sandbox || len(secret) != 44 {
			t.Fatalf("wellFormed(%q) = %v, %v", secret, got, ok)
		}
		at := rapid.IntRange(0, len(secret)-1).Draw(t, "at")
		wrong := secret[:at] + string(base62[rapid.IntRange(0, 61).Draw(t, "digit")]) + secret[at+1:]
		if _, ok := wellFormed(wrong); ok && wrong != secret {
			t.Fatalf("%q was taken for a secret", wrong)
		}
	})
}

// pass lets time pass for what the service remembers of tokens.
func (s *Service) pass(d time.Duration) {
	now := s.cache.now
	s.cache.now = func() time.Time { return now().Add(d) }
}

// age makes the database believe that what it stored of all tokens happened earlier.
func age(t *testing.T, db *postgres.DB, by time.Duration) {
	t.Helper()
	_, err := db.SQL().Exec(`UPDATE tokens SET last_used_at = last_used_at - $1 * interval '1 second', revoked_at = revoked_at - $1 * interval '1 second'`,
		by.Seconds())
	if err != nil {
		t.Fatal(err)
	}
}

func TestTokensLiveAndEnd(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	here, elsewhere := New(db, clock.System), New(db, clock.System)

	account, err := here.Create(ctx, "Ada's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	token, secret, err := here.CreateToken(ctx, account.ID, "till", ratelimit.Limits{Read: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(secret, "cv_live_") || !strings.HasSuffix(secret, token.LastFour) {
		t.Fatalf("secret %q of %+v", secret, token)
	}
	for _, s := range []*Service{here, elsewhere} {
		who, err := s.Authenticate(ctx, secret)
		if err != nil || who.AccountID != account.ID || who.TokenID != token.ID || who.Limits.Read != 1000 || who.Sandbox {
			t.Fatalf("Authenticate = %+v, %v", who, err)
		}
	}

	if _, err := here.RevokeToken(ctx, token.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := here.Authenticate(ctx, secret); !fault.Is(err, fault.RevokedToken) {
		t.Errorf("where it was revoked: %v", err)
	}
	elsewhere.pass(CacheTime)
	if _, err := elsewhere.Authenticate(ctx, secret); !fault.Is(err, fault.RevokedToken) {
		t.Errorf("elsewhere after %v: %v", CacheTime, err)
	}
}

func TestRotationLeavesTheOldTokenItsGrace(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	s := New(db, clock.System)
	account, err := s.Create(ctx, "Sandbox", true)
	if err != nil {
		t.Fatal(err)
	}
	old, oldSecret, err := s.CreateToken(ctx, account.ID, "ci", ratelimit.Limits{AI: 7})
	if err != nil {
		t.Fatal(err)
	}
	made, secret, err := s.RotateToken(ctx, old.ID, time.Hour)
	if err != nil || made.Name != "ci" || made.Limits != "ai=7" || !strings.HasPrefix(secret, "cv_test_") {
		t.Fatalf("RotateToken = %+v, %v", made, err)
	}
	if _, err := s.Authenticate(ctx, oldSecret); err != nil {
		t.Errorf("within its grace: %v", err)
	}
	age(t, db, time.Hour)
	s.pass(CacheTime)
	if _, err := s.Authenticate(ctx, oldSecret); !fault.Is(err, fault.RevokedToken) {
		t.Errorf("after its grace: %v", err)
	}
	if who, err := s.Authenticate(ctx, secret); err != nil || !who.Sandbox {
		t.Errorf("the new one: %+v, %v", who, err)
	}
	if _, _, err := s.RotateToken(ctx, old.ID, time.Hour); !fault.Is(err, fault.RevokedToken) {
		t.Errorf("a successor of a token that has stopped: %v", err)
	}
	if list, err := s.Tokens(ctx, account.ID); err != nil || len(list) != 2 {
		t.Errorf("there are %d tokens, %v", len(list), err)
	}
}

func TestAuthenticateRefuses(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t), clock.System)
	unknown, err := newSecret(false)
	if err != nil {
		t.Fatal(err)
	}
	for secret, code := range map[string]fault.Code{
		"": fault.MissingToken, "cv_live_x": fault.InvalidToken, unknown: fault.InvalidToken,
		"cv_live_" + strings.Repeat("\x00", 36): fault.InvalidToken,
	} {
		if _, err := s.Authenticate(t.Context(), secret); !fault.Is(err, code) {
			t.Errorf("Authenticate(%q) = %v, want %s", secret, err, code)
		}
	}
}

func TestLastUseIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	s := New(db, clock.System)
	account, err := s.Create(ctx, "A", false)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := s.CreateToken(ctx, account.ID, "t", ratelimit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	used := func() time.Time {
		t.Helper()
		if _, err := s.Authenticate(ctx, secret); err != nil {
			t.Fatal(err)
		}
		list, err := s.Tokens(ctx, account.ID)
		if err != nil || len(list) != 1 || list[0].LastUsedAt == nil {
			t.Fatalf("Tokens = %+v, %v", list, err)
		}
		return *list[0].LastUsedAt
	}
	first := used()
	age(t, db, 30*time.Second)
	first = first.Add(-30 * time.Second)
	s.pass(CacheTime)
	if again := used(); !again.Equal(first) {
		t.Errorf("written again after 30 s: %v, %v", first, again)
	}
	age(t, db, 31*time.Second)
	s.pass(CacheTime)
	if again := used(); !again.After(first) {
		t.Errorf("not written after a minute: %v", again)
	}
}

func TestUnknownAccountsAndTokens(t *testing.T) {
	t.Parallel()
	s, ctx := New(pgtest.New(t), clock.System), t.Context()
	if _, _, err := s.CreateToken(ctx, "acc_nobody", "x", ratelimit.Limits{}); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("CreateToken: %v", err)
	}
	if _, err := s.RevokeToken(ctx, "tok_nothing"); !fault.Is(err, fault.TokenNotFound) {
		t.Errorf("RevokeToken: %v", err)
	}
	if _, _, err := s.RotateToken(ctx, "tok_nothing", 0); !fault.Is(err, fault.TokenNotFound) {
		t.Errorf("RotateToken: %v", err)
	}
	if _, err := s.Create(ctx, "", false); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Create without a name: %v", err)
	}
}
