package dashboard

import (
	"net/http"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/users"
)

const usersPath = settingsPath + "/users"

// usersPage is the data of the page users.
type usersPage struct {
	Users       []users.AccountUser
	Invitations []users.Invitation
	Self        string // the identifier of the user who looks at the page
	Roles       []users.Role
	Form        *form.Form // of a new invitation
	Link        *shownLink
	Days        int    // that a link can be used
	Failed      string // why another action was refused
}

// invitationForm returns the form that invites a user.
func invitationForm() *form.Form {
	return form.New(
		form.Field{Name: "email", Label: "E-mail address"},
		form.Field{Name: "role", Label: "Role", Kind: form.Choice, Value: string(users.Member)},
	)
}

// shownLink is a link that is shown once.
type shownLink struct {
	Email, Address string
	Invitation     bool // otherwise it sets a password
}

// passwordURL returns the URL of a link to set a password or of an invitation.
func (d *Dashboard) passwordURL(secret string) string { return d.Public + "/password/" + secret }

func (d *Dashboard) listUsers(w http.ResponseWriter, r *http.Request) error {
	return d.showUsers(w, r, http.StatusOK, usersPage{})
}

// showUsers adds the account's users to the page and shows it.
func (d *Dashboard) showUsers(w http.ResponseWriter, r *http.Request, status int, p usersPage) (err error) {
	v := web.VisitOf(r)
	if p.Form == nil {
		p.Form = invitationForm()
	}
	if p.Users, err = d.Users.List(r.Context(), v.Account.ID); err != nil {
		return err
	}
	if p.Invitations, err = d.Users.Invitations(r.Context(), v.Account.ID); err != nil {
		return err
	}
	p.Self, p.Roles, p.Days = v.User.ID, []users.Role{users.Member, users.Owner}, int(users.LinkLifetime.Hours()/24)
	return d.Show(w, r, status, "users", "Users", p)
}

// inviteUser shows the link of an invitation in the response, because its secret is not stored.
func (d *Dashboard) inviteUser(w http.ResponseWriter, r *http.Request) error {
	f := invitationForm().Read(r.PostForm)
	email := f.Text("email")
	secret, err := d.Users.Invite(r.Context(), web.VisitOf(r).Account.ID, email, users.Role(f.Sent("role")))
	if refused, invalid := list.Invalid(err); invalid {
		f.Refuse(refused)
		return d.showUsers(w, r, form.Status(refused), usersPage{Form: f})
	}
	if err != nil {
		return err
	}
	link := &shownLink{Email: email, Address: d.passwordURL(secret), Invitation: true}
	return d.showUsers(w, r, http.StatusOK, usersPage{Link: link})
}

// changeRole changes the role of a user. It holds from the user's next request on.
func (d *Dashboard) changeRole(w http.ResponseWriter, r *http.Request) error {
	v, userID := web.VisitOf(r), mux.Vars(r)["id"]
	err := d.Users.SetRole(r.Context(), v.Account.ID, userID, users.Role(r.PostForm.Get("role")))
	return d.afterUserChange(w, r, userID, err)
}

// afterUserChange leads back to the users, or to the first page if the user changed the own role, for which the page of
// users may be closed. It shows refusals on the page of users.
func (d *Dashboard) afterUserChange(w http.ResponseWriter, r *http.Request, userID string, err error) error {
	if f, ok := fault.As(err); ok && (f.Code == fault.LastOwner || f.Code == fault.InsufficientScope) {
		return d.showUsers(w, r, f.Status(), usersPage{Failed: f.Message})
	}
	if err != nil {
		return err
	}
	if userID == web.VisitOf(r).User.ID {
		web.Redirect(w, r, "/")
		return nil
	}
	web.Redirect(w, r, usersPath)
	return nil
}

// newPasswordLink shows a link by which a user of this account alone sets a new password.
func (d *Dashboard) newPasswordLink(w http.ResponseWriter, r *http.Request) error {
	userID := mux.Vars(r)["id"]
	secret, err := d.Users.NewMemberLink(r.Context(), web.VisitOf(r).Account.ID, userID)
	if err != nil {
		return d.afterUserChange(w, r, userID, err)
	}
	user, err := d.Users.Get(r.Context(), userID)
	if err != nil {
		return err
	}
	link := &shownLink{Email: user.Email, Address: d.passwordURL(secret)}
	return d.showUsers(w, r, http.StatusOK, usersPage{Link: link})
}

// removeForm is the data of the page user-remove.
type removeForm struct {
	User users.User
	Self bool
}

func (d *Dashboard) confirmRemoveUser(w http.ResponseWriter, r *http.Request) error {
	v := web.VisitOf(r)
	member, err := d.Users.Membership(r.Context(), v.Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	user, err := d.Users.Get(r.Context(), member.UserID)
	if err != nil {
		return err
	}
	return d.Show(w, r, http.StatusOK, "user-remove", "Remove a user", removeForm{user, user.ID == v.User.ID})
}

func (d *Dashboard) removeUser(w http.ResponseWriter, r *http.Request) error {
	userID := mux.Vars(r)["id"]
	return d.afterUserChange(w, r, userID, d.Users.Remove(r.Context(), web.VisitOf(r).Account.ID, userID))
}

func (d *Dashboard) withdrawInvitation(w http.ResponseWriter, r *http.Request) error {
	if err := d.Users.Withdraw(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"]); err != nil {
		return err
	}
	web.Redirect(w, r, usersPath)
	return nil
}
