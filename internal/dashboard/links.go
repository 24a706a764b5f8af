package dashboard

import (
	"net/http"
	"net/url"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/users"
)

// passwordForm is the data of the page password.
type passwordForm struct {
	Email   string
	Account string     // the name of the account that the user is invited to; "" if the link resets a password
	Role    users.Role // in the account
	Min     int
	Error   string
	Known   bool          // for invitations: the address is that of a user of other accounts
	LogIn   string        // for invitations: the path of the log-in, which leads back
	SignOn  *signOnButton // for invitations
}

// showPassword shows what a link is for: setting a password or joining an account.
func (d *Dashboard) showPassword(w http.ResponseWriter, r *http.Request) error {
	link, err := d.Users.ByLink(r.Context(), mux.Vars(r)["secret"])
	if err != nil {
		return err
	}
	joining, err := d.joining(r, link)
	if err != nil {
		return err
	}
	return d.renderPassword(w, r, http.StatusOK, link, joining, "")
}

// joining returns the log-in of the user who opens an invitation, or nil without one: then the user joins the account
// by a password for this account only.
func (d *Dashboard) joining(r *http.Request, link users.Link) (*users.Login, error) {
	if !link.Invites() {
		return nil, nil
	}
	login, _, err := d.sessionLogin(r.Context())
	if err == nil && login != nil && login.ID != link.User.ID {
		err = fault.New(fault.InsufficientScope,
			"This invitation is for %s. Log out and open the link again.", link.User.Email)
	}
	return login, err
}

// renderPassword shows the form of a link: that of the page join if the user is logged in, otherwise that of the page
// password.
func (d *Dashboard) renderPassword(
	w http.ResponseWriter, r *http.Request, status int, link users.Link, joining *users.Login, why string,
) error {
	form := passwordForm{Email: link.User.Email, Role: link.Role, Min: users.MinPassword, Error: why}
	if !link.Invites() {
		return d.show(w, r, status, "password", "Set your password", form)
	}
	account, err := d.Accounts.Get(r.Context(), link.AccountID)
	if err != nil {
		return err
	}
	form.Account = account.Name
	switch {
	case joining == nil:
		form.Known = link.User.PasswordHash != nil || link.User.LastLoginAt != nil
		form.LogIn, form.SignOn = "/login?next="+url.QueryEscape(r.URL.Path), d.signOnButton(r.URL.Path)
		return d.show(w, r, status, "password", "Set your password", form)
	case joining.Proof.Verified:
		form.Min = 0
	}
	return d.show(w, r, status, "join", "Join an account", form)
}

// setPassword sets the password of a link's user, or lets the user join the account of an invitation.
func (d *Dashboard) setPassword(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	secret, password := mux.Vars(r)["secret"], r.PostFormValue("password")
	link, err := d.Users.ByLink(r.Context(), secret)
	if err != nil {
		return err
	}
	joining, err := d.joining(r, link)
	if err != nil {
		return err
	}
	var login users.Login
	if joining != nil {
		login, err = d.Users.Join(r.Context(), secret, *joining, password)
	} else {
		login, err = d.Users.SetPassword(r.Context(), secret, password)
	}
	if f, ok := fault.As(err); ok && f.Code == fault.InvalidRequest {
		return d.renderPassword(w, r, http.StatusUnprocessableEntity, link, joining, fieldError(f))
	}
	if err != nil {
		return err
	}
	if err := d.begin(w, r, login); err != nil {
		return err
	}
	if link.AccountID != "" {
		d.sessions.Put(r.Context(), keyAccount, link.AccountID)
	}
	redirect(w, r, "/")
	return nil
}
