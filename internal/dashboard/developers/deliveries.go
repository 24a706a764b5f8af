package developers

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/gorilla/mux"

	"github.com/cardvault/cardvault/internal/dashboard/web"
	"github.com/cardvault/cardvault/internal/dashboard/web/form"
	"github.com/cardvault/cardvault/internal/dashboard/web/format"
	"github.com/cardvault/cardvault/internal/dashboard/web/list"
	"github.com/cardvault/cardvault/internal/events"
	"github.com/cardvault/cardvault/internal/fault"
	"github.com/cardvault/cardvault/internal/paging"
	"github.com/cardvault/cardvault/internal/webhooks"
)

// DeliveriesPath is the path of the page of all deliveries.
const DeliveriesPath = "/developers/deliveries"

// deliveryFields are the filters of deliveries.
var deliveryFields = []form.Field{{Name: "state"}, {Name: "webhook"}, {Name: "event"}}

// deliveriesPage is the data of the page deliveries.
type deliveriesPage struct {
	list.Shown
	States    []webhooks.State
	Kinds     []events.Kind
	Endpoints []webhooks.Endpoint // that can be chosen
	Rows      []shownDelivery
}

// shownDelivery is a delivery with the address that it goes to.
type shownDelivery struct {
	webhooks.LoggedDelivery
	URL string // "" if the endpoint was deleted
}

func (h *Handlers) ListDeliveries(w http.ResponseWriter, r *http.Request) error {
	account, q := web.VisitOf(r).Account.ID, list.NewQuery(r, "", deliveryFields)
	p := deliveriesPage{States: webhooks.States, Kinds: events.Kinds}
	var err error
	if p.Endpoints, err = h.Webhooks.List(r.Context(), account); err != nil {
		return err
	}
	urls := map[string]string{}
	for _, e := range p.Endpoints {
		urls[e.ID] = e.URL
	}
	filter := webhooks.LogFilter{
		State: webhooks.State(format.Text(q.Text("state"))), Event: events.Kind(format.Text(q.Text("event"))),
	}
	endpoint := q.Values.Get("webhook") // any text that is no identifier is not found
	read := func(at paging.Request) (paging.Page[webhooks.LoggedDelivery], error) {
		if endpoint == "" {
			return h.DeliveryLog.ListAll(r.Context(), account, filter, at)
		}
		return h.DeliveryLog.List(r.Context(), account, endpoint, filter, at)
	}
	found, shown, status, err := list.Load(q, rowsPerPage, read)
	if err != nil {
		return err
	}
	p.Shown = shown
	for _, delivery := range found {
		p.Rows = append(p.Rows, shownDelivery{delivery, urls[delivery.EndpointID]})
	}
	return h.Show(w, r, status, "deliveries", "Deliveries", p)
}

// deliveryWord returns the word for a state of a delivery or an endpoint.
func deliveryWord(state any) string {
	if word := fmt.Sprint(state); word != string(webhooks.Pending) {
		return word
	}
	return "waiting"
}

// deliveryPage is the data of the page delivery.
type deliveryPage struct {
	shownDelivery
	Timeline []shownAttempt
	Envelope string // of the event, formatted; "" if the event is not kept
	Resent   bool
}

// shownAttempt is an attempt of a timeline.
type shownAttempt struct {
	webhooks.Attempt
	Response string // the start of the response as text
}

// Milliseconds returns the duration of the attempt.
func (a shownAttempt) Milliseconds() string { return format.Number(a.Duration.Milliseconds()) }

func (h *Handlers) ShowDelivery(w http.ResponseWriter, r *http.Request) error {
	account := web.VisitOf(r).Account.ID
	found, err := h.Deliveries.Get(r.Context(), account, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	p := deliveryPage{Resent: r.URL.Query().Get("resent") == "true"}
	if p.LoggedDelivery, err = h.DeliveryLog.Describe(r.Context(), found); err != nil {
		return err
	}
	e, err := h.Webhooks.Get(r.Context(), account, found.EndpointID)
	if err != nil && !fault.Is(err, fault.EndpointNotFound) {
		return err
	}
	p.URL = e.URL
	attempts, err := h.Deliveries.Attempts(r.Context(), account, found.ID)
	if err != nil {
		return err
	}
	for _, attempt := range attempts {
		p.Timeline = append(p.Timeline, shownAttempt{attempt, startOf(attempt.Response)})
	}
	envelope, err := h.Events.Get(r.Context(), account, found.EventID)
	if err != nil && !fault.Is(err, fault.EventNotFound) {
		return err
	}
	p.Envelope = formatJSON(envelope)
	return h.Show(w, r, http.StatusOK, "delivery", "Delivery", p)
}

func (h *Handlers) ResendDelivery(w http.ResponseWriter, r *http.Request) error {
	resent, err := h.Deliveries.Resend(r.Context(), web.VisitOf(r).Account.ID, mux.Vars(r)["id"])
	if err != nil {
		return err
	}
	web.Redirect(w, r, DeliveriesPath+"/"+resent.ID+"?resent=true")
	return nil
}

// maxShownResponse is the maximum size of the part of a response that is shown, in bytes.
const maxShownResponse = 1 << 10

// startOf returns the start of a response, which may be binary, as text.
func startOf(response string) string {
	cut := response[:min(len(response), maxShownResponse)]
	for len(cut) < len(response) && cut != "" && !utf8.RuneStart(response[len(cut)]) {
		cut = cut[:len(cut)-1]
	}
	return strings.ToValidUTF8(cut, "\uFFFD")
}
