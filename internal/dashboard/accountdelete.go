package dashboard

import (
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/accounts/deletion"
	"github.com/cardvault/cardvault/internal/fault"
)

const (
	deletePath = settingsPath + "/delete"
	keepPath   = settingsPath + "/keep"
)

// deletionRoutes adds the pages of the deletion of the account.
func (d *Dashboard) deletionRoutes(owner func(method, path string, handle handler)) {
	owner(http.MethodGet, deletePath, d.showDeleteAccount)
	owner(http.MethodPost, deletePath, within(changeTime, d.deleteAccount))
	owner(http.MethodPost, keepPath, within(changeTime, d.keepAccount))
}

// accountDeletePage is the data of the page accountdelete.
type accountDeletePage struct {
	Account     accounts.Account
	Days        int // until the deletion
	At          time.Time
	HasPassword bool              // whether the user is asked for it
	Name        string            // as it was typed
	Errors      map[string]string // by the name of the field
}

func (d *Dashboard) showDeleteAccount(w http.ResponseWriter, r *http.Request) error {
	return d.renderDelete(w, r, http.StatusOK, accountDeletePage{})
}

func (d *Dashboard) renderDelete(w http.ResponseWriter, r *http.Request, status int, p accountDeletePage) error {
	v := visitOf(r)
	p.Account, p.HasPassword = v.Account, v.Password != ""
	p.Days, p.At = int(deletion.Wait.Hours()/24), d.Clock.Time().Add(deletion.Wait)
	return d.show(w, r, status, "accountdelete", "Delete the account", p)
}

// deleteAccount asks for the deletion of the account, if the user typed its name and the user's own password.
func (d *Dashboard) deleteAccount(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	v, p := visitOf(r), accountDeletePage{Name: typed(r.PostForm, "name"), Errors: map[string]string{}}
	if p.Name != v.Account.Name {
		p.Errors["name"] = "This is not the name of the account."
		return d.renderDelete(w, r, http.StatusUnprocessableEntity, p)
	}
	if v.Password != "" {
		err := d.Users.CheckPassword(r.Context(), d.client(r), v.read(), r.PostForm.Get("password"))
		if f, ok := fault.As(err); ok && (f.Code == fault.InvalidRequest || f.Code == fault.RateLimited) {
			p.Errors["password"] = "The password is wrong."
			if f.Code == fault.RateLimited {
				p.Errors["password"] = f.Message
			}
			setRetryAfter(w, f)
			return d.renderDelete(w, r, formStatus(f), p)
		}
		if err != nil {
			return err
		}
	}
	if _, err := d.Deletions.Request(r.Context(), v.Account.ID, deletion.Wait); err != nil {
		return err
	}
	redirect(w, r, deletePath)
	return nil
}

func (d *Dashboard) keepAccount(w http.ResponseWriter, r *http.Request) error {
	if _, err := d.Deletions.Cancel(r.Context(), visitOf(r).Account.ID); err != nil {
		return err
	}
	redirect(w, r, settingsPath)
	return nil
}
