package dashboard

import (
	"net/http"
	"strings"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/ratelimit"
)

const settingsPath = "/settings"

// settingsRoutes adds the pages of the account's settings and users.
func (d *Dashboard) settingsRoutes(owner func(method, path string, handle handler)) {
	owner(http.MethodGet, settingsPath, d.showSettings)
	owner(http.MethodPost, settingsPath, d.changeSettings)
	owner(http.MethodGet, usersPath, d.listUsers)
	owner(http.MethodPost, usersPath, d.inviteUser)
	owner(http.MethodPost, usersPath+"/{id}/role", d.changeRole)
	owner(http.MethodPost, usersPath+"/{id}/link", d.newPasswordLink)
	owner(http.MethodGet, usersPath+"/{id}/remove", d.confirmRemoveUser)
	owner(http.MethodPost, usersPath+"/{id}/remove", d.removeUser)
	owner(http.MethodPost, usersPath+"/{id}/withdraw", d.withdrawInvitation)
	owner(http.MethodGet, auditPath, d.showAudit)
}

// settingsPage is the data of the page settings.
type settingsPage struct {
	Account  accounts.Account
	Settings accounts.Change // that the form shows
	Max      int             // characters of the name
	Limits   ratelimit.Limits
	Errors   map[string]string // by the name of the field
	Saved    bool
}

func (d *Dashboard) showSettings(w http.ResponseWriter, r *http.Request) error {
	a := visitOf(r).Account
	return d.renderSettings(w, r, http.StatusOK, settingsPage{
		Settings: accounts.Change{Name: a.Name, Currency: a.Currency, TimeZone: a.TimeZone},
		Saved:    r.URL.Query().Get("saved") == "true",
	})
}

func (d *Dashboard) renderSettings(w http.ResponseWriter, r *http.Request, status int, p settingsPage) error {
	p.Account, p.Max, p.Limits = visitOf(r).Account, accounts.MaxName, d.Limits
	return d.show(w, r, status, "settings", "Settings", p)
}

func (d *Dashboard) changeSettings(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	p := settingsPage{Errors: map[string]string{}, Settings: accounts.Change{
		Name: typed(r.PostForm, "name"), Currency: strings.ToUpper(typed(r.PostForm, "currency")),
		TimeZone: typed(r.PostForm, "time_zone"),
	}}
	_, err := d.Accounts.Update(r.Context(), visitOf(r).Account.ID, p.Settings)
	if f, invalid := asInvalid(err); invalid {
		for _, detail := range f.Details {
			p.Errors[strings.ReplaceAll(detail.Field, " ", "_")] = detail.Message
		}
		return d.renderSettings(w, r, formStatus(f), p)
	}
	if err != nil {
		return err
	}
	redirect(w, r, settingsPath+"?saved=true")
	return nil
}

// fieldError returns what is wrong with the field of a form that a fault is about, or the whole message.
func fieldError(f *fault.Error) string {
	if len(f.Details) == 1 {
		return f.Details[0].Message
	}
	return f.Message
}
