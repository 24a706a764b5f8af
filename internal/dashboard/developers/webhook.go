package developers

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// webhookPage is the data of the page webhook.
type webhookPage struct {
	Endpoint   shownEndpoint
	Form       endpointForm
	Grace      []gracePeriod
	Previous   []webhooks.PreviousSecret // that still sign, newest first
	Secret     string                    // the new secret, which is not shown again
	Saved      bool
	Resent     *resent
	Resend     *form.Form // of dropped deliveries
	Figures    deliveryFigures
	Deliveries []shownDelivery
}

// resent is the result of sending dropped deliveries again.
type resent struct {
	Count int64
	More  bool
}

// deliveriesShown is the number of deliveries on the page of an endpoint.
const deliveriesShown = 10

func webhookPath(endpointID string) string { return WebhooksPath + "/" + endpointID }

// ownEndpoint returns the endpoint that the path names, if the account has it.
func (h *Handlers) ownEndpoint(r *http.Request) (webhooks.Endpoint, error) {
	return h.Webhooks.Get(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
}

func (h *Handlers) ShowWebhook(w http.ResponseWriter, r *http.Request) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	p := webhookPage{Form: formOf(e), Saved: query.Get("saved") == "true"}
	if count, err := strconv.ParseInt(query.Get("resent"), 10, 64); err == nil {
		p.Resent = &resent{Count: count, More: query.Get("more") == "true"}
	}
	return h.renderWebhook(w, r, http.StatusOK, e, p)
}

// formOf returns the form with the values of an endpoint.
func formOf(e webhooks.Endpoint) endpointForm { return newEndpointForm(e.URL, kindsOf(e)) }

// resendForm returns the form that sends dropped deliveries again.
func resendForm() *form.Form {
	return form.New(form.Field{Name: "since", Label: "Since", Kind: form.Moment})
}

// renderWebhook adds the latest deliveries to the page and shows it.
func (h *Handlers) renderWebhook(
	w http.ResponseWriter, r *http.Request, status int, e webhooks.Endpoint, p webhookPage,
) error {
	account := web.VisitOf(r).Account.ID
	health, err := h.DeliveryLog.Health(r.Context(), account, []string{e.ID})
	if err != nil {
		return err
	}
	request := paging.Request{Limit: deliveriesMeasured}
	latest, err := h.DeliveryLog.List(r.Context(), account, e.ID, webhooks.LogFilter{}, request)
	if err != nil {
		return err
	}
	since := h.Clock.Time().Add(-finishedTime)
	week, err := h.DeliveryLog.CountFinished(r.Context(), account, e.ID, since, maxFinished)
	if err != nil {
		return err
	}
	p.Endpoint, p.Grace = shownEndpoint{e, health[e.ID], kindsOf(e)}, gracePeriods
	p.Previous = e.SigningSecrets(h.Clock.Time())
	if p.Resend == nil {
		p.Resend = resendForm()
	}
	p.Figures = figuresOf(week, latest.Data)
	for _, delivery := range latest.Data[:min(len(latest.Data), deliveriesShown)] {
		p.Deliveries = append(p.Deliveries, shownDelivery{LoggedDelivery: delivery, URL: e.URL})
	}
	return h.Show(w, r, status, "webhook", "Webhook", p)
}

func (h *Handlers) ChangeWebhook(w http.ResponseWriter, r *http.Request) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	f, kinds, err := parseEndpointForm(r.PostForm)
	if err == nil {
		change := endpointChange(e, f.Text("url"), kinds)
		_, err = h.Webhooks.Update(r.Context(), web.VisitOf(r).Account.ID, e.ID, change)
	}
	if err != nil {
		status, err := f.refuse(err)
		if err != nil {
			return err
		}
		return h.renderWebhook(w, r, status, e, webhookPage{Form: f})
	}
	web.Redirect(w, r, webhookPath(e.ID)+"?saved=true")
	return nil
}

// endpointChange returns what a form changes. An endpoint that names no kinds keeps to name none if they stay the same,
// so that it gets the kinds that become default ones later.
func endpointChange(e webhooks.Endpoint, url string, kinds []events.Kind) webhooks.EndpointChange {
	var change webhooks.EndpointChange
	if url != e.URL {
		change.URL = &url
	}
	wanted := kindsOf(e)
	slices.Sort(wanted)
	chosen := slices.Sorted(slices.Values(kinds))
	if !slices.Equal(wanted, slices.Compact(chosen)) {
		change.Events = &kinds
	}
	return change
}

func (h *Handlers) DisableWebhook(w http.ResponseWriter, r *http.Request) error {
	return h.enableOrDisable(w, r, h.Webhooks.Disable)
}

func (h *Handlers) EnableWebhook(w http.ResponseWriter, r *http.Request) error {
	return h.enableOrDisable(w, r, h.Webhooks.Enable)
}

func (h *Handlers) enableOrDisable(
	w http.ResponseWriter, r *http.Request, do func(ctx context.Context, accountID, endpointID string) error,
) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	if err := do(r.Context(), e.AccountID, e.ID); err != nil {
		return err
	}
	web.Redirect(w, r, webhookPath(e.ID))
	return nil
}

// RotateWebhook shows the new secret in the response, because it cannot be read again.
func (h *Handlers) RotateWebhook(w http.ResponseWriter, r *http.Request) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	grace, err := parseGrace(r.PostForm)
	if err != nil {
		return err
	}
	secret, err := h.Webhooks.RotateSecret(r.Context(), e.AccountID, e.ID, grace)
	if err != nil {
		return err
	}
	if e, err = h.ownEndpoint(r); err != nil {
		return err
	}
	return h.renderWebhook(w, r, http.StatusOK, e, webhookPage{Form: formOf(e), Secret: secret})
}

// EndSecret ends the grace period of a previous secret.
func (h *Handlers) EndSecret(w http.ResponseWriter, r *http.Request) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	if err := h.Webhooks.EndSecret(r.Context(), e.AccountID, e.ID, mux.Vars(r)["secret"]); err != nil {
		return err
	}
	web.Redirect(w, r, webhookPath(e.ID))
	return nil
}

// TestWebhook sends an example of an event and leads to its delivery.
func (h *Handlers) TestWebhook(w http.ResponseWriter, r *http.Request) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	sent, err := h.Deliveries.SendTest(r.Context(), e.AccountID, e.ID, events.Kind(r.PostForm.Get("event")))
	if err != nil {
		return err
	}
	web.Redirect(w, r, DeliveriesPath+"/"+sent.ID)
	return nil
}

func (h *Handlers) ResendDropped(w http.ResponseWriter, r *http.Request) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	f := resendForm().Read(r.PostForm)
	var since time.Time
	if at := f.Time("since", time.UTC); at != nil {
		since = *at
	}
	if f.Err() != nil {
		return h.renderWebhook(w, r, http.StatusUnprocessableEntity, e, webhookPage{Form: formOf(e), Resend: f})
	}
	count, more, err := h.Deliveries.ResendDropped(r.Context(), e.AccountID, e.ID, since)
	if err != nil {
		return err
	}
	web.Redirect(w, r, webhookPath(e.ID)+"?resent="+strconv.Itoa(count)+"&more="+strconv.FormatBool(more))
	return nil
}

// deleteForm is the data of the page webhook-delete.
type deleteForm struct {
	Endpoint webhooks.Endpoint
	Waiting  int  // deliveries that would be dropped
	More     bool // there are more than Waiting
}

// waitingCounted is the maximum number of waiting deliveries that the question before a deletion counts.
const waitingCounted = 200

func (h *Handlers) ConfirmDeleteWebhook(w http.ResponseWriter, r *http.Request) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	waiting, next, err := h.Deliveries.List(r.Context(), webhooks.Filter{
		Account: e.AccountID, Endpoint: e.ID, State: webhooks.Pending, Limit: waitingCounted,
	})
	if err != nil {
		return err
	}
	question := deleteForm{Endpoint: e, Waiting: len(waiting), More: next != ""}
	return h.Show(w, r, http.StatusOK, "webhook-delete", "Delete a webhook", question)
}

func (h *Handlers) DeleteWebhook(w http.ResponseWriter, r *http.Request) error {
	e, err := h.ownEndpoint(r)
	if err != nil {
		return err
	}
	if err := h.Webhooks.Delete(r.Context(), e.AccountID, e.ID); err != nil {
		return err
	}
	web.Redirect(w, r, WebhooksPath+"?deleted=true")
	return nil
}
