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
	Account string // the name of the account that the user is invited to; "" if the link only sets a password
	Min     int
	Error   string
	SignOn  *signOnButton // for invitations
}

// joinForm is the data of the page join.
type joinForm struct {
	Email, Account string
	Role           users.Role
}

// showPassword shows what a link is for: setting a password or, for a user who has one, joining an account.
func (d *Dashboard) showPassword(w http.ResponseWriter, r *http.Request) error {
	secret := mux.Vars(r)["secret"]
	link, err := d.Users.ByLink(r.Context(), secret)
	if err != nil {
		return err
	}
	if link.SetsPassword() {
		return d.renderPassword(w, r, http.StatusOK, link, "")
	}
	if ready, err := d.readyToJoin(w, r, link); err != nil || !ready {
		return err
	}
	account, err := d.Accounts.Get(r.Context(), link.AccountID)
	if err != nil {
		return err
	}
	return d.show(w, r, http.StatusOK, "join", "Join an account",
		joinForm{Email: link.User.Email, Account: account.Name, Role: link.Role})
}

// readyToJoin reports whether the invited user is logged in. Otherwise it sends a request without a session to the
// log-in, which leads back.
func (d *Dashboard) readyToJoin(w http.ResponseWriter, r *http.Request, link users.Link) (bool, error) {
	user, err := d.sessionUser(r.Context())
	switch {
	case err != nil:
		return false, err
	case user == nil:
		redirect(w, r, "/login?next="+url.QueryEscape(r.URL.Path))
		return false, nil
	case user.ID != link.User.ID:
		return false, fault.New(fault.InsufficientScope,
			"This invitation is for %s. Log out, open the link again and log in as that user.", link.User.Email)
	case d.joinsByPassword(r, link):
		return false, errJoinByPassword
	}
	return true, nil
}

// renderPassword shows the form of a link that sets a password.
func (d *Dashboard) renderPassword(
	w http.ResponseWriter, r *http.Request, status int, link users.Link, why string,
) error {
	form := passwordForm{Email: link.User.Email, Min: users.MinPassword, Error: why}
	if link.AccountID != "" {
		account, err := d.Accounts.Get(r.Context(), link.AccountID)
		if err != nil {
			return err
		}
		form.Account, form.SignOn = account.Name, d.signOnButton(r.URL.Path)
	}
	return d.show(w, r, status, "password", "Set your password", form)
}

// setPassword sets the password of a link's user, or lets the user join the account of an invitation.
func (d *Dashboard) setPassword(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	secret := mux.Vars(r)["secret"]
	link, err := d.Users.ByLink(r.Context(), secret)
	if err != nil {
		return err
	}
	if !link.SetsPassword() {
		return d.join(w, r, link, secret)
	}
	user, err := d.Users.SetPassword(r.Context(), secret, r.PostFormValue("password"))
	if f, ok := fault.As(err); ok && f.Code == fault.InvalidRequest {
		return d.renderPassword(w, r, http.StatusUnprocessableEntity, link, f.Message)
	}
	if err != nil {
		return err
	}
	if err := d.begin(r, user); err != nil {
		return err
	}
	if link.AccountID != "" {
		d.sessions.Put(r.Context(), keyAccount, link.AccountID)
	}
	redirect(w, r, "/")
	return nil
}

// join lets the user of the session join the account of an invitation, and goes on in it.
func (d *Dashboard) join(w http.ResponseWriter, r *http.Request, link users.Link, secret string) error {
	if ready, err := d.readyToJoin(w, r, link); err != nil || !ready {
		return err
	}
	accountID, err := d.Users.Join(r.Context(), secret, link.User.ID)
	if err != nil {
		return err
	}
	d.sessions.Put(r.Context(), keyAccount, accountID)
	redirect(w, r, "/")
	return nil
}
