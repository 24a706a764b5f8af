package settings

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
func (h *Handlers) passwordURL(secret string) string { return h.Public + "/password/" + secret }

func (h *Handlers) ListUsers(w http.ResponseWriter, r *http.Request) error {
	return h.showUsers(w, r, http.StatusOK, usersPage{})
}

// showUsers adds the account's users to the page and shows it.
func (h *Handlers) showUsers(w http.ResponseWriter, r *http.Request, status int, p usersPage) (err error) {
	v := web.VisitOf(r)
	if p.Form == nil {
		p.Form = invitationForm()
	}
	if p.Users, err = h.Users.List(r.Context(), v.Account.ID); err != nil {
		return err
	}
	if p.Invitations, err = h.Users.Invitations(r.Context(), v.Account.ID); err != nil {
		return err
	}
	p.Self, p.Roles, p.Days = v.User.ID, []users.Role{users.Member, users.Owner}, int(users.LinkLifetime.Hours()/24)
	return h.Show(w, r, status, "users", "Users", p)
}

// InviteUser shows the link of an invitation in the response, because its secret is not stored.
func (h *Handlers) InviteUser(w http.ResponseWriter, r *http.Request) error {
	f := invitationForm().Read(r.PostForm)
	email := f.Text("email")
	secret, err := h.Users.Invite(r.Context(), web.VisitOf(r).Account.ID, email, users.Role(f.Sent("role")))
	if refused, invalid := list.Invalid(err); invalid {
		f.Refuse(refused)
		return h.showUsers(w, r, form.Status(refused), usersPage{Form: f})
	}
	if err != nil {
		return err
	}
	link := &shownLink{Email: email, Address: h.passwordURL(secret), Invitation: true}
	return h.showUsers(w, r, http.StatusOK, usersPage{Link: link})
}

// ChangeRole changes the role of a user. It holds from the user's next request on.
func (h *Handlers) ChangeRole(w http.ResponseWriter, r *http.Request) error {
	v, userID := web.VisitOf(r), mux.Vars(r)["id"]
	err := h.Users.SetRole(r.Context(), v.Account.ID, userID, users.Role(r.PostForm.Get("role")))
	return h.afterUserChange(w, r, userID, err)
}

// afterUserChange leads back to the users, or to the first page if the user changed the own role, for which the page of
// users may be closed. It shows refusals on the page of users.
func (h *Handlers) afterUserChange(w http.ResponseWriter, r *http.Request, userID string, err error) error {
	if f, ok := fault.As(err); ok && (f.Code == fault.LastOwner || f.Code == fault.InsufficientScope) {
		return h.showUsers(w, r, f.Status(), usersPage{Failed: f.Message})
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

// NewPasswordLink shows a link by which a user of this account alone sets a new password.
func (h *Handlers) NewPasswordLink(w http.ResponseWriter, r *http.Request) error {
	userID := mux.Vars(r)["id"]
	secret, err := h.Users.NewMemberLink(r.Context(), web.VisitOf(r).Account.ID, userID)
	if err != nil {
		return h.afterUserChange(w, r, userID, err)
	}
	user, err := h.Users.Get(r.Context(), userID)
	if err != nil {
		return err
	}
	link := &shownLink{Email: user.Email, Address: h.passwordURL(secret)}
	return h.showUsers(w, r, http.StatusOK, usersPage{Link: link})
}

// removeForm is the data of the page user-remove.
type removeForm struct {
	User users.User
	Self bool
}

func (h *Handlers) ConfirmRemoveUser(w http.ResponseWriter, r *http.Request) error {
	v := web.VisitOf(r)
	member, err := h.Users.Membership(r.Context(), v.Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	user, err := h.Users.Get(r.Context(), member.UserID)
	if err != nil {
		return err
	}
	return h.Show(w, r, http.StatusOK, "user-remove", "Remove a user", removeForm{user, user.ID == v.User.ID})
}

func (h *Handlers) RemoveUser(w http.ResponseWriter, r *http.Request) error {
	userID := mux.Vars(r)["id"]
	return h.afterUserChange(w, r, userID, h.Users.Remove(r.Context(), web.VisitOf(r).Account.ID, userID))
}

func (h *Handlers) WithdrawInvitation(w http.ResponseWriter, r *http.Request) error {
	if err := h.Users.Withdraw(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"]); err != nil {
		return err
	}
	web.Redirect(w, r, usersPath)
	return nil
}
