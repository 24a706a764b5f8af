package connections

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cardvault/cardvault/internal/marketplaces"
)

func (e *env) wantToken(want string) {
	e.t.Helper()
	if got, err := e.Token(e.t.Context(), account); err != nil || got != want {
		e.t.Errorf("Token = %q, %v, want %q", got, err, want)
	}
}

// wantBroken checks that Token returns a connection error.
func (e *env) wantBroken(code string) {
	e.t.Helper()
	token, err := e.Token(e.t.Context(), account)
	broken, ok := marketplaces.AsConnectionError(err)
	if token != "" || !ok || broken.Code != code {
		e.t.Errorf("Token = %q, %v, want the connection error %s", token, err, code)
	}
	if err != nil && strings.Contains(err.Error(), "secret") {
		e.t.Errorf("the error contains a token: %v", err)
	}
}

func TestToken_RefreshedOnce(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	e.expire("30 seconds") // too short for a call: all wait for the new token
	const processes = 8
	tokens, errs := make([]string, processes), make([]error, processes)
	var wait sync.WaitGroup
	for i := range processes {
		s := e.process()
		s.timing.poll = time.Millisecond
		wait.Go(func() { tokens[i], errs[i] = s.Token(t.Context(), account) })
	}
	wait.Wait()
	for i := range processes {
		if errs[i] != nil || tokens[i] != "access-secret-2" {
			t.Errorf("process %d: got %q, %v, want the new token", i, tokens[i], errs[i])
		}
	}
	if e.fake.refreshes != 1 {
		t.Errorf("the token was refreshed %d times, want once", e.fake.refreshes)
	}
}

// While one process refreshes, the others use the token that is still valid.
func TestToken_UsesCurrentMeanwhile(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	e.expire("5 minutes")
	e.fake.during = func(context.Context) {
		if got, err := e.process().Token(t.Context(), account); err != nil || got != "access-secret-1" {
			t.Errorf("another process: got %q, %v, want the current token", got, err)
		}
	}
	e.wantToken("access-secret-2")
	if e.fake.refreshes != 1 {
		t.Errorf("the token was refreshed %d times, want once", e.fake.refreshes)
	}
}

func TestToken_AfterCrash(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	e.expire("0 seconds")
	e.exec("refresh_claim = 'of a dead process', refresh_until = now() + interval '20 seconds'")
	e.timing.poll, e.timing.total = time.Millisecond, 50*time.Millisecond
	if token, err := e.Token(t.Context(), account); err == nil || e.fake.refreshes > 0 {
		t.Errorf("Token during another process's lease = %q, %v, after %d refreshes", token, err, e.fake.refreshes)
	}
	e.timing.total = time.Minute
	e.exec("refresh_until = now()")
	e.wantToken("access-secret-2")
}

// A process that is slower than its lease does not overwrite a newer token.
func TestToken_LostClaim(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	e.expire("0 seconds")
	e.fake.during = func(context.Context) {
		e.fake.during = nil
		e.exec("refresh_until = now()")
		if got, err := e.process().Token(t.Context(), account); err != nil || got != "access-secret-2" {
			t.Errorf("the faster process: got %q, %v", got, err)
		}
	}
	e.wantToken("access-secret-2") // not the third, which the slower process got
	if e.fake.issued != 3 {
		t.Errorf("%d tokens were issued, want 3", e.fake.issued)
	}
}

func TestToken_ProviderDown(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	e.fake.err = errDown
	e.expire("5 minutes")
	e.wantToken("access-secret-1") // valid long enough
	e.expire("10 seconds")
	if _, err := e.Token(t.Context(), account); !errors.Is(err, errDown) {
		t.Errorf("Token: got %v, want the provider's error", err)
	}
	e.wantState(Connected)
	e.fake.err = nil
	e.wantToken("access-secret-2") // the failed refresh holds no claim
}

func TestToken_Revoked(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.wantBroken(marketplaces.CodeNotConnected)
	e.connect()
	e.expire("0 seconds")
	e.fake.err = ErrInvalidGrant
	var wait sync.WaitGroup
	for range 4 {
		s := e.process()
		s.timing.poll = time.Millisecond
		wait.Go(func() {
			if _, err := s.Token(t.Context(), account); err == nil {
				t.Error("Token: no error after the consent was revoked")
			}
		})
	}
	wait.Wait()
	e.wantBroken(marketplaces.CodeConnectionRevoked)
	if c := e.wantState(Revoked); c.EndedAt == nil || c.Site != "US" {
		t.Errorf("revoked connection: %+v", c)
	}
	e.fake.err = nil
	e.connect()
	e.wantToken("access-secret-2")
	want := []string{
		"marketplace.connected usr_ada ebay US", "marketplace.revoked cardvault ebay US",
		"marketplace.connected usr_ada ebay US",
	}
	if diff := cmp.Diff(want, e.audited()); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
}

// An answer about the tokens of before does not end the connection that was made meanwhile.
func TestToken_ConnectedAgainMeanwhile(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	e.expire("0 seconds")
	e.fake.err = ErrInvalidGrant
	e.fake.during = func(context.Context) {
		e.fake.mu.Lock()
		e.fake.err = nil
		e.fake.mu.Unlock()
		e.connect()
	}
	e.wantToken("access-secret-2")
	e.wantState(Connected)
}

func TestService_Reject(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	for _, step := range []struct{ rejected, next string }{
		{"access-secret-1", "access-secret-2"}, {"access-secret-1", "access-secret-2"},
		{"access-secret-2", "access-secret-3"},
	} {
		if err := e.Reject(t.Context(), account, step.rejected); err != nil {
			t.Fatal(err)
		}
		e.wantToken(step.next)
	}
	if err := e.Reject(t.Context(), "acc_b", "access-secret-3"); err != nil {
		t.Errorf("Reject of an account that is not connected: %v", err)
	}
}

func TestService_Disconnect(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	e.expire("0 seconds")
	e.fake.during = func(context.Context) { // a refresh that is under way does not connect the account again
		if err := e.Disconnect(e.as(bob), account); err != nil {
			t.Error(err)
		}
	}
	e.wantBroken(marketplaces.CodeNotConnected)
	e.wantState(Disconnected)
	if err := e.Disconnect(e.as(bob), account); err != nil {
		t.Error(err)
	}
	want := []string{"marketplace.connected usr_ada ebay US", "marketplace.disconnected usr_bob ebay US"}
	if diff := cmp.Diff(want, e.audited()); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	if err := e.Configure(e.as(ada), account, "US", json.RawMessage(`{"location":"home"}`)); err != nil {
		t.Error(err)
	}
	if c := e.wantState(Disconnected); string(c.Settings) != "{}" {
		t.Errorf("settings of a disconnected account were changed: %+v", c)
	}
}

func TestService_Reencrypt(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	next := New(e.db, ring(t, 2, 1), e.fake, e)
	for _, want := range []ReencryptResult{{Reencrypted: 1}, {Current: 1}} {
		if got, err := next.Reencrypt(t.Context()); err != nil || got != want {
			t.Errorf("Reencrypt = %+v, %v, want %+v", got, err, want)
		}
	}
	alone := New(e.db, ring(t, 2), e.fake, e)
	if token, err := alone.Token(t.Context(), account); err != nil || token != "access-secret-1" {
		t.Errorf("Token with the new key = %q, %v", token, err)
	}
	if _, err := e.Token(t.Context(), account); err == nil {
		t.Error("the old key still decrypts the token")
	}
	if got, err := e.Reencrypt(t.Context()); err == nil || strings.Contains(err.Error(), "secret-") {
		t.Errorf("Reencrypt without the key = %+v, %v, want an error without tokens", got, err)
	}
}
