package settings

import (
	"net/http"
	"time"

	"github.com/cardvault/cardvault/internal/accounts"
	"github.com/cardvault/cardvault/internal/accounts/deletion"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/fault"
)

const (
	deletePath = settingsPath + "/delete"
	keepPath   = settingsPath + "/keep"
)

// accountDeletePage is the data of the page accountdelete.
type accountDeletePage struct {
	Account     accounts.Account
	Days        int // until the deletion
	At          time.Time
	HasPassword bool // whether the user is asked for it
	Form        *form.Form
}

func (h *Handlers) ShowDeleteAccount(w http.ResponseWriter, r *http.Request) error {
	return h.renderDelete(w, r, http.StatusOK, accountDeletePage{Form: deletionForm()})
}

func (h *Handlers) renderDelete(w http.ResponseWriter, r *http.Request, status int, p accountDeletePage) error {
	v := web.VisitOf(r)
	p.Account, p.HasPassword = v.Account, v.Password != ""
	p.Days, p.At = int(deletion.Wait.Hours()/24), h.Clock.Time().Add(deletion.Wait)
	return h.Show(w, r, status, "accountdelete", "Delete the account", p)
}

// DeleteAccount asks for the deletion of the account, if the user typed its name and the user's own password.
func (h *Handlers) DeleteAccount(w http.ResponseWriter, r *http.Request) error {
	v, f := web.VisitOf(r), deletionForm().Read(r.PostForm)
	if f.Text("name") != v.Account.Name {
		return h.refuseDeletion(w, r, f, fault.Invalid("name", "This is not the name of the account."))
	}
	if v.Password != "" {
		err := h.Users.CheckPassword(r.Context(), h.Client(r), v.Read(), f.Value("password"))
		refused, ok := fault.As(err)
		switch {
		case ok && refused.Code == fault.InvalidRequest:
			return h.refuseDeletion(w, r, f, fault.Invalid("password", "The password is wrong."))
		case ok && refused.Code == fault.RateLimited:
			detail := fault.Detail{Field: "password", Message: refused.Message}
			return h.refuseDeletion(w, r, f, refused.WithDetails(detail))
		case err != nil:
			return err
		}
	}
	if _, err := h.Deletions.Request(r.Context(), v.Account.ID, deletion.Wait); err != nil {
		return err
	}
	web.Redirect(w, r, deletePath)
	return nil
}

// deletionForm returns the form that asks for the deletion.
func deletionForm() *form.Form {
	return form.New(form.Field{Name: "name", Label: "Name"}, form.Field{Name: "password", Label: "Password"})
}

// refuseDeletion shows the form with why the account is not deleted.
func (h *Handlers) refuseDeletion(w http.ResponseWriter, r *http.Request, f *form.Form, refused *fault.Error) error {
	f.Refuse(refused)
	web.SetRetryAfter(w, refused)
	return h.renderDelete(w, r, form.Status(refused), accountDeletePage{Form: f})
}

func (h *Handlers) KeepAccount(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.Deletions.Cancel(r.Context(), web.VisitOf(r).Account.ID); err != nil {
		return err
	}
	web.Redirect(w, r, settingsPath)
	return nil
}
