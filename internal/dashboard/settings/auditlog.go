package settings

import (
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/audit"
	"github.com/cardvault/cardvault/internal/caller"
	"github.com/cardvault/cardvault/internal/cards"
	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/paging"
)

const auditPath = settingsPath + "/audit"

// auditPage is the data of the page audit: the audit log, or the changes of the cards.
type auditPage struct {
	Tabs    []web.Tab
	OfCards bool
	Rows    []auditRow
	Changes []cardChange
	list.Pager
}

// rowsPerPage is the number of rows of the page.
const rowsPerPage = 50

// ofCards is the value of the parameter of for the changes of cards.
const ofCards = "cards"

func newAuditPage(query url.Values, next *string) auditPage {
	p := auditPage{OfCards: query.Get("of") == ofCards, Pager: list.Pages(auditPath, query, next, "of")}
	p.Tabs = []web.Tab{
		{Label: "Account", Address: auditPath, Current: !p.OfCards},
		{Label: "Cards", Address: auditPath + "?of=" + ofCards, Current: p.OfCards},
	}
	return p
}

// cardChange is an entry of the history of a card, with the names of the card and of the actor.
type cardChange struct {
	cards.HistoryEntry
	Who, Title string
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
	audit.WebhookSecretEnded: "ended a previous secret of a webhook",
	audit.UserInvited:        "invited a user", audit.InvitationWithdrawn: "withdrew an invitation",
	audit.UserAdded: "added a user", audit.UserRoleChanged: "changed the role of a user",
	audit.ExportRequested:   "asked for an export",
	audit.DeletionRequested: "asked to delete the account", audit.DeletionCancelled: "kept the account",
	audit.MarketplaceConnected:    "connected the marketplace",
	audit.MarketplaceDisconnected: "disconnected the marketplace",
	audit.MarketplaceRevoked:      "ended the connection to the marketplace",
	audit.MarketplaceChanged:      "changed the settings of the marketplace",
	audit.UserPasswordLink:        "made a password link for a user", audit.UserRemoved: "removed a user",
}

func (h *Handlers) ShowAudit(w http.ResponseWriter, r *http.Request) error {
	account, query := web.VisitOf(r).Account.ID, r.URL.Query()
	request := paging.Request{Limit: rowsPerPage, Cursor: query.Get("cursor")}
	if query.Get("of") == ofCards {
		return h.showCardChanges(w, r, account, request)
	}
	found, err := h.Audit.List(r.Context(), account, request)
	if err != nil {
		return err
	}
	actors := make([]caller.Actor, len(found.Data))
	for i, entry := range found.Data {
		actors[i] = entry.Actor
	}
	names, err := h.NamesOf(r.Context(), account, actors)
	if err != nil {
		return err
	}
	p := newAuditPage(query, found.NextCursor)
	for _, entry := range found.Data {
		row := auditRow{Entry: entry, Who: names[entry.Actor], What: auditWords[entry.Kind]}
		switch {
		case entry.Kind == audit.MarketplaceRevoked: // a request or background work has noticed it
			row.Who = "the marketplace"
		case entry.Actor.Type == caller.WorkerActor:
			row.Who = "the operator" // of the command line: background work changes nothing of this
		}
		p.Rows = append(p.Rows, row)
	}
	return h.Show(w, r, http.StatusOK, "audit", "Audit", p)
}

// showCardChanges shows who changed which card, in the whole account.
func (h *Handlers) showCardChanges(
	w http.ResponseWriter, r *http.Request, accountID string, request paging.Request,
) error {
	found, err := h.Cards.AccountHistory(r.Context(), accountID, request)
	if err != nil {
		return err
	}
	names, err := h.ActorNames(r.Context(), accountID, found.Data)
	if err != nil {
		return err
	}
	ids := make([]string, len(found.Data))
	for i, entry := range found.Data {
		ids[i] = entry.CardID
	}
	byID, err := h.CardsByID(r.Context(), accountID, ids)
	if err != nil {
		return err
	}
	p := newAuditPage(r.URL.Query(), found.NextCursor)
	for _, entry := range found.Data {
		change := cardChange{HistoryEntry: entry, Who: names[entry.Actor], Title: "Card without a title"}
		if title := byID[entry.CardID].Identification.Title; title != nil {
			change.Title = *title
		}
		p.Changes = append(p.Changes, change)
	}
	return h.Show(w, r, http.StatusOK, "audit", "Audit", p)
}
