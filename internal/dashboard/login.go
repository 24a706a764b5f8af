package dashboard

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

func (d *Dashboard) showLogin(w http.ResponseWriter, r *http.Request) error {
	v, err := d.FindVisit(r.Context())
	next := web.LocalPath(r.URL.Query().Get("next"))
	if err == nil && v != nil {
		web.Redirect(w, r, next)
		return nil
	}
	return d.showLoginForm(w, r, http.StatusOK, loginForm{Next: next})
}

func (d *Dashboard) showLoginForm(w http.ResponseWriter, r *http.Request, status int, p loginForm) error {
	p.SignOn = d.signOnButton(p.Next)
	return d.Show(w, r, status, "login", "Log in", p)
}

func (d *Dashboard) logIn(w http.ResponseWriter, r *http.Request) error {
	p := loginForm{Email: blank.Trim(r.PostFormValue("email")), Next: web.LocalPath(r.PostFormValue("next"))}
	user, err := d.Users.LogIn(r.Context(), d.Client(r), p.Email, r.PostFormValue("password"))
	if f, ok := fault.As(err); ok {
		p.Error = f.Message
		web.SetRetryAfter(w, f)
		return d.showLoginForm(w, r, form.Status(f), p)
	}
	if err != nil {
		return err
	}
	if err := d.Begin(w, r, user); err != nil {
		return err
	}
	web.Redirect(w, r, p.Next)
	return nil
}

func (d *Dashboard) logOut(w http.ResponseWriter, r *http.Request) error {
	if err := d.Sessions.Destroy(r.Context()); err != nil {
		return err
	}
	web.Redirect(w, r, "/login")
	return nil
}

func (d *Dashboard) logOutEverywhere(w http.ResponseWriter, r *http.Request) error {
	if err := d.Users.LogOutEverywhere(r.Context(), web.VisitOf(r).User); err != nil {
		return err
	}
	return d.logOut(w, r)
}

func (d *Dashboard) switchAccount(w http.ResponseWriter, r *http.Request) error {
	chosen := r.PostFormValue("account")
	for _, account := range web.VisitOf(r).Accounts {
		if account.ID == chosen {
			d.Sessions.Put(r.Context(), web.KeyAccount, account.ID)
			web.Redirect(w, r, "/")
			return nil
		}
	}
	return fault.NotFound(fault.RouteNotFound)
}
