package users

import (
	"context"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/clock"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

const (
	ada      = "Ada@example.com"
	password = "correct horse battery"
)

var (
	home  = netip.MustParseAddr("192.0.2.1")
	other = netip.MustParseAddr("192.0.2.2")
)

// club is a Service with an account whose owner is ada.
type club struct {
	*Service
	account string
	ada     User
}

func setup(t *testing.T) *club {
	t.Helper()
	db := pgtest.New(t)
	holders := accounts.New(db, clock.System)
	account, err := holders.Create(t.Context(), "Ada's cards", false)
	if err != nil {
		t.Fatal(err)
	}
	c := &club{Service: New(db, clock.System, holders, ratelimit.NewMemory()), account: account.ID}
	c.ada = c.create(t, ada, Owner, password)
	return c
}

func (c *club) create(t *testing.T, email string, role Role, password string) User {
	t.Helper()
	user, err := c.Create(t.Context(), c.account, email, role, password)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

// link returns the secret of the operator's link for a user.
func (c *club) link(t *testing.T, userID string) string {
	t.Helper()
	secret, err := c.NewLink(t.Context(), userID)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// loggedIn returns the log-in of a user.
func (c *club) loggedIn(t *testing.T, email, password string) Login {
	t.Helper()
	login, err := c.LogIn(t.Context(), Client{Address: home}, email, password)
	if err != nil {
		t.Fatal(err)
	}
	return login
}

// opened returns the accounts that a log-in opens.
func (c *club) opened(t *testing.T, l Login) []string {
	t.Helper()
	places, err := c.Workplaces(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	ids := []string{}
	for _, place := range places {
		ids = append(ids, place.ID)
	}
	return ids
}

// logIn returns "" or the code of the error.
func (c *club) logIn(t *testing.T, from netip.Addr, email, password string) fault.Code {
	t.Helper()
	_, err := c.LogIn(t.Context(), Client{Address: from}, email, password)
	return code(t, err)
}

func code(t *testing.T, err error) fault.Code {
	t.Helper()
	if err == nil {
		return ""
	}
	f, ok := fault.As(err)
	if !ok {
		t.Fatal(err)
	}
	return f.Code
}

func TestService_LogIn(t *testing.T) {
	t.Parallel()
	c := setup(t)
	c.create(t, "invited@example.com", Member, "")
	disabled := c.create(t, "disabled@example.com", Member, password)
	if _, err := c.Disable(t.Context(), disabled.ID); err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		email, password string
		want            fault.Code
	}{
		"right":                 {ada, password, ""},
		"other case":            {strings.ToUpper(ada), password, ""},
		"wrong password":        {ada, password + " ", fault.InvalidRequest},
		"no password":           {ada, "", fault.InvalidRequest},
		"unknown":               {"eve@example.com", password, fault.InvalidRequest},
		"without password":      {"invited@example.com", "", fault.InvalidRequest},
		"disabled":              {"disabled@example.com", password, fault.InvalidRequest},
		"very long":             {ada, strings.Repeat("x", 100_000), fault.InvalidRequest},
		"hash of absent users":  {"eve@example.com", absent, fault.InvalidRequest},
		"address with NUL":      {"eve\x00@example.com", password, fault.InvalidRequest},
		"address not in UTF-8":  {"eve\xff@example.com", password, fault.InvalidRequest},
		"password with a tab":   {ada, "\t" + password, fault.InvalidRequest},
		"password of NUL bytes": {ada, "\x00\x00\x00", fault.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.logIn(t, netip.MustParseAddr("2001:db8::1"), tc.email, tc.password); got != tc.want {
				t.Errorf("LogIn: got %q, want %q", got, tc.want)
			}
		})
		c.limiter = ratelimit.NewMemory()
	}
}

func TestService_LogInIsSlowedDown(t *testing.T) {
	t.Parallel()
	c := setup(t)
	for i := range failuresPerAddress {
		if got := c.logIn(t, home, "eve@example.com", "wrong"); got != fault.InvalidRequest {
			t.Fatalf("log-in %d: got %q, want invalid_request", i, got)
		}
	}
	if got := c.logIn(t, home, ada, password); got != fault.RateLimited {
		t.Errorf("after %d failures from an address: got %q, want rate_limited", failuresPerAddress, got)
	}
	if got := c.logIn(t, other, ada, password); got != "" {
		t.Errorf("another user from another address: got %q, want success", got)
	}
	for i := range failuresPerUser - failuresPerAddress {
		c.logIn(t, netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}), "EVE@example.com", "wrong")
	}
	if got := c.logIn(t, other, "eve@example.com", password); got != fault.RateLimited {
		t.Errorf("after %d failures for a user: got %q, want rate_limited", failuresPerUser, got)
	}
}

func TestService_LogInLogsNoPassword(t *testing.T) {
	var log strings.Builder
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	c := setup(t)
	c.logIn(t, home, ada, "a password that is wrong")
	if got := log.String(); !strings.Contains(got, ada) || strings.Contains(got, "that is wrong") {
		t.Errorf("log of a failed log-in: got %q, want the address without the password", got)
	}
}

func TestService_HashingIsBounded(t *testing.T) {
	t.Parallel()
	c := setup(t)
	for range hashesAtOnce {
		c.hashing <- struct{}{}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := c.acquireHashing(ctx); !fault.Is(err, fault.Unavailable) {
		t.Errorf("with all slots taken: got %v, want unavailable", err)
	}
}

func TestService_CreateRefuses(t *testing.T) {
	t.Parallel()
	c := setup(t)
	for name, tc := range map[string]struct {
		account, email string
		role           Role
		password       string
		want           fault.Code
	}{
		"account":        {"acc_unknown", "b@example.com", Member, password, fault.AccountNotFound},
		"address":        {c.account, "b", Member, password, fault.InvalidRequest},
		"name":           {c.account, "B <b@example.com>", Member, password, fault.InvalidRequest},
		"role":           {c.account, "b@example.com", "admin", password, fault.InvalidRequest},
		"short password": {c.account, "b@example.com", Member, "short", fault.InvalidRequest},
		"one character":  {c.account, "b@example.com", Member, "aaaaaaaaaaaa", fault.InvalidRequest},
		"own address":    {c.account, "b@example.com", Member, "B@example.com", fault.InvalidRequest},
		"password of an existing user": {c.account, "ada@EXAMPLE.com", Member, "another password",
			fault.InvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := c.Create(t.Context(), tc.account, tc.email, tc.role, tc.password)
			if got := code(t, err); got != tc.want {
				t.Errorf("Create: got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestService_SeveralAccounts(t *testing.T) {
	t.Parallel()
	c := setup(t)
	second, err := c.accounts.Create(t.Context(), "The shop", false)
	if err != nil {
		t.Fatal(err)
	}
	secret := c.invite(t, second.ID, strings.ToLower(ada), Member)
	login, err := c.Join(t.Context(), secret, c.loggedIn(t, ada, password), "another password")
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.accounts.Get(t.Context(), c.account)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Workplaces(t.Context(), login)
	if err != nil {
		t.Fatal(err)
	}
	id := login.passwordID()
	if diff := cmp.Diff([]Workplace{{first, Owner, id}, {second, Member, id}}, got); diff != "" {
		t.Errorf("workplaces (-want +got):\n%s", diff)
	}
	listed, err := c.List(t.Context(), second.ID)
	if err != nil || len(listed) != 1 || listed[0].ID != c.ada.ID || listed[0].Role != Member {
		t.Errorf("List = %+v, %v, want ada as member", listed, err)
	}
}

func TestService_KeepsAnOwner(t *testing.T) {
	t.Parallel()
	c := setup(t)
	bob := c.create(t, "bob@example.com", Owner, password)
	// Of two owners that remove each other at the same time, one stays.
	var wait sync.WaitGroup
	for _, userID := range []string{c.ada.ID, bob.ID} {
		wait.Go(func() { _ = c.Remove(context.WithoutCancel(t.Context()), c.account, userID) })
	}
	wait.Wait()
	left, err := c.List(t.Context(), c.account)
	if err != nil || len(left) != 1 {
		t.Fatalf("List = %+v, %v, want one owner", left, err)
	}
	last := left[0]
	if got := code(t, c.Remove(t.Context(), c.account, last.ID)); got != fault.LastOwner {
		t.Errorf("Remove of the last owner: got %q, want last_owner", got)
	}
	if got := code(t, c.SetRole(t.Context(), c.account, last.ID, Member)); got != fault.LastOwner {
		t.Errorf("SetRole of the last owner: got %q, want last_owner", got)
	}
	if err := c.SetRole(t.Context(), c.account, last.ID, Owner); err != nil {
		t.Errorf("SetRole to the same role: %v", err)
	}
	if got := code(t, c.Remove(t.Context(), c.account, "usr_unknown")); got != fault.UserNotFound {
		t.Errorf("Remove of an unknown user: got %q, want user_not_found", got)
	}
	member := c.create(t, "carl@example.com", Member, "")
	if err := c.Remove(t.Context(), c.account, member.ID); err != nil {
		t.Errorf("Remove of a member: %v", err)
	}
}
