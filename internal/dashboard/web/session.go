package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/alexedwards/scs/v2"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/calendar"
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
	KeyUser       = "user"       // the user's identifier
	KeyGeneration = "generation" // of the user's sessions at the log-in
	KeyAccount    = "account"    // the identifier of the account that the user works in
	KeySignedOn   = "signed_on"  // true if the session began at the identity provider; for the version before
	KeyProof      = "proof"      // what the log-in proved
)

func (frame *Frame) newSessions() *scs.SessionManager {
	m := scs.New()
	m.Store = frame.SessionStore
	m.HashTokenInStore = true
	m.Lifetime = sessionLifetime
	m.Cookie.Name, m.Cookie.HttpOnly, m.Cookie.SameSite = "cardvault_session", true, http.SameSiteLaxMode
	m.Cookie.Secure = !isLocal(frame.Public)
	m.ErrorFunc = frame.Fail
	return m
}

// ReadForm receives a form before the session and the role of its user are read, because a client can send it slowly.
// Forms with files are received by their handlers.
func (frame *Frame) ReadForm(next http.Handler) http.Handler {
	return frame.Handle(func(w http.ResponseWriter, r *http.Request) error {
		if r.Method == http.MethodPost {
			if err := parseForm(r); err != nil {
				return err
			}
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// TrackSession lets the storage tell the session that the request was sent with from a new one.
func TrackSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(users.TrackSession(r.Context())))
	})
}

// Visit is who makes a request with a session, and in which account.
type Visit struct {
	User     users.Login
	Account  accounts.Account
	Role     users.Role
	Password string             // the identifier of the password that opens the account; "" if none does
	Accounts []accounts.Account // that the user may switch to, the current one included

	ended atomic.Bool // a transaction found that the user may not make the request any more
}

// Owner reports whether the user is an owner of the account.
func (v *Visit) Owner() bool { return v.Role == users.Owner }

// Read returns what the visit is based on, to check it again.
func (v *Visit) Read() users.Visit {
	return users.Visit{Login: v.User, AccountID: v.Account.ID, PasswordID: v.Password}
}

// guard returns the guard, noting that it ended the visit.
func (v *Visit) guard(guard postgres.TxHook) postgres.TxHook {
	return func(ctx context.Context, tx *postgres.Tx) error {
		err := guard(ctx, tx)
		if _, refused := fault.As(err); refused {
			v.ended.Store(true)
		}
		return err
	}
}

type visitKey struct{}

// VisitOf returns the visit of a request that passed signedIn.
func VisitOf(r *http.Request) *Visit {
	v, _ := r.Context().Value(visitKey{}).(*Visit)
	return v
}

// SignedIn calls the handler of a page for requests with a valid session. Others are sent to the log-in. The
// transactions of the handler check again that the user is a member if they begin late.
func (frame *Frame) SignedIn(next Handler) Handler {
	return frame.visited(false, frame.limitReads(next))
}

// Owner is signedIn for the pages of owners of the account. Members are refused. The transactions of the handler check
// again that the user is an owner.
func (frame *Frame) Owner(next Handler) Handler { return frame.visited(true, frame.limitReads(next)) }

// SignedInFile is SignedIn for files, which are limited apart from pages.
func (frame *Frame) SignedInFile(next Handler) Handler {
	return frame.visited(false, frame.limitFiles(next))
}

// OwnerFile is Owner for files.
func (frame *Frame) OwnerFile(next Handler) Handler {
	return frame.visited(true, frame.limitFiles(next))
}

// visited adds the visit to requests with a valid session. Others are sent to the log-in. It refuses members if the
// Handler is for owners only.
func (frame *Frame) visited(ownersOnly bool, next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := frame.FindVisit(r.Context())
		if err != nil {
			return err
		}
		if v == nil {
			frame.ToLogin(w, r)
			return nil
		}
		ctx := context.WithValue(r.Context(), visitKey{}, v)
		ctx = caller.WithActor(ctx, caller.Actor{Type: caller.UserActor, ID: v.User.ID})
		ctx = postgres.WithGuard(ctx, v.guard(frame.Users.Guard(v.Read(), ownersOnly)))
		if ownersOnly && !v.Owner() {
			return users.ErrOwnersOnly
		}
		return next(w, r.WithContext(ctx))
	}
}

// limitReads reads a page when its account has fewer than the maximum that are being read. Forms do not wait.
func (frame *Frame) limitReads(next Handler) Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if r.Method == http.MethodPost {
			return next(w, r)
		}
		turn, err := frame.beginRead(r, frame.Reads, VisitOf(r).Account.ID, errManyPages)
		if err != nil {
			return err
		}
		defer turn.End()
		return next(pageWriter{w, turn}, r)
	}
}

// beginRead waits until the key may read more, or returns refusal. If it had to wait, it checks again that the user is
// a member of the account.
func (frame *Frame) beginRead(
	r *http.Request, limiter concurrency.ReadLimiter, key string, refusal *fault.Error,
) (*concurrency.Turn, error) {
	turn, err := limiter.Begin(r.Context(), key)
	if fault.Is(err, fault.RateLimited) {
		return nil, refusal
	}
	if err == nil && turn.Waited {
		err = frame.Users.Confirm(r.Context(), VisitOf(r).Read())
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

// Visit returns the visit of the session, or nil if there is no session or it has ended. It reads the user and the
// role for each request, so that a role that is taken away holds at once.
func (frame *Frame) FindVisit(ctx context.Context) (*Visit, error) {
	login, places, err := frame.SessionLogin(ctx)
	if login == nil || err != nil {
		return nil, err
	}
	if len(places) == 0 {
		return nil, errNoAccount
	}
	chosen := frame.Sessions.GetString(ctx, KeyAccount)
	at := max(0, slices.IndexFunc(places, func(p users.Workplace) bool { return p.ID == chosen }))
	v := &Visit{User: *login, Account: places[at].Account, Role: places[at].Role, Password: places[at].PasswordID}
	for _, place := range places {
		v.Accounts = append(v.Accounts, place.Account)
	}
	return v, nil
}

// SessionLogin returns the log-in of the session and the accounts that it opens, or nil if there is no session or it
// has ended.
func (frame *Frame) SessionLogin(ctx context.Context) (*users.Login, []users.Workplace, error) {
	userID := frame.Sessions.GetString(ctx, KeyUser)
	if userID == "" {
		return nil, nil, nil
	}
	user, err := frame.Users.Get(ctx, userID)
	switch {
	case fault.Is(err, fault.UserNotFound):
		return nil, nil, nil
	case err != nil:
		return nil, nil, err
	case user.DisabledAt != nil:
		return nil, nil, nil
	}
	login := &users.Login{User: user, Proof: frame.proof(ctx, user)}
	places, err := frame.Users.Workplaces(ctx, *login)
	if err != nil || len(places) == 0 && !login.Current() {
		return nil, nil, err
	}
	return login, places, nil
}

// proof returns what the log-in of the session proved.
func (frame *Frame) proof(ctx context.Context, user users.User) users.Proof {
	if text := frame.Sessions.GetString(ctx, KeyProof); text != "" {
		return users.ParseProof(text)
	}
	return user.ProofBefore(frame.Sessions.GetInt(ctx, KeyGeneration), frame.Sessions.GetBool(ctx, KeySignedOn))
}

var errNoAccount = fault.New(fault.InsufficientScope,
	"You are a user of no account any more. Ask an owner of the account to invite you again.")

// ToLogin sends a request without a session to the log-in, which leads back to a page that can be shown again. A
// script that replaces a part of a page loads the whole page again, and is sent there by that.
func (frame *Frame) ToLogin(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("HX-Request") == "true" {
		w.Header().Set("HX-Refresh", "true")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	target := "/login"
	if next := r.URL.RequestURI(); r.Method == http.MethodGet && next != "/" {
		target += "?next=" + url.QueryEscape(next)
	}
	Redirect(w, r, target)
}

// Redirect sends the browser to a page of the dashboard by GET.
func Redirect(w http.ResponseWriter, r *http.Request, target string) {
	http.Redirect(w, r, target, http.StatusSeeOther)
}

// LocalPath returns the path that a form names, or "/" if it is not a path of this service.
func LocalPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(u.Path, "/") ||
		strings.HasPrefix(next, "//") || strings.ContainsAny(next, "\\\r\n") {
		return "/"
	}
	return next
}

// deviceCookie is the prefix of the cookies by which a browser is known to have been used by a user before.
const deviceCookie = "cardvault_device_"

// Client returns where a request comes from.
func (frame *Frame) Client(r *http.Request) users.Client {
	from := users.Client{Address: frame.ClientAddress(r)}
	for _, cookie := range r.Cookies() {
		if strings.HasPrefix(cookie.Name, deviceCookie) {
			from.Devices = append(from.Devices, cookie.Value)
		}
	}
	return from
}

// setDevice lets the browser show later that the user has logged in with it. Several users may share a browser.
func (frame *Frame) setDevice(w http.ResponseWriter, r *http.Request, l users.Login) {
	sum := sha256.Sum256([]byte(l.ID))
	http.SetCookie(w, &http.Cookie{
		Name: deviceCookie + hex.EncodeToString(sum[:4]), Value: frame.Users.DeviceToken(l, frame.Client(r)), Path: "/",
		MaxAge: int(users.DeviceLifetime.Seconds()), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: frame.Sessions.Cookie.Secure,
	})
}

// Begin begins a session with a new token, so that a token from before the log-in gives no access.
func (frame *Frame) Begin(w http.ResponseWriter, r *http.Request, l users.Login) error {
	frame.setDevice(w, r, l)
	ctx := r.Context()
	if err := frame.Sessions.RenewToken(ctx); err != nil {
		return err
	}
	users.BeginSession(ctx, l)
	frame.Sessions.Put(ctx, KeyUser, l.ID)
	frame.Sessions.Put(ctx, KeyProof, l.Proof.String())
	generation := l.Generation
	if !l.Current() {
		generation = -1 // the version before would open all accounts of the user
	}
	frame.Sessions.Put(ctx, KeyGeneration, generation)
	frame.Sessions.Put(ctx, KeySignedOn, l.Proof.Verified)
	return nil
}

// Today returns the date in the account's time zone.
func (frame *Frame) Today(account accounts.Account) time.Time {
	return calendar.DateOf(frame.Clock.Time(), calendar.Zone(account.TimeZone))
}
