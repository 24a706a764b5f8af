package developers

import (
	"net/http"
	"net/url"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// WebhooksPath is the path of the page of all webhooks.
const WebhooksPath = "/developers/webhooks"

// webhooksPage is the data of the page webhooks.
type webhooksPage struct {
	Endpoints []shownEndpoint
	Form      endpointForm
	Created   *shownSecret // of the endpoint that was registered, which is not shown again
	Deleted   bool
	list.Pager
}

// shownEndpoint is an endpoint as a row of the table.
type shownEndpoint struct {
	webhooks.Endpoint
	webhooks.Health
	Kinds []events.Kind // that it gets
}

// State returns the name of the endpoint's state.
func (e shownEndpoint) State() string {
	if e.Enabled {
		return "enabled"
	}
	return "disabled"
}

// shownSecret is a signing secret, which is shown once.
type shownSecret struct{ Endpoint, URL, Secret string }

// endpointForm is the form with the address and the kinds of an endpoint.
type endpointForm struct {
	*form.Form
	Groups []kindGroup
}

func newEndpointForm(url string, kinds []events.Kind) endpointForm {
	return endpointForm{form.New(
		form.Field{Name: "url", Label: "Address", Value: url}, form.Field{Name: "events", Kind: form.Tags},
	), kindGroups(kinds)}
}

// kindGroup are the kinds of events about one thing, as check boxes.
type kindGroup struct {
	Label string
	Kinds []chosenKind
}

// chosenKind is a kind with its box in the form.
type chosenKind struct {
	Kind    events.Kind
	Meaning string
	Checked bool
}

func (h *Handlers) ListWebhooks(w http.ResponseWriter, r *http.Request) error {
	return h.showWebhooks(w, r, http.StatusOK, webhooksPage{
		Form:    newEndpointForm("", events.DefaultKinds),
		Deleted: r.URL.Query().Get("deleted") == "true",
	})
}

// showWebhooks adds the account's endpoints to the page and shows it.
func (h *Handlers) showWebhooks(w http.ResponseWriter, r *http.Request, status int, p webhooksPage) error {
	account, query := web.VisitOf(r).Account.ID, r.URL.Query()
	request := paging.Request{Limit: rowsPerPage, Cursor: query.Get("cursor")}
	found, err := h.DeliveryLog.Endpoints(r.Context(), account, request)
	if err != nil {
		return err
	}
	ids := make([]string, len(found.Data))
	for i, e := range found.Data {
		ids[i] = e.ID
	}
	health, err := h.DeliveryLog.Health(r.Context(), account, ids)
	if err != nil {
		return err
	}
	for _, e := range found.Data {
		p.Endpoints = append(p.Endpoints, shownEndpoint{e, health[e.ID], kindsOf(e)})
	}
	p.Pager = list.Pages(WebhooksPath, query, found.NextCursor)
	return h.Show(w, r, status, "webhooks", "Webhooks", p)
}

// RegisterWebhook registers an endpoint and shows its secret in the response, because it cannot be read again.
func (h *Handlers) RegisterWebhook(w http.ResponseWriter, r *http.Request) error {
	f, kinds, err := parseEndpointForm(r.PostForm)
	var endpoint webhooks.Endpoint
	var secret string
	if err == nil {
		endpoint, secret, err = h.Webhooks.Register(r.Context(), web.VisitOf(r).Account.ID, f.Text("url"), kinds)
	}
	if err != nil {
		status, err := f.refuse(err)
		if err != nil {
			return err
		}
		return h.showWebhooks(w, r, status, webhooksPage{Form: f})
	}
	return h.showWebhooks(w, r, http.StatusOK, webhooksPage{
		Form:    newEndpointForm("", events.DefaultKinds),
		Created: &shownSecret{Endpoint: endpoint.ID, URL: endpoint.URL, Secret: secret},
	})
}

// parseEndpointForm returns the form with what was typed, and the kinds that were chosen. It returns an invalid_request
// fault if there are none: the service would take that for events.DefaultKinds.
func parseEndpointForm(sent url.Values) (endpointForm, []events.Kind, error) {
	var kinds []events.Kind
	for _, name := range sent["events"] {
		kinds = append(kinds, events.Kind(name))
	}
	f := newEndpointForm("", kinds)
	if f.Read(sent); len(kinds) == 0 {
		f.Refuse(fault.Invalid("events", "choose at least one kind of event"))
	}
	return f, kinds, f.Err()
}

// refuse shows an error of the service in the form and returns the status of the page. It returns errors that the user
// did not cause.
func (f endpointForm) refuse(err error) (status int, _ error) {
	refused, ok := form.Refused(err)
	if !ok || refused.Status() == http.StatusNotFound {
		return 0, err
	}
	f.Refuse(refused)
	return form.Status(refused), nil
}

// Above returns why the form was refused if no field shows it, or "".
func (f endpointForm) Above() string {
	if f.Failed == form.Marked {
		return ""
	}
	return f.Failed
}

// kindsOf returns the kinds of events that an endpoint gets.
func kindsOf(e webhooks.Endpoint) []events.Kind {
	var kinds []events.Kind
	for _, kind := range events.Kinds {
		if e.Wants(kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
