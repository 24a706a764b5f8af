package login

import (
	"cmp"
	"net/http"
	"net/url"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/users"
)

// passwordForm is the data of the page password.
type passwordForm struct {
	Email   string
	Account string     // the name of the account that the user is invited to; "" if the link resets a password
	Role    users.Role // in the account
	Min     int
	Form    *form.Form
	Known   bool          // for invitations: the address is that of a user of other accounts
	LogIn   string        // for invitations: the path of the log-in, which leads back
	SignOn  *signOnButton // for invitations
}

// joinForm returns the form with a password.
func joinForm() *form.Form { return form.New(form.Field{Name: "password", Label: "Password"}) }

// Error returns why the password was refused, or "".
func (p passwordForm) Error() string { return cmp.Or(p.Form.Error("password"), p.Form.Failed) }

// ShowPassword shows what a link is for: setting a password or joining an account.
func (h *Handlers) ShowPassword(w http.ResponseWriter, r *http.Request) error {
	link, err := h.Users.ByLink(r.Context(), mux.Vars(r)["secret"])
	if err != nil {
		return err
	}
	joining, err := h.joining(r, link)
	if err != nil {
		return err
	}
	return h.renderPassword(w, r, http.StatusOK, link, joining, joinForm())
}

// joining returns the log-in of the user who opens an invitation, or nil without one: then the user joins the account
// by a password for this account only.
func (h *Handlers) joining(r *http.Request, link users.Link) (*users.Login, error) {
	if !link.Invites() {
		return nil, nil
	}
	login, _, err := h.SessionLogin(r.Context())
	if err == nil && login != nil && login.ID != link.User.ID {
		err = fault.New(fault.InsufficientScope,
			"This invitation is for %s. Log out and open the link again.", link.User.Email)
	}
	return login, err
}

// renderPassword shows the form of a link: that of the page join if the user is logged in, otherwise that of the page
// password.
func (h *Handlers) renderPassword(
	w http.ResponseWriter, r *http.Request, status int, link users.Link, joining *users.Login, f *form.Form,
) error {
	p := passwordForm{Email: link.User.Email, Role: link.Role, Min: users.MinPassword, Form: f}
	if !link.Invites() {
		return h.Show(w, r, status, "password", "Set your password", p)
	}
	account, err := h.Accounts.Get(r.Context(), link.AccountID)
	if err != nil {
		return err
	}
	p.Account = account.Name
	switch {
	case joining == nil:
		p.Known = link.User.PasswordHash != nil || link.User.LastLoginAt != nil
		p.LogIn, p.SignOn = "/login?next="+url.QueryEscape(r.URL.Path), h.signOnButton(r.URL.Path)
		return h.Show(w, r, status, "password", "Set your password", p)
	case joining.Proof.Verified:
		p.Min = 0
	}
	return h.Show(w, r, status, "join", "Join an account", p)
}

// SetPassword sets the password of a link's user, or lets the user join the account of an invitation.
func (h *Handlers) SetPassword(w http.ResponseWriter, r *http.Request) error {
	f, secret := joinForm().Read(r.PostForm), mux.Vars(r)["secret"]
	link, err := h.Users.ByLink(r.Context(), secret)
	if err != nil {
		return err
	}
	joining, err := h.joining(r, link)
	if err != nil {
		return err
	}
	var login users.Login
	if joining != nil {
		login, err = h.Users.Join(r.Context(), secret, *joining, f.Value("password"))
	} else {
		login, err = h.Users.SetPassword(r.Context(), secret, f.Value("password"))
	}
	if refused, ok := fault.As(err); ok && refused.Code == fault.InvalidRequest {
		f.Refuse(refused)
		return h.renderPassword(w, r, form.Status(refused), link, joining, f)
	}
	if err != nil {
		return err
	}
	if err := h.Begin(w, r, login); err != nil {
		return err
	}
	if link.AccountID != "" {
		h.Sessions.Put(r.Context(), web.KeyAccount, link.AccountID)
	}
	web.Redirect(w, r, "/")
	return nil
}
