package login

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/blank"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
)

// loginForm is the data of the page login.
type loginForm struct {
	Email, Next string
	Error       string // of the address and the password
	Refused     string // why a log-in at the identity provider failed
	SignOn      *signOnButton
}

func (h *Handlers) ShowLogin(w http.ResponseWriter, r *http.Request) error {
	v, err := h.FindVisit(r.Context())
	next := web.LocalPath(r.URL.Query().Get("next"))
	if err == nil && v != nil {
		web.Redirect(w, r, next)
		return nil
	}
	return h.showLoginForm(w, r, http.StatusOK, loginForm{Next: next})
}

func (h *Handlers) showLoginForm(w http.ResponseWriter, r *http.Request, status int, p loginForm) error {
	p.SignOn = h.signOnButton(p.Next)
	return h.Show(w, r, status, "login", "Log in", p)
}

func (h *Handlers) LogIn(w http.ResponseWriter, r *http.Request) error {
	p := loginForm{Email: blank.Trim(r.PostFormValue("email")), Next: web.LocalPath(r.PostFormValue("next"))}
	user, err := h.Users.LogIn(r.Context(), h.Client(r), p.Email, r.PostFormValue("password"))
	if f, ok := fault.As(err); ok {
		p.Error = f.Message
		web.SetRetryAfter(w, f)
		return h.showLoginForm(w, r, form.Status(f), p)
	}
	if err != nil {
		return err
	}
	if err := h.Begin(w, r, user); err != nil {
		return err
	}
	web.Redirect(w, r, p.Next)
	return nil
}

func (h *Handlers) LogOut(w http.ResponseWriter, r *http.Request) error {
	if err := h.Sessions.Destroy(r.Context()); err != nil {
		return err
	}
	web.Redirect(w, r, "/login")
	return nil
}

func (h *Handlers) LogOutEverywhere(w http.ResponseWriter, r *http.Request) error {
	if err := h.Users.LogOutEverywhere(r.Context(), web.VisitOf(r).User); err != nil {
		return err
	}
	return h.LogOut(w, r)
}

func (h *Handlers) SwitchAccount(w http.ResponseWriter, r *http.Request) error {
	chosen := r.PostFormValue("account")
	for _, account := range web.VisitOf(r).Accounts {
		if account.ID == chosen {
			h.Sessions.Put(r.Context(), web.KeyAccount, account.ID)
			web.Redirect(w, r, "/")
			return nil
		}
	}
	return fault.NotFound(fault.RouteNotFound)
}
