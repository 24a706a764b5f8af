package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/signon"
)

// SignOn verifies the e-mail address of a person at an identity provider. signon.Client implements it.
type SignOn interface {
	// Begin returns the URL at which the provider logs a person in, and the attempt for Finish.
	Begin(ctx context.Context) (address string, a signon.Attempt, err error)
	// Finish returns the verified address of the person. answer is the query with which the browser came back.
	Finish(ctx context.Context, a signon.Attempt, answer url.Values) (email string, err error)
}

const (
	// SignOnCallback is the path to which the provider sends the browser back.
	SignOnCallback = "/login/oidc/callback"

	signOnTime      = 15 * time.Second
	attemptLifetime = 10 * time.Minute // between Begin and Finish, for the person at the provider

	// keyAttempt is the key of the session's pendingSignOn.
	keyAttempt = "attempt"
)

// ifSignOn calls the handler if a provider is configured.
func (d *Dashboard) ifSignOn(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if d.config.SignOn == nil {
			return web.ErrNoPage
		}
		return next(w, r)
	}
}

// signOnButton is the data of the button that begins a log-in at the provider.
type signOnButton struct{ Label, Next string }

// signOnButton returns the button, or nil without a provider. next is the path of the page after the log-in.
func (d *Dashboard) signOnButton(next string) *signOnButton {
	if d.config.SignOn == nil {
		return nil
	}
	return &signOnButton{d.config.SignOnLabel, next}
}

// beginSignOn leads to the provider.
func (d *Dashboard) beginSignOn(w http.ResponseWriter, r *http.Request) error {
	next := web.LocalPath(r.PostFormValue("next"))
	if err := d.Users.AllowSignOn(r.Context(), d.Client(r)); err != nil {
		return d.refuseSignOn(w, r, next, err)
	}
	address, begun, err := d.config.SignOn.Begin(r.Context())
	if err != nil {
		return d.providerFailed(w, r, next, err)
	}
	if err := d.putAttempt(r.Context(), pendingSignOn{begun, next, d.Clock.Time().Add(attemptLifetime)}); err != nil {
		return err
	}
	return d.Leave(w, r, d.config.SignOnLabel, address)
}

// finishSignOn begins the session of the user whose address the provider has verified.
func (d *Dashboard) finishSignOn(w http.ResponseWriter, r *http.Request) error {
	begun, err := d.takeAttempt(r.Context())
	if err != nil {
		return d.refuseSignOn(w, r, begun.Next, err)
	}
	email, err := d.config.SignOn.Finish(r.Context(), begun.Attempt, r.URL.Query())
	if err != nil {
		return d.providerFailed(w, r, begun.Next, err)
	}
	user, err := d.Users.LogInVerified(r.Context(), d.Client(r), email)
	if err != nil {
		return d.refuseSignOn(w, r, begun.Next, err)
	}
	if err := d.Begin(w, r, user); err != nil {
		return err
	}
	web.Redirect(w, r, begun.Next)
	return nil
}

// providerFailed logs an error of the provider and shows it. What package users refuses, it has logged itself.
func (d *Dashboard) providerFailed(w http.ResponseWriter, r *http.Request, next string, err error) error {
	d.Logger.WarnContext(r.Context(), "dashboard: log-in at the provider failed",
		"address", d.ClientAddress(r), "error", err)
	return d.refuseSignOn(w, r, next, err)
}

// refuseSignOn shows why a log-in failed on the page of the log-in, where the password still works.
func (d *Dashboard) refuseSignOn(w http.ResponseWriter, r *http.Request, next string, err error) error {
	f, ok := fault.As(err)
	if !ok && errors.Is(err, context.DeadlineExceeded) {
		f, ok = web.Unexpected(err), true
	}
	if !ok {
		return err
	}
	web.SetRetryAfter(w, f)
	return d.showLoginForm(w, r, form.Status(f), loginForm{Next: web.LocalPath(next), Refused: f.Message})
}

// pendingSignOn is a log-in at the provider that is not finished. The session holds one at most, as JSON.
type pendingSignOn struct {
	signon.Attempt
	Next    string
	Expires time.Time
}

// putAttempt stores an attempt, which replaces the one before. A session without a user ends with the attempt.
func (d *Dashboard) putAttempt(ctx context.Context, a pendingSignOn) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	d.Sessions.Put(ctx, keyAttempt, string(text))
	if d.Sessions.GetString(ctx, web.KeyUser) == "" {
		d.Sessions.SetDeadline(ctx, a.Expires)
	}
	return nil
}

// takeAttempt removes the attempt from the session and returns it, with an error if it has expired or there is none.
func (d *Dashboard) takeAttempt(ctx context.Context) (a pendingSignOn, err error) {
	text := d.Sessions.PopString(ctx, keyAttempt)
	if text == "" {
		return pendingSignOn{}, signon.ErrStale
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return pendingSignOn{}, err
	}
	if d.Clock.Time().After(a.Expires) {
		return a, signon.ErrStale
	}
	return a, nil
}
