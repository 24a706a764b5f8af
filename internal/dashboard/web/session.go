package dashboard

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/concurrency"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/postgres"
	"github.com/cardvault/cardvault/internal/users"
)

// sessionLifetime is how long a session lasts after the log-in.
const sessionLifetime = 14 * 24 * time.Hour

// The keys of a session's values.
const (
	keyUser       = "user"       // the user's identifier
	keyGeneration = "generation" // of the user's sessions at the log-in
	keyAccount    = "account"    // the identifier of the account that the user works in
	keySignedOn   = "signed_on"  // true if the session began at the identity provider; for the version before
	keyProof      = "proof"      // what the log-in proved
	keyAttempt    = "attempt"    // a log-in at the identity provider that is not finished
)

func (d *Dashboard) newSessions() *scs.SessionManager {
	m := scs.New()
	m.Store = d.Sessions
	m.HashTokenInStore = true
	m.Lifetime = sessionLifetime
	m.Cookie.Name, m.Cookie.HttpOnly, m.Cookie.SameSite = "cardvault_session", true, http.SameSiteLaxMode
	m.Cookie.Secure = !isLocal(d.Public)
	m.ErrorFunc = d.fail
	return m
}

// readForm receives a form before the session and the role of its user are read, because a client can send it slowly.
// Forms with files are received by their handlers.
func (d *Dashboard) readForm(next http.Handler) http.Handler {
	return d.handle(func(w http.ResponseWriter, r *http.Request) error {
		if r.Method == http.MethodPost {
			if err := parseForm(r); err != nil {
				return err
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// trackSession lets the storage tell the session that the request was sent with from a new one.
func trackSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(users.TrackSession(r.Context())))
	})
}

// visit is who makes a request with a session, and in which account.
type visit struct {
	User     users.Login
	Account  accounts.Account
	Role     users.Role
	Password string             // the identifier of the password that opens the account; "" if none does
	Accounts []accounts.Account // that the user may switch to, the current one included

	ended atomic.Bool // a transaction found that the user may not make the request any more
}

// Owner reports whether the user is an owner of the account.
func (v *visit) Owner() bool { return v.Role == users.Owner }

// read returns what the visit is based on, to check it again.
func (v *visit) read() users.Visit {
	return users.Visit{Login: v.User, AccountID: v.Account.ID, PasswordID: v.Password}
}

// guard returns the guard, noting that it ended the visit.
func (v *visit) guard(guard postgres.TxHook) postgres.TxHook {
	return func(ctx context.Context, tx *postgres.Tx) error {
		err := guard(ctx, tx)
		if _, refused := fault.As(err); refused {
			v.ended.Store(true)
		}
		return err
	}
}

type visitKey struct{}

// visitOf returns the visit of a request that passed signedIn.
func visitOf(r *http.Request) *visit {
	v, _ := r.Context().Value(visitKey{}).(*visit)
	return v
}

// signedIn calls the handler of a page for requests with a valid session. Others are sent to the log-in. The
// transactions of the handler check again that the user is a member if they begin late.
func (d *Dashboard) signedIn(next handler) handler { return d.visited(false, d.limitReads(next)) }

// owner is signedIn for the pages of owners of the account. Members are refused. The transactions of the handler check
// again that the user is an owner.
func (d *Dashboard) owner(next handler) handler { return d.visited(true, d.limitReads(next)) }

// visited adds the visit to requests with a valid session. Others are sent to the log-in. It refuses members if the
// handler is for owners only.
func (d *Dashboard) visited(ownersOnly bool, next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := d.visit(r.Context())
		if err != nil {
			return err
		}
		if v == nil {
			d.toLogin(w, r)
			return nil
		}
		ctx := context.WithValue(r.Context(), visitKey{}, v)
		ctx = caller.WithActor(ctx, caller.Actor{Type: caller.UserActor, ID: v.User.ID})
		ctx = postgres.WithGuard(ctx, v.guard(d.Users.Guard(v.read(), ownersOnly)))
		if ownersOnly && !v.Owner() {
			return users.ErrOwnersOnly
		}
		return next(w, r.WithContext(ctx))
	}
}

// limitReads reads a page when its account has fewer than the maximum that are being read. Forms do not wait.
func (d *Dashboard) limitReads(next handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.Method == http.MethodPost {
			return next(w, r)
		}
		turn, err := d.beginRead(r, d.reads, visitOf(r).Account.ID, errManyPages)
		if err != nil {
			return err
		}
		defer turn.End()
		return next(pageWriter{w, turn}, r)
	}
}

// beginRead waits until the key may read more, or returns refusal. If it had to wait, it checks again that the user is
// a member of the account.
func (d *Dashboard) beginRead(
	r *http.Request, limiter concurrency.ReadLimiter, key string, refusal *fault.Error,
) (*concurrency.Turn, error) {
	turn, err := limiter.Begin(r.Context(), key)
	if fault.Is(err, fault.RateLimited) {
		return nil, refusal
	}
	if err == nil && turn.Waited {
		err = d.Users.Confirm(r.Context(), visitOf(r).read())
	}
	if err != nil {
		turn.End()
		return nil, err
	}
	return turn, nil
}

var errManyPages = fault.New(fault.RateLimited,
	"Many pages of this account are being opened, and take long. Wait a moment, then open this one again.").
	WithRetryAfter(time.Second)

// visit returns the visit of the session, or nil if there is no session or it has ended. It reads the user and the
// role for each request, so that a role that is taken away holds at once.
func (d *Dashboard) visit(ctx context.Context) (*visit, error) {
	login, places, err := d.sessionLogin(ctx)
	if login == nil || err != nil {
		return nil, err
	}
	if len(places) == 0 {
		return nil, errNoAccount
	}
	chosen := d.sessions.GetString(ctx, keyAccount)
	at := max(0, slices.IndexFunc(places, func(p users.Workplace) bool { return p.ID == chosen }))
	v := &visit{User: *login, Account: places[at].Account, Role: places[at].Role, Password: places[at].PasswordID}
	for _, place := range places {
		v.Accounts = append(v.Accounts, place.Account)
	}
	return v, nil
}

// sessionLogin returns the log-in of the session and the accounts that it opens, or nil if there is no session or it
// has ended.
func (d *Dashboard) sessionLogin(ctx context.Context) (*users.Login, []users.Workplace, error) {
	userID := d.sessions.GetString(ctx, keyUser)
	if userID == "" {
		return nil, nil, nil
	}
	user, err := d.Users.Get(ctx, userID)
	switch {
	case fault.Is(err, fault.UserNotFound):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case user.DisabledAt != nil:
		return nil, nil, nil
	}
	login := &users.Login{User: user, Proof: d.proof(ctx, user)}
	places, err := d.Users.Workplaces(ctx, *login)
	if err != nil || len(places) == 0 && !login.Current() {
		return nil, nil, err
	}
	return login, places, nil
}

// proof returns what the log-in of the session proved.
func (d *Dashboard) proof(ctx context.Context, user users.User) users.Proof {
	if text := d.sessions.GetString(ctx, keyProof); text != "" {
		return users.ParseProof(text)
	}
	return user.ProofBefore(d.sessions.GetInt(ctx, keyGeneration), d.sessions.GetBool(ctx, keySignedOn))
}

var errNoAccount = fault.New(fault.InsufficientScope,
	"You are a user of no account any more. Ask an owner of the account to invite you again.")

// toLogin sends a request without a session to the log-in, which leads back to a page that can be shown again. A
// script that replaces a part of a page loads the whole page again, and is sent there by that.
func (d *Dashboard) toLogin(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Refresh", "true")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	target := "/login"
	if next := r.URL.RequestURI(); r.Method == http.MethodGet && next != "/" {
		target += "?next=" + url.QueryEscape(next)
	}
	redirect(w, r, target)
}

// redirect sends the browser to a page of the dashboard by GET.
func redirect(w http.ResponseWriter, r *http.Request, target string) {
	http.Redirect(w, r, target, http.StatusSeeOther)
}

// localPath returns the path that a form names, or "/" if it is not a path of this service.
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(u.Path, "/") ||
		strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n") {
		return "/"
	}
	return next
}
