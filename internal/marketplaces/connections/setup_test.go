package connections

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/keyring"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/postgres/pgtest"
)

// account is the account of the tests.
const account = "acc_a"

var (
	ada = caller.Actor{Type: caller.UserActor, ID: "usr_ada"}
	bob = caller.Actor{Type: caller.UserActor, ID: "usr_bob"}
)

// env is a Service with a provider and listings that the test controls.
type env struct {
	*Service
	t    *testing.T
	fake *fakeProvider
	open bool     // whether the account has open listings
	live []string // the account's live listings
	fail error    // of Resume
	// resumed counts the calls of Resume.
	resumed int
}

func setup(t *testing.T) *env {
	t.Helper()
	e := &env{t: t, fake: &fakeProvider{}}
	e.Service = New(pgtest.New(t), ring(t, 1), e.fake, e)
	return e
}

func ring(t *testing.T, keys ...byte) *keyring.Keyring {
	t.Helper()
	list := make([][]byte, len(keys))
	for i, key := range keys {
		list[i] = bytes.Repeat([]byte{key}, keyring.KeySize)
	}
	made, err := keyring.New(list...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// process returns the service of another process.
func (e *env) process() *Service { return New(e.db, e.keys, e.fake, e) }

// OpenOn implements Listings.
func (e *env) OpenOn(context.Context, postgres.Querier, string, string) (bool, error) {
	return e.open, nil
}

// SampleOn implements Listings.
func (e *env) SampleOn(_ context.Context, _ postgres.Querier, _, _ string, limit int) ([]string, error) {
	return e.live[:min(limit, len(e.live))], nil
}

// Resume implements Listings.
func (e *env) Resume(context.Context, *postgres.Tx, string, string) error {
	e.resumed++
	return e.fail
}

func (e *env) as(actor caller.Actor) context.Context { return caller.WithActor(e.t.Context(), actor) }

// begin begins a connection of the account and returns the state.
func (e *env) begin(actor caller.Actor, site string) string {
	e.t.Helper()
	address, err := e.Begin(e.as(actor), account, site)
	if err != nil {
		e.t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil || u.Query().Get("state") == "" {
		e.t.Fatalf("the address of the consent is %q: %v", address, err)
	}
	return u.Query().Get("state")
}

func answer(state string) url.Values { return url.Values{"state": {state}, "code": {"code-secret"}} }

// connect connects the account.
func (e *env) connect() Connection {
	e.t.Helper()
	c, err := e.Complete(e.as(ada), account, answer(e.begin(ada, "US")))
	if err != nil {
		e.t.Fatal(err)
	}
	return c
}

// exec changes the account's connection as if time had passed.
func (e *env) exec(set string) {
	e.t.Helper()
	if _, err := e.db.SQL().Exec(`UPDATE marketplace_connections SET ` + set); err != nil {
		e.t.Fatal(err)
	}
}

// expire makes the access token expire in a while.
func (e *env) expire(in string) {
	e.t.Helper()
	e.exec("access_expires_at = now() + interval '" + in + "'")
}

func (e *env) wantState(want State) Connection {
	e.t.Helper()
	c, err := e.Find(e.t.Context(), account)
	if err != nil || c.State != want {
		e.t.Fatalf("connection: got %+v, %v, want it %s", c, err, want)
	}
	return c
}

// audited returns the kinds and the details of the account's audit log.
func (e *env) audited() (list []string) {
	e.t.Helper()
	err := e.db.Select(e.t.Context(), &list, `
		SELECT kind || ' ' || actor_id || ' ' || subject || ' ' || detail FROM audit_log ORDER BY at, id`)
	if err != nil {
		e.t.Fatal(err)
	}
	return list
}

// fakeProvider issues "access-secret-n" and "refresh-secret-n".
type fakeProvider struct {
	mu        sync.Mutex
	issued    int
	refreshes int
	err       error // of the next calls
	// during, if set, is called while a token is refreshed.
	during func(ctx context.Context)
	life   time.Duration // of access tokens; default 2 h
	has    string        // the only listing of the sellers
	hasErr error         // of HasAny
}

var errDown = errors.New("the provider is down")

func (*fakeProvider) Name() string             { return "ebay" }
func (*fakeProvider) HasSite(site string) bool { return site == "US" || site == "DE" }

func (*fakeProvider) ConsentURL(state string) string {
	return "https://auth.example/?" + url.Values{"state": {state}}.Encode()
}

func (f *fakeProvider) issue() Tokens {
	f.issued++
	life := f.life
	if life == 0 {
		life = 2 * time.Hour
	}
	return Tokens{Access: fmt.Sprintf("access-secret-%d", f.issued), AccessLife: life}
}

func (f *fakeProvider) Exchange(_ context.Context, code string) (Tokens, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil || code != "code-secret" {
		return Tokens{}, f.err
	}
	t := f.issue()
	t.Refresh, t.RefreshLife = fmt.Sprintf("refresh-secret-%d", f.issued), 500*24*time.Hour
	return t, nil
}

func (f *fakeProvider) Refresh(ctx context.Context, refreshToken string) (Tokens, error) {
	f.mu.Lock()
	f.refreshes++
	during, err := f.during, f.err
	f.mu.Unlock()
	if during != nil {
		during(ctx)
	}
	if err != nil {
		return Tokens{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if refreshToken == "" {
		return Tokens{}, ErrInvalidGrant
	}
	return f.issue(), nil
}

func (f *fakeProvider) HasAny(_ context.Context, accessToken, _ string, listingIDs []string) (bool, error) {
	if accessToken == "" {
		return false, errors.New("no access token")
	}
	return slices.Contains(listingIDs, f.has), f.hasErr
}
