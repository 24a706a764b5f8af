package login

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

	// SignOnTime is how long a page of the log-in at the provider may take.
	SignOnTime = 15 * time.Second
	// AttemptLifetime is how long a log-in at the provider may take.
	AttemptLifetime = 10 * time.Minute // between Begin and Finish, for the person at the provider

	// keyAttempt is the key of the session's pendingSignOn.
	keyAttempt = "attempt"
)

// IfSignOn calls the handler if a provider is configured.
func (h *Handlers) IfSignOn(next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if h.SignOn == nil {
			return web.ErrNoPage
		}
		return next(w, r)
	}
}

// signOnButton is the data of the button that begins a log-in at the provider.
type signOnButton struct{ Label, Next string }

// signOnButton returns the button, or nil without a provider. next is the path of the page after the log-in.
func (h *Handlers) signOnButton(next string) *signOnButton {
	if h.SignOn == nil {
		return nil
	}
	return &signOnButton{h.SignOnLabel, next}
}

// BeginSignOn leads to the provider.
func (h *Handlers) BeginSignOn(w http.ResponseWriter, r *http.Request) error {
	next := web.LocalPath(r.PostFormValue("next"))
	if err := h.Users.AllowSignOn(r.Context(), h.Client(r)); err != nil {
		return h.refuseSignOn(w, r, next, err)
	}
	address, begun, err := h.SignOn.Begin(r.Context())
	if err != nil {
		return h.providerFailed(w, r, next, err)
	}
	if err := h.putAttempt(r.Context(), pendingSignOn{begun, next, h.Clock.Time().Add(AttemptLifetime)}); err != nil {
		return err
	}
	return h.Leave(w, r, h.SignOnLabel, address)
}

// FinishSignOn begins the session of the user whose address the provider has verified.
func (h *Handlers) FinishSignOn(w http.ResponseWriter, r *http.Request) error {
	begun, err := h.takeAttempt(r.Context())
	if err != nil {
		return h.refuseSignOn(w, r, begun.Next, err)
	}
	email, err := h.SignOn.Finish(r.Context(), begun.Attempt, r.URL.Query())
	if err != nil {
		return h.providerFailed(w, r, begun.Next, err)
	}
	user, err := h.Users.LogInVerified(r.Context(), h.Client(r), email)
	if err != nil {
		return h.refuseSignOn(w, r, begun.Next, err)
	}
	if err := h.Begin(w, r, user); err != nil {
		return err
	}
	web.Redirect(w, r, begun.Next)
	return nil
}

// providerFailed logs an error of the provider and shows it. What package users refuses, it has logged itself.
func (h *Handlers) providerFailed(w http.ResponseWriter, r *http.Request, next string, err error) error {
	h.Logger.WarnContext(r.Context(), "dashboard: log-in at the provider failed",
		"address", h.ClientAddress(r), "error", err)
	return h.refuseSignOn(w, r, next, err)
}

// refuseSignOn shows why a log-in failed on the page of the log-in, where the password still works.
func (h *Handlers) refuseSignOn(w http.ResponseWriter, r *http.Request, next string, err error) error {
	f, ok := fault.As(err)
	if !ok && errors.Is(err, context.DeadlineExceeded) {
		f, ok = web.Unexpected(err), true
	}
	if !ok {
		return err
	}
	web.SetRetryAfter(w, f)
	return h.showLoginForm(w, r, form.Status(f), loginForm{Next: web.LocalPath(next), Refused: f.Message})
}

// pendingSignOn is a log-in at the provider that is not finished. The session holds one at most, as JSON.
type pendingSignOn struct {
	signon.Attempt
	Next    string
	Expires time.Time
}

// putAttempt stores an attempt, which replaces the one before. A session without a user ends with the attempt.
func (h *Handlers) putAttempt(ctx context.Context, a pendingSignOn) error {
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	h.Sessions.Put(ctx, keyAttempt, string(text))
	if h.Sessions.GetString(ctx, web.KeyUser) == "" {
		h.Sessions.SetDeadline(ctx, a.Expires)
	}
	return nil
}

// takeAttempt removes the attempt from the session and returns it, with an error if it has expired or there is none.
func (h *Handlers) takeAttempt(ctx context.Context) (a pendingSignOn, err error) {
	text := h.Sessions.PopString(ctx, keyAttempt)
	if text == "" {
		return pendingSignOn{}, signon.ErrStale
	}
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return pendingSignOn{}, err
	}
	if h.Clock.Time().After(a.Expires) {
		return a, signon.ErrStale
	}
	return a, nil
}
