package dashboard

import (
	"net/http"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/page"
)

const auditPath = settingsPath + "/audit"

// auditPage is the data of the page audit.
type auditPage struct {
	Rows []auditRow
	pager
}

// auditRow is an entry of the audit log with the name of its actor.
type auditRow struct {
	audit.Entry
	Who, What string
}

// auditWords say what was done.
var auditWords = map[audit.Kind]string{
	audit.SettingsChanged: "changed the settings", audit.TokenCreated: "created a token",
	audit.TokenRotated: "rotated a token", audit.TokenRevoked: "revoked a token",
	audit.WebhookRegistered: "registered a webhook", audit.WebhookChanged: "changed a webhook",
	audit.WebhookEnabled: "enabled a webhook", audit.WebhookDisabled: "disabled a webhook",
	audit.WebhookSecretRotated: "rotated the secret of a webhook", audit.WebhookDeleted: "deleted a webhook",
	audit.UserInvited: "invited a user", audit.InvitationWithdrawn: "withdrew an invitation",
	audit.UserAdded: "added a user", audit.UserRoleChanged: "changed the role of a user",
	audit.ExportRequested:   "asked for an export",
	audit.DeletionRequested: "asked to delete the account", audit.DeletionCancelled: "kept the account",
	audit.UserPasswordLink: "made a password link for a user", audit.UserRemoved: "removed a user",
}

func (d *Dashboard) showAudit(w http.ResponseWriter, r *http.Request) error {
	account, query := visitOf(r).Account.ID, r.URL.Query()
	request := page.Request{Limit: rowsPerPage, Cursor: query.Get("cursor")}
	found, err := d.Audit.List(r.Context(), account, request)
	if err != nil {
		return err
	}
	actors := make([]caller.Actor, len(found.Data))
	for i, entry := range found.Data {
		actors[i] = entry.Actor
	}
	names, err := d.namesOf(r.Context(), account, actors)
	if err != nil {
		return err
	}
	p := auditPage{pager: newPager(auditPath, query, found.NextCursor)}
	for _, entry := range found.Data {
		row := auditRow{Entry: entry, Who: names[entry.Actor], What: auditWords[entry.Kind]}
		if entry.Actor.Type == caller.WorkerActor {
			row.Who = "the operator" // of the command line: background work changes nothing of this
		}
		p.Rows = append(p.Rows, row)
	}
	return d.show(w, r, http.StatusOK, "audit", "Audit", p)
}
