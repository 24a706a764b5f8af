package accounts

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/money"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

func TestWellFormed_RejectsMistypedCharacter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sandbox := rapid.Bool().Draw(t, "sandbox")
		secret, err := newSecret(sandbox)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := wellFormed(secret); !ok || got != sandbox || len(secret) != 44 {
			t.Fatalf("wellFormed(%q): got sandbox %v, %v, want %v", secret, got, ok, sandbox)
		}
		at := rapid.IntRange(0, len(secret)-1).Draw(t, "at")
		wrong := secret[:at] + string(base62[rapid.IntRange(0, 61).Draw(t, "digit")]) + secret[at+1:]
		if _, ok := wellFormed(wrong); ok && wrong != secret {
			t.Fatalf("wellFormed(%q): got true, want false because one character of a secret was changed", wrong)
		}
	})
}

// pass advances the clock of the service's cache.
func (s *Service) pass(d time.Duration) {
	now := s.cache.now
	s.cache.now = func() time.Time { return now().Add(d) }
}

// age moves the stored times of all tokens into the past.
func age(t *testing.T, db *postgres.DB, by time.Duration) {
	t.Helper()
	_, err := db.SQL().Exec(`
		UPDATE tokens SET last_used_at = last_used_at - $1 * interval '1 second',
		                  revoked_at = revoked_at - $1 * interval '1 second'`, by.Seconds())
	if err != nil {
		t.Fatal(err)
	}
}

func TestService_RevokeToken(t *testing.T) {
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
		t.Fatalf("CreateToken: got the secret %q and %+v", secret, token)
	}
	want := caller.Caller{
		AccountID: account.ID, TokenID: token.ID, Limits: ratelimit.Limits{Read: 1000},
		Largest: ratelimit.Limits{Read: 1000}, Scopes: caller.DefaultScopes,
	}
	for _, s := range []*Service{here, elsewhere} {
		got, err := s.Authenticate(ctx, secret)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("Authenticate (-want +got):\n%s", diff)
		}
	}

	if _, err := here.RevokeToken(ctx, token.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := here.Authenticate(ctx, secret); !fault.Is(err, fault.RevokedToken) {
		t.Errorf("in the process that revoked the token: got %v, want revoked_token", err)
	}
	elsewhere.pass(CacheTime)
	if _, err := elsewhere.Authenticate(ctx, secret); !fault.Is(err, fault.RevokedToken) {
		t.Errorf("in another process after %v: got %v, want revoked_token", CacheTime, err)
	}
}

func TestService_Guard(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), t.Context()
	here, elsewhere := New(db, clock.System), New(db, clock.System)
	account, err := here.Create(ctx, "Ada's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	token, secret, err := here.CreateToken(ctx, account.ID, "till", ratelimit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	guards := map[*Service]postgres.TxHook{}
	for _, s := range []*Service{here, elsewhere} {
		who, err := s.Authenticate(ctx, secret)
		if err != nil {
			t.Fatal(err)
		}
		guards[s] = s.Guard(secret, who)
		if err := guards[s](ctx, nil); err != nil { // without a transaction: it runs no statement
			t.Errorf("Guard after Authenticate: %v", err)
		}
	}
	run := func(s *Service) error {
		return db.InTx(postgres.WithGuard(ctx, guards[s]), func(*postgres.Tx) error { return nil })
	}
	elsewhere.pass(CacheTime)
	if err := run(elsewhere); err != nil {
		t.Errorf("Guard after CacheTime: %v", err)
	}
	if _, err := here.RevokeToken(ctx, token.ID); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Service{here, elsewhere} {
		if err := run(s); !fault.Is(err, fault.RevokedToken) {
			t.Errorf("Guard of a revoked token: got %v, want revoked_token", err)
		}
	}
	if _, err := db.Exec(ctx, `DELETE FROM tokens WHERE account_id = $1`, account.ID); err != nil {
		t.Fatal(err)
	}
	if err := run(elsewhere); !fault.Is(err, fault.InvalidToken) {
		t.Errorf("Guard of a token of a deleted account: got %v, want invalid_token", err)
	}
}

func TestService_RotateToken(t *testing.T) {
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
	successor, secret, err := s.RotateToken(ctx, old.ID, time.Hour)
	if err != nil || successor.Name != "ci" || successor.Limits != "ai=7" || !strings.HasPrefix(secret, "cv_test_") {
		t.Fatalf("RotateToken: got %+v, %v, want the name and the limits of the old token", successor, err)
	}
	if _, err := s.Authenticate(ctx, oldSecret); err != nil {
		t.Errorf("the old token within its grace period: %v", err)
	}
	age(t, db, time.Hour)
	s.pass(CacheTime)
	if _, err := s.Authenticate(ctx, oldSecret); !fault.Is(err, fault.RevokedToken) {
		t.Errorf("the old token after its grace period: got %v, want revoked_token", err)
	}
	if got, err := s.Authenticate(ctx, secret); err != nil || !got.Sandbox {
		t.Errorf("the new token: got %+v, %v, want a sandbox account", got, err)
	}
	if _, _, err := s.RotateToken(ctx, old.ID, time.Hour); !fault.Is(err, fault.RevokedToken) {
		t.Errorf("RotateToken of a revoked token: got %v, want revoked_token", err)
	}
	if list, err := s.Tokens(ctx, account.ID); err != nil || len(list) != 2 {
		t.Errorf("Tokens: got %d, %v, want 2", len(list), err)
	}
}

func TestAuthenticate_Invalid(t *testing.T) {
	t.Parallel()
	s := New(pgtest.New(t), clock.System)
	unknown, err := newSecret(false)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		secret string
		want   fault.Code
	}{
		"none":       {"", fault.MissingToken},
		"too short":  {"cv_live_x", fault.InvalidToken},
		"zero bytes": {"cv_live_" + strings.Repeat("\x00", 36), fault.InvalidToken},
		"unknown":    {unknown, fault.InvalidToken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := s.Authenticate(t.Context(), test.secret); !fault.Is(err, test.want) {
				t.Errorf("Authenticate(%q): got %v, want %s", test.secret, err, test.want)
			}
		})
	}
}

func TestService_WritesLastUseOnceAMinute(t *testing.T) {
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
			t.Fatalf("Tokens: got %+v, %v, want one with a last use", list, err)
		}
		return *list[0].LastUsedAt
	}
	first := used()
	age(t, db, 30*time.Second)
	first = first.Add(-30 * time.Second)
	s.pass(CacheTime)
	if again := used(); !again.Equal(first) {
		t.Errorf("last use after 30 s: got %v, want %v", again, first)
	}
	age(t, db, 31*time.Second)
	s.pass(CacheTime)
	if again := used(); !again.After(first) {
		t.Errorf("last use after a minute: got %v, want a later time than %v", again, first)
	}
}

func TestService_Errors(t *testing.T) {
	t.Parallel()
	s, ctx := New(pgtest.New(t), clock.System), t.Context()
	if _, _, err := s.CreateToken(ctx, "acc_unknown", "x", ratelimit.Limits{}); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("CreateToken: got %v, want account_not_found", err)
	}
	if _, err := s.RevokeToken(ctx, "tok_unknown"); !fault.Is(err, fault.TokenNotFound) {
		t.Errorf("RevokeToken: got %v, want token_not_found", err)
	}
	if _, _, err := s.RotateToken(ctx, "tok_unknown", 0); !fault.Is(err, fault.TokenNotFound) {
		t.Errorf("RotateToken: got %v, want token_not_found", err)
	}
	if _, err := s.Create(ctx, "", false); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Create without a name: got %v, want invalid_request", err)
	}
}

func TestService_Update(t *testing.T) {
	t.Parallel()
	s, ctx := New(pgtest.New(t), clock.System), t.Context()
	games := []string{"chess", "go"}
	s.UseIdentification(
		Identification{Providers: []string{"a", "remote"}, Threshold: 0.85, Games: games},
		Identification{Providers: []string{"a", "b"}, Threshold: 0.85, Games: games})
	account, err := s.Create(ctx, "Ada's cards", true)
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Create(ctx, "Eve's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	low, above := 0.8, 1.1
	if _, err := s.Update(ctx, "acc_unknown", func(*Change) {}); !fault.Is(err, fault.AccountNotFound) {
		t.Errorf("Update of an unknown account: got %v, want account_not_found", err)
	}
	for name, change := range map[string]func(*Change){
		"no name":       func(c *Change) { c.Name = "" },
		"long name":     func(c *Change) { c.Name = strings.Repeat("x", MaxName+1) },
		"NUL":           func(c *Change) { c.Name = "Ada\x00" },
		"not UTF-8":     func(c *Change) { c.Name = "Ada\xff" },
		"currency":      func(c *Change) { c.Currency = "eur" },
		"no time zone":  func(c *Change) { c.TimeZone = "" },
		"time zone":     func(c *Change) { c.TimeZone = "../zone" },
		"floor price":   func(c *Change) { c.Preferences.FloorPrice = &money.Money{} },
		"low threshold": func(c *Change) { c.Preferences.Threshold = &low },
		"threshold":     func(c *Change) { c.Preferences.Threshold = &above },
		"provider":      func(c *Change) { c.Preferences.Providers = []string{"a", "c"} },
		"live provider": func(c *Change) { c.Preferences.Providers = []string{"a", "remote"} },
		"one provider":  func(c *Change) { c.Preferences.Providers = []string{"a"} },
		"game":          func(c *Change) { c.Preferences.Games = []string{"go", "poker"} },
		"twice":         func(c *Change) { c.Preferences.Providers = []string{"a", "a"} },
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := s.Update(ctx, account.ID, change); !fault.Is(err, fault.InvalidRequest) {
				t.Errorf("Update: got %v, want invalid_request", err)
			}
		})
	}
	threshold := 0.9
	preferences := Preferences{
		FloorPrice: &money.Money{Amount: 99, Currency: "EUR"}, Providers: []string{"b", "a"}, Threshold: &threshold,
		Games: []string{"go"},
	}
	updated, err := s.Update(ctx, account.ID, func(c *Change) {
		*c = Change{"Ada's shop", "EUR", "Europe/Berlin", preferences}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := Account{
		ID: account.ID, Name: "Ada's shop", Sandbox: true, Currency: "EUR", TimeZone: "Europe/Berlin",
		Preferences: preferences, CreatedAt: updated.CreatedAt,
	}
	read, err := s.Get(ctx, account.ID)
	if diff := cmp.Diff([]Account{want, want}, []Account{updated, read}); err != nil || diff != "" {
		t.Errorf("Update, Get (-want +got): %v\n%s", err, diff)
	}
	live := []string{"remote", "a"}
	_, err = s.Update(ctx, other.ID, func(c *Change) { c.Preferences.Providers = live })
	if err != nil {
		t.Errorf("Update of a live account to the operator's providers: got %v", err)
	}
	if got, err := s.Get(ctx, other.ID); err != nil || got.Name != other.Name || got.Currency != DefaultCurrency {
		t.Errorf("another account: got %+v, %v, want it unchanged", got, err)
	}
}

func TestPreferences_Within(t *testing.T) {
	t.Parallel()
	allowed := Identification{Providers: []string{"a", "b"}, Threshold: 0.85}
	low, high := 0.5, 0.95
	for name, tc := range map[string]struct {
		preferences Preferences
		want        Identification
	}{
		"none":            {Preferences{}, allowed},
		"order":           {Preferences{Providers: []string{"b", "a"}}, Identification{[]string{"b", "a"}, 0.85, nil}},
		"other providers": {Preferences{Providers: []string{"b", "c"}}, allowed}, // since the operator changed them
		"high threshold":  {Preferences{Threshold: &high}, Identification{[]string{"a", "b"}, 0.95, nil}},
		"low threshold":   {Preferences{Threshold: &low}, allowed}, // since the operator raised it
		"games": {
			Preferences{Games: []string{"go"}}, Identification{[]string{"a", "b"}, 0.85, []string{"go"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, tc.preferences.Within(allowed)); diff != "" {
				t.Errorf("Within (-want +got):\n%s", diff)
			}
		})
	}
}

// The largest limits of an account count the tokens that work and the tokens that were revoked a moment ago.
func TestService_AuthenticateFindsLargestLimits(t *testing.T) {
	t.Parallel()
	s, ctx := New(pgtest.New(t), clock.System), t.Context()
	account, err := s.Create(ctx, "Large", false)
	if err != nil {
		t.Fatal(err)
	}
	for _, limits := range []ratelimit.Limits{{Read: 500, AI: 1}, {Read: 300, Write: 70}} {
		if _, _, err := s.CreateToken(ctx, account.ID, "own", limits); err != nil {
			t.Fatal(err)
		}
	}
	revoked, _, err := s.CreateToken(ctx, account.ID, "revoked", ratelimit.Limits{AI: 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.RevokeToken(ctx, revoked.ID); err != nil {
		t.Fatal(err)
	}
	_, secret, err := s.CreateToken(ctx, account.ID, "plain", ratelimit.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	who, err := s.Authenticate(ctx, secret)
	if want := (ratelimit.Limits{Read: 500, Write: 70, AI: 9}); err != nil || who.Largest != want {
		t.Errorf("the largest limits are %+v, %v; want %+v", who.Largest, err, want)
	}
}
