package connections

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/marketplaces"
)

func TestService_Complete(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.wantState(None)
	got := e.connect()
	want := Connection{
		Marketplace: "ebay", State: Connected, Site: "US", Settings: json.RawMessage("{}"), Actor: ada,
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Connection{}, "ConnectedAt", "ExpiresAt")); diff != "" {
		t.Errorf("connection (-want +got):\n%s", diff)
	}
	if left := time.Until(got.ExpiresAt); left < 499*24*time.Hour || left > 501*24*time.Hour {
		t.Errorf("the consent ends in %v, want 500 days", left)
	}
	if diff := cmp.Diff(got, e.wantState(Connected)); diff != "" {
		t.Errorf("stored connection (-want +got):\n%s", diff)
	}
	if token, err := e.Token(t.Context(), account); err != nil || token != "access-secret-1" {
		t.Errorf("Token = %q, %v", token, err)
	}
	if diff := cmp.Diff([]string{"marketplace.connected usr_ada ebay US"}, e.audited()); diff != "" {
		t.Errorf("audit log (-want +got):\n%s", diff)
	}
	if e.resumed != 1 {
		t.Errorf("the work that waits was resumed %d times, want once", e.resumed)
	}
}

// The dump of every table must not contain a token, a code or a state.
func TestService_StoresNoSecrets(t *testing.T) {
	t.Parallel()
	e := setup(t)
	pending, state := e.begin(bob, "US"), e.begin(ada, "US")
	if _, err := e.Complete(e.as(ada), account, answer(state)); err != nil {
		t.Fatal(err)
	}
	e.expire("1 second")
	if _, err := e.Token(t.Context(), account); err != nil {
		t.Fatal(err)
	}
	var dump string
	err := e.db.Get(t.Context(), &dump, `
		SELECT (SELECT string_agg(c::text || encode(c.access_token, 'escape') || encode(c.refresh_token, 'escape'), '')
			FROM marketplace_connections c) || (SELECT string_agg(s::text, '') FROM marketplace_consents s) ||
			(SELECT string_agg(a::text, '') FROM audit_log a)`)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"secret", pending, state} {
		if strings.Contains(dump, secret) {
			t.Errorf("the database contains %q: %s", secret, dump)
		}
	}
}

func TestComplete_Refused(t *testing.T) {
	t.Parallel()
	e := setup(t)
	state := e.begin(ada, "US")
	refuse := func(name string, code fault.Code, complete func() (Connection, error)) {
		t.Helper()
		if _, err := complete(); !fault.Is(err, code) {
			t.Errorf("%s: got %v, want %s", name, err, code)
		}
	}
	refuse("another user", fault.LinkExpired, func() (Connection, error) {
		return e.Complete(e.as(bob), account, answer(state))
	})
	refuse("another account", fault.LinkExpired, func() (Connection, error) {
		return e.Complete(e.as(ada), "acc_b", answer(state))
	})
	refuse("another state", fault.LinkExpired, func() (Connection, error) {
		return e.Complete(e.as(ada), account, answer("guessed"))
	})
	if e.fake.issued > 0 {
		t.Fatal("a code was exchanged for a state that is not the person's")
	}
	refuse("consent refused", fault.InvalidRequest, func() (Connection, error) {
		return e.Complete(e.as(ada), account, url.Values{"state": {state}, "error": {"access_denied"}})
	})
	refuse("used twice", fault.LinkExpired, func() (Connection, error) {
		return e.Complete(e.as(ada), account, answer(state))
	})
	late := e.begin(ada, "US")
	if _, err := e.db.SQL().Exec(`UPDATE marketplace_consents SET expires_at = now()`); err != nil {
		t.Fatal(err)
	}
	refuse("late", fault.LinkExpired, func() (Connection, error) {
		return e.Complete(e.as(ada), account, answer(late))
	})
	first := e.begin(ada, "US")
	e.begin(ada, "US")
	refuse("replaced", fault.LinkExpired, func() (Connection, error) {
		return e.Complete(e.as(ada), account, answer(first))
	})
	e.fake.err = ErrInvalidGrant
	refuse("a code that is used up", fault.LinkExpired, func() (Connection, error) {
		return e.Complete(e.as(ada), account, answer(e.begin(ada, "US")))
	})
	e.wantState(None)
	if _, err := e.Begin(e.as(ada), account, "MARS"); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Begin for an unknown site: got %v", err)
	}
}

// A process that dies at any step leaves no connection, or that of before, and the person can begin again.
func TestComplete_Crash(t *testing.T) {
	t.Parallel()
	for name, crash := range map[string]func(e *env){
		"at the marketplace": func(e *env) { e.fake.err = errDown },
		"while storing":      func(e *env) { e.fail = errDown },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := setup(t)
			for _, before := range []State{None, Connected} {
				state := e.begin(ada, "US")
				crash(e)
				if _, err := e.Complete(e.as(ada), account, answer(state)); !errors.Is(err, errDown) {
					t.Fatalf("Complete: got %v, want the crash", err)
				}
				e.fake.err, e.fail = nil, nil
				if e.wantState(before); before == Connected {
					if token, err := e.Token(t.Context(), account); err != nil || token == "" {
						t.Errorf("the connection before does not work any more: %q, %v", token, err)
					}
					continue
				}
				e.connect()
			}
			if got := len(e.audited()); got != 1 {
				t.Errorf("audit log: %d entries, want that of the connection that was made", got)
			}
		})
	}
}

// A browser that goes away during the exchange does not lose the tokens that were issued.
func TestComplete_RequestCancelled(t *testing.T) {
	t.Parallel()
	e := setup(t)
	ctx, cancel := context.WithCancel(e.as(ada))
	state := e.begin(ada, "US")
	s := New(e.db, e.keys, cancelling{e.fake, cancel}, e)
	if _, err := s.Complete(ctx, account, answer(state)); err != nil {
		t.Fatal(err)
	}
	e.wantState(Connected)
}

// cancelling cancels a request after the marketplace has issued tokens for it.
type cancelling struct {
	Provider
	cancel func()
}

func (c cancelling) Exchange(ctx context.Context, code string) (Tokens, error) {
	defer c.cancel()
	return c.Provider.Exchange(ctx, code)
}

func TestService_Site(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.connect()
	settings := json.RawMessage(`{"location": "home"}`)
	if err := e.Configure(e.as(ada), account, "US", settings); err != nil {
		t.Fatal(err)
	}
	if c := e.connect(); string(c.Settings) != string(settings) {
		t.Errorf("settings after the account was connected again: got %s, want %s", c.Settings, settings)
	}
	e.open = true
	if _, err := e.Begin(e.as(ada), account, "DE"); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Begin for another site with open listings: got %v", err)
	}
	if err := e.Configure(e.as(ada), account, "DE", settings); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Configure of another site with open listings: got %v", err)
	}
	e.open = false
	state := e.begin(ada, "DE")
	e.open = true
	if _, err := e.Complete(e.as(ada), account, answer(state)); !fault.Is(err, fault.InvalidRequest) {
		t.Errorf("Complete for another site with open listings: got %v", err)
	}
	e.open = false
	c, err := e.Complete(e.as(ada), account, answer(e.begin(ada, "DE")))
	if err != nil || c.Site != "DE" || string(c.Settings) != "{}" {
		t.Errorf("connection to another site: got %+v, %v, want no settings of the first", c, err)
	}
}

// An account with live listings is connected again only to the seller who has them. Else nothing changes.
func TestComplete_Seller(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		live []string
		has  string
		err  error
		want fault.Code // "" if the account is connected
	}{
		"no listings":              {has: "lst_other"},
		"the same seller":          {live: []string{"lst_1", "lst_2"}, has: "lst_1"},
		"some listings deleted":    {live: []string{"lst_1", "lst_2", "lst_3", "lst_4"}, has: "lst_3"},
		"another seller":           {live: []string{"lst_1"}, has: "lst_other", want: fault.SellerDiffers},
		"the marketplace is down":  {live: []string{"lst_1"}, err: errDown, want: fault.UpstreamError},
		"down, with a found offer": {live: []string{"lst_1"}, has: "lst_1", err: errDown, want: fault.UpstreamError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := setup(t)
			for _, before := range []State{Revoked, Connected} {
				e.live = nil
				e.connect()
				if before == Revoked {
					e.expire("0 seconds")
					e.fake.err = ErrInvalidGrant
					e.wantBroken(marketplaces.CodeConnectionRevoked)
					e.fake.err = nil
				}
				was := e.wantState(before)
				e.live, e.fake.has, e.fake.hasErr = test.live, test.has, test.err
				resumed := e.resumed
				_, err := e.Complete(e.as(bob), account, answer(e.begin(bob, "US")))
				if test.want == "" {
					if err != nil {
						t.Fatal(err)
					}
					e.wantState(Connected)
					continue
				}
				if !fault.Is(err, test.want) {
					t.Errorf("%s: got %v, want %s", before, err, test.want)
				}
				if diff := cmp.Diff(was, e.wantState(before)); diff != "" || e.resumed != resumed {
					t.Errorf("%s: %d resumed, the connection changed (-want +got):\n%s",
						before, e.resumed-resumed, diff)
				}
			}
		})
	}
}
